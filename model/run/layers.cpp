#include "model/run/layers.h"

#include "model/run/run.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace lockstep {

namespace {

constexpr std::uint16_t kNoLayer = RankActivities::kNoLayer;
constexpr std::size_t kApart =
    4; ///< other kernels between the attention of two layers where nothing else parts them

/// The activities of one step, by name.
class StepSequence {
public:
    StepSequence(const RankView& view, std::span<const std::uint32_t> step)
        : m_view(view)
        , m_step(step) {}

    [[nodiscard]] std::size_t size() const { return m_step.size(); }
    [[nodiscard]] StringId name(std::size_t place) const { return m_view.name(m_step[place]); }
    [[nodiscard]] bool kernel(std::size_t place) const { return m_view.kernel(m_step[place]); }
    [[nodiscard]] bool attention(std::size_t place) const {
        return kernel(place) && m_view.names.attention(name(place));
    }
    [[nodiscard]] bool communication(std::size_t place) const {
        return kernel(place) && m_view.names.communication(name(place));
    }

private:
    const RankView& m_view;
    std::span<const std::uint32_t> m_step;
};

/// The first attention kernel of each layer: collectives stand between layers, or at least some other work.
std::vector<std::size_t> attentionAnchors(const StepSequence& step) {
    std::size_t collectives = 0;
    std::size_t attentions = 0;
    for (std::size_t i = 0; i < step.size(); ++i) {
        collectives += step.communication(i) ? 1 : 0;
        attentions += step.attention(i) ? 1 : 0;
    }
    const bool parted = collectives * 2 >= attentions;
    std::vector<std::size_t> anchors;
    std::size_t since = kApart; // collectives, or other kernels, since the last attention kernel
    for (std::size_t i = 0; i < step.size(); ++i) {
        if (step.attention(i)) {
            if (since >= (parted ? 1 : kApart) || anchors.empty())
                anchors.push_back(i);
            since = 0;
        } else if (parted ? step.communication(i) : step.kernel(i)) {
            ++since;
        }
    }
    return anchors;
}

/// Without attention kernels: the first of the names whose number of occurrences most names share.
std::vector<std::size_t> repeatedAnchors(const StepSequence& step) {
    std::unordered_map<std::uint32_t, std::size_t> counts;
    for (std::size_t i = 0; i < step.size(); ++i)
        if (step.kernel(i))
            ++counts[step.name(i).value];
    std::map<std::size_t, std::size_t> namesWith;
    for (const auto& [name, count] : counts)
        if (count >= 2)
            ++namesWith[count];
    std::size_t layers = 0;
    std::size_t most = 1;
    for (const auto& [count, names] : namesWith)
        if (names > most) {
            most = names;
            layers = count;
        }
    std::vector<std::size_t> anchors;
    StringId anchor;
    for (std::size_t i = 0; i < step.size() && layers > 0; ++i) {
        if (!step.kernel(i) || counts[step.name(i).value] != layers)
            continue;
        if (!anchor.valid())
            anchor = step.name(i);
        if (step.name(i) == anchor)
            anchors.push_back(i);
    }
    return anchors;
}

/// How many activities before places `a` and `b` are the same, one by one.
std::size_t sameBefore(const StepSequence& step, std::size_t a, std::size_t b) {
    std::size_t same = 0;
    while (same < a && same < b && step.name(a - 1 - same) == step.name(b - 1 - same))
        ++same;
    return same;
}

/// How much of a layer comes before its attention: what stands before the first is like before some other.
std::size_t leadOf(const StepSequence& step, const std::vector<std::size_t>& anchors) {
    constexpr std::size_t kLooks = 8;
    std::size_t lead = 0;
    const std::size_t stride = std::max<std::size_t>(1, (anchors.size() - 1) / kLooks);
    for (std::size_t k = 1; k < anchors.size(); k += stride)
        lead = std::max(lead, sameBefore(step, anchors[0], anchors[k]));
    return lead;
}

std::vector<std::size_t> beginsOf(const StepSequence& step, const std::vector<std::size_t>& anchors) {
    const std::size_t lead = leadOf(step, anchors);
    std::vector<std::size_t> begins;
    begins.reserve(anchors.size());
    for (std::size_t k = 0; k < anchors.size(); ++k) {
        std::size_t begin = anchors[k] >= lead ? anchors[k] - lead : 0;
        // What a layer sends belongs to that layer, even if the next one's own begin is longer.
        const std::size_t before = k > 0 ? anchors[k - 1] + 1 : begin;
        for (std::size_t i = anchors[k]; k > 0 && i-- > std::max(begin, before);)
            if (step.communication(i)) {
                begin = i + 1;
                break;
            }
        begins.push_back(std::max(begin, k > 0 ? before : begin));
    }
    return begins;
}

} // namespace

std::vector<std::uint16_t> findLayers(const RankView& view, std::span<const std::uint32_t> activities) {
    const StepSequence step(view, activities);
    std::vector<std::uint16_t> layers(step.size(), kNoLayer);
    std::vector<std::size_t> anchors = attentionAnchors(step);
    if (anchors.empty())
        anchors = repeatedAnchors(step);
    if (anchors.empty())
        return layers;
    const std::vector<std::size_t> begins = beginsOf(step, anchors);
    std::size_t end = step.size();
    if (anchors.size() > 1) {
        // Past its last layer a step goes on with what no other layer holds: the head, sampling.
        const std::size_t length = begins.back() - anchors[anchors.size() - 2];
        end = std::min(end, anchors.back() + length);
    }
    for (std::size_t k = 0; k < begins.size(); ++k) {
        const std::size_t stop = k + 1 < begins.size() ? begins[k + 1] : end;
        const auto layer = static_cast<std::uint16_t>(std::min<std::size_t>(k, kNoLayer - 1));
        for (std::size_t i = begins[k]; i < stop; ++i)
            layers[i] = layer;
    }
    return layers;
}

} // namespace lockstep
