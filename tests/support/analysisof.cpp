#include "tests/support/analysisof.h"

#include "model/run/runloader.h"

#include <filesystem>

#include <fmt/format.h>

namespace lockstep::test {

std::string sharedCaptures(const std::string& folder) {
    const std::string path = std::string(LOCKSTEP_SHARED) + "/data/" + folder;
    return std::filesystem::is_directory(path) ? path : std::string();
}

std::shared_ptr<const Run> loadSet(const std::string& folder, const std::string& set) {
    std::vector<std::string> files;
    for (int rank = 0; rank < 64; ++rank) {
        const std::string file = fmt::format("{}/{}-rank{}.pt.trace.json.gz", folder, set, rank);
        if (!std::filesystem::exists(file))
            break;
        files.push_back(file);
    }
    if (files.empty())
        return nullptr;
    const auto run = loadRun(files);
    return run ? *run : nullptr;
}

std::vector<StepOutline> outlineOf(const StepTable& steps) {
    std::vector<StepOutline> outline;
    for (const Step& step : steps.steps) {
        StepOutline& one = outline.emplace_back();
        for (const RankStep& rank : step.ranks) {
            one.begins.push_back(rank.present ? rank.range.begin : -1);
            one.ends.push_back(rank.present ? rank.range.end : -1);
            one.kernels.push_back(rank.kernels);
        }
    }
    return outline;
}

std::vector<TimeNs> waitsOf(const RunAnalysis& analysis) {
    std::vector<TimeNs> waits;
    for (const RankStalls& rank : analysis.stalls.ranks)
        waits.push_back(rank.waitedNs);
    return waits;
}

} // namespace lockstep::test
