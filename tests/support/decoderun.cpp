#include "tests/support/decoderun.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace lockstep::test {

namespace {

constexpr TimeNs kStart = 1'795'968'932'000'000'000;
constexpr TimeNs kTransfer = 7'000;

/// Lays the kernels of all ranks on one true clock, and writes each down as its rank's clock shows it.
class DecodeWriter {
public:
    explicit DecodeWriter(const DecodeRunOptions& options)
        : m_options(options)
        , m_run(options.ranks)
        , m_random(options.seed)
        , m_now(options.ranks, kStart)
        , m_correlation(options.ranks, 0) {
        for (std::size_t rank = 0; rank < options.ranks; ++rank)
            m_run.baseTime(rank, 1'790'857'026'000'000'000);
    }

    std::shared_ptr<const Run> write() {
        for (std::size_t step = 0; step < m_options.steps; ++step)
            writeStep(step);
        return m_run.build();
    }

private:
    TimeNs jitter(TimeNs most) {
        return most == 0 ? 0 : std::uniform_int_distribution<TimeNs>(0, most)(m_random);
    }

    [[nodiscard]] TimeNs shown(std::size_t rank, TimeNs t) const {
        const TimeNs offset = m_options.clockOffsetNs.empty() ? 0 : m_options.clockOffsetNs[rank];
        const double drift = m_options.clockDriftPpm.empty() ? 0 : m_options.clockDriftPpm[rank];
        return t + offset + std::llround(static_cast<double>(t - kStart) * drift * 1e-6);
    }

    void put(std::size_t rank, std::string_view name, TimeNs begin, TimeNs end) {
        const TimeNs from = shown(rank, begin);
        const TimeNs length = shown(rank, end) - from;
        if (name.starts_with("Memcpy"))
            m_run.copy(rank, name, from, length);
        else if (m_options.graphs && m_inGraph)
            m_run.graphKernel(rank, name, from, length, m_correlation[rank]);
        else
            m_run.kernel(rank, name, from, length, 3'000);
    }

    void compute(std::size_t rank, std::string_view name, TimeNs duration) {
        const TimeNs begin = m_now[rank] + 400;
        const TimeNs end = begin + duration + jitter(m_options.jitterNs);
        put(rank, name, begin, end);
        m_now[rank] = end;
    }

    void stall(std::size_t step, std::size_t collective) {
        for (const InjectedStall& stall : m_options.stalls) {
            if (stall.step != step || stall.collective != collective)
                continue;
            TimeNs& now = m_now[stall.rank];
            if (stall.cause == InjectedCause::Kernel)
                put(stall.rank, "spin_kernel(long)", now + 400, now + 400 + stall.late);
            else if (stall.cause == InjectedCause::Copy)
                put(stall.rank, "Memcpy HtoD (Pageable -> Device)", now + 400, now + 400 + stall.late);
            now += stall.late + (stall.cause == InjectedCause::Host ? 0 : 400);
        }
    }

    void collective(std::size_t step, std::size_t number) {
        stall(step, number);
        TimeNs last = 0;
        std::vector<TimeNs> arrivals;
        for (TimeNs& now : m_now) {
            arrivals.push_back(now + 400 + jitter(m_options.jitterNs));
            last = std::max(last, arrivals.back());
        }
        for (std::size_t rank = 0; rank < m_now.size(); ++rank) {
            m_now[rank] = last + kTransfer + jitter(m_options.endJitterNs);
            put(rank, m_options.collective, arrivals[rank], m_now[rank]);
        }
    }

    void writeStep(std::size_t step) {
        std::vector<TimeNs> launch;
        for (std::size_t rank = 0; rank < m_now.size(); ++rank) {
            m_now[rank] += 120'000 + jitter(4'000);
            launch.push_back(shown(rank, m_now[rank] - 30'000));
            if (m_options.graphs)
                m_correlation[rank] = m_run.call(rank, "cudaGraphLaunch", launch.back() + 1'000, 20'000);
            m_inGraph = true;
        }
        std::size_t number = 0;
        for (std::size_t layer = 0; layer < m_options.layers; ++layer) {
            each([&](std::size_t rank) {
                compute(rank, "vectorized_layer_norm_kernel", 6'000);
                compute(rank, "nvjet_sm90_qkv", 9'000);
                compute(rank, "flash_fwd_splitkv_kernel<bf16>", 14'000);
                compute(rank, "nvjet_sm90_out", 8'000);
            });
            collective(step, number++);
            each([&](std::size_t rank) {
                compute(rank, "vectorized_layer_norm_kernel", 6'000);
                compute(rank, "void marlin_moe_wna16::Marlin<1>", 30'000);
                compute(rank, "moe_sum_kernel", 3'000);
            });
            collective(step, number++);
        }
        each([&](std::size_t rank) {
            compute(rank, "nvjet_sm90_lm_head", 40'000);
            compute(rank, "sample_argmax_kernel", 5'000);
        });
        m_inGraph = false;
        for (std::size_t rank = 0; rank < m_now.size(); ++rank)
            if (m_options.markers)
                m_run.annotation(rank, "execute_context_0(0)_generation_4(4)", launch[rank] - 5'000,
                                 shown(rank, m_now[rank]) - launch[rank]);
    }

    template <class Work>
    void each(Work&& work) {
        for (std::size_t rank = 0; rank < m_now.size(); ++rank)
            work(rank);
    }

    const DecodeRunOptions& m_options;
    MemoryRun m_run;
    std::mt19937 m_random;
    std::vector<TimeNs> m_now; ///< true time at which each rank's work so far ends
    std::vector<std::uint32_t> m_correlation;
    bool m_inGraph = false;
};

} // namespace

std::shared_ptr<const Run> decodeRun(const DecodeRunOptions& options) {
    return DecodeWriter(options).write();
}

} // namespace lockstep::test
