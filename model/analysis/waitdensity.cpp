#include "model/analysis/waitdensity.h"

#include "model/analysis/runanalysis.h"

#include <algorithm>
#include <cmath>

namespace lockstep {

namespace {

/// Adds a stretch of time, in columns from the left, to each column that it touches.
void spread(double begin, double end, std::vector<double>& into) {
    begin = std::max(begin, 0.0);
    end = std::min(end, static_cast<double>(into.size()));
    while (begin < end) {
        const double edge = std::min(std::floor(begin) + 1, end);
        into[static_cast<std::size_t>(begin)] += edge - begin;
        begin = edge;
    }
}

} // namespace

std::vector<double> waitDensity(const RunAnalysis& analysis, TimeRange range, int columns) {
    std::vector<double> density(static_cast<std::size_t>(std::max(columns, 0)));
    const std::size_t ranks = analysis.stalls.ranks.size();
    if (density.empty() || range.empty() || ranks == 0)
        return density;
    const double perNs = columns / static_cast<double>(range.length());
    for (std::size_t stall = 0; stall < analysis.stalls.stalls.size(); ++stall)
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            const RankWait& wait = analysis.stalls.waitOf(stall, rank);
            if (!wait.member() || wait.waitNs <= 0)
                continue;
            const double begin = static_cast<double>(wait.arrivalNs - range.begin) * perNs;
            spread(begin, begin + static_cast<double>(wait.waitNs) * perNs, density);
        }
    for (double& share : density)
        share /= static_cast<double>(ranks);
    return density;
}

} // namespace lockstep
