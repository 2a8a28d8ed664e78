#pragma once

#include "model/run/runloader.h"
#include "tests/support/runbuilder.h"
#include "views/common/shownrun.h"

namespace lockstep::test {

/// Two ranks, four steps, analysed; in step 2 rank 1 comes 200 µs late, in step 1 rank 0 150 µs.
inline std::shared_ptr<const ShownRun> stalledRun() {
    using namespace std::chrono_literals;
    const TemporaryFolder folder;
    RunBuilder run(2);
    for (int step = 0; step < 4; ++step)
        run.step(step, "execute_context_0(0)_generation_1(1)")
            .compute("gemm", 20us)
            .allReduce({{1, step == 2 ? 200us : 1us}}, 10us)
            .compute("gemm", 20us)
            .allReduce({{0, step == 1 ? 150us : 1us}}, 10us);
    const auto loaded = loadRun(run.writeTo(folder));
    const auto shown = showRun(loaded.value());
    return withAnalysis(*shown, analyseRun(shown->run));
}

} // namespace lockstep::test
