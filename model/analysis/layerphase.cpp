#include "model/analysis/layerphase.h"

#include <algorithm>

namespace lockstep {

namespace {

/// What comes next on one stream, valid for one stretch between collectives.
struct Ahead {
    std::uint32_t stretch = 0;
    KernelRole role = KernelRole::None;
    bool selector = false;
};

bool decides(KernelRole role) {
    return role == KernelRole::Gemm || role == KernelRole::ExpertGemm || role == KernelRole::Attention ||
           role == KernelRole::Norm;
}

/// Walks backwards and notes for each activity what decides next: on its own stream, else on any.
void lookAhead(std::span<const KernelRole> roles, std::span<const std::uint32_t> streams,
               std::span<const std::uint32_t> steps, std::size_t streamCount, std::vector<LayerPhase>& phases,
               std::vector<bool>& ownStream) {
    std::vector<Ahead> onStream(streamCount);
    std::uint32_t stretch = 1;
    Ahead any;
    for (std::size_t i = roles.size(); i-- > 0;) {
        if (i + 1 < roles.size() && steps[i] != steps[i + 1]) {
            ++stretch;
            any = {};
        }
        Ahead& own = onStream[streams[i]];
        if (own.stretch != stretch)
            own = {stretch, KernelRole::None, false};
        const bool useOwn = own.role != KernelRole::None;
        phases[i].next = useOwn ? own.role : any.role;
        phases[i].selectorFirst = useOwn ? own.selector : any.selector || own.selector;
        ownStream[i] = useOwn;
        const KernelRole role = roles[i];
        if (role == KernelRole::Collective) {
            ++stretch;
            any = {stretch, KernelRole::Collective, false};
        } else if (decides(role)) {
            const KernelRole as = role == KernelRole::ExpertGemm ? KernelRole::Gemm : role;
            own = {stretch, as, false};
            any = own;
        } else if (role == KernelRole::Router) {
            own = {stretch, KernelRole::Gemm, true};
            any = own;
        } else if (role == KernelRole::Selector) {
            own.selector = true;
            any.selector = true;
        }
    }
}

struct OpenPhase {
    bool open = false;
    bool gemmSeen = false;
    std::uint32_t id = LayerPhase::kNone;
};

/// Walks forwards and opens and closes MoE phases.
class PhaseWalk {
public:
    explicit PhaseWalk(std::size_t streamCount)
        : m_streams(streamCount) {}

    void closeAll() {
        for (const std::uint32_t stream : m_open)
            m_streams[stream].open = false;
        m_open.clear();
        m_everywhere = {};
    }
    /// A dispatch keeps phases open that have not computed yet.
    void closeThatComputed() {
        std::erase_if(m_open, [this](std::uint32_t stream) {
            m_streams[stream].open = !m_streams[stream].gemmSeen;
            return !m_streams[stream].open;
        });
        if (m_everywhere.gemmSeen)
            m_everywhere = {};
    }
    void close(std::uint32_t stream, bool onlyIfComputed) {
        OpenPhase& phase = m_streams[stream];
        if (phase.open && (phase.gemmSeen || !onlyIfComputed)) {
            phase.open = false;
            std::erase(m_open, stream);
        }
        if (m_everywhere.open && (m_everywhere.gemmSeen || !onlyIfComputed))
            m_everywhere = {};
    }
    void open(std::uint32_t stream, bool everywhere, std::uint32_t router) {
        OpenPhase& phase = m_streams[stream];
        if (!phase.open) {
            phase = {true, false, static_cast<std::uint32_t>(m_routers.size())};
            m_open.push_back(stream);
            m_routers.push_back(router);
            m_named.push_back(false);
        }
        phase.gemmSeen = false;
        m_everywhere = everywhere ? phase : m_everywhere;
    }
    /// The phase that an activity on `stream` is in, and what its GEMMs say about it.
    std::uint32_t enter(std::uint32_t stream, KernelRole role) {
        OpenPhase& phase = m_streams[stream].open ? m_streams[stream] : m_everywhere;
        if (!phase.open)
            return LayerPhase::kNone;
        if (role == KernelRole::Gemm || role == KernelRole::ExpertGemm)
            phase.gemmSeen = true;
        if (role == KernelRole::ExpertGemm)
            m_named[phase.id] = true;
        return phase.id;
    }
    [[nodiscard]] std::uint32_t routerOf(std::uint32_t id) const { return m_routers[id]; }
    [[nodiscard]] bool named(std::uint32_t id) const { return m_named[id]; }

private:
    std::vector<OpenPhase> m_streams;
    std::vector<std::uint32_t> m_open;
    OpenPhase m_everywhere; ///< of a router whose experts run on another stream
    std::vector<std::uint32_t> m_routers;
    std::vector<bool> m_named;
};

} // namespace

std::vector<LayerPhase> layerPhases(std::span<const KernelRole> roles, std::span<const std::uint32_t> streams,
                                    std::span<const std::uint32_t> steps) {
    std::vector<LayerPhase> phases(roles.size());
    if (roles.empty())
        return phases;
    const std::size_t streamCount = std::size_t{*std::max_element(streams.begin(), streams.end())} + 1;
    std::vector<bool> ownStream(roles.size());
    lookAhead(roles, streams, steps, streamCount, phases, ownStream);

    PhaseWalk walk(streamCount);
    std::vector<KernelRole> before(streamCount, KernelRole::None);
    std::vector<std::uint32_t> phaseOf(roles.size(), LayerPhase::kNone);
    for (std::uint32_t i = 0; i < roles.size(); ++i) {
        if (i > 0 && steps[i] != steps[i - 1])
            walk.closeAll();
        const KernelRole role = roles[i];
        const std::uint32_t stream = streams[i];
        if (role == KernelRole::Collective)
            walk.closeAll();
        else if (role == KernelRole::Gather || role == KernelRole::Exchange)
            walk.closeThatComputed();
        else if (role == KernelRole::Attention || role == KernelRole::Norm)
            walk.close(stream, role == KernelRole::Norm);
        phaseOf[i] = walk.enter(stream, role);
        phases[i].afterAttention = before[stream] == KernelRole::Attention;
        before[stream] = role;
        const bool routes = role == KernelRole::Router ||
                            (role == KernelRole::Selector && phases[i].next == KernelRole::Gemm);
        if (routes)
            walk.open(stream, !ownStream[i], i);
    }
    for (std::size_t i = 0; i < roles.size(); ++i) {
        if (phaseOf[i] == LayerPhase::kNone)
            continue;
        phases[i].moe = true;
        phases[i].moeGeneric = !walk.named(phaseOf[i]);
        phases[i].router = walk.routerOf(phaseOf[i]);
    }
    return phases;
}

} // namespace lockstep
