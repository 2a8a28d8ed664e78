#include "model/run/markercycle.h"

#include <algorithm>

namespace lockstep {

namespace {

constexpr std::size_t kLongestCycle = 16;
constexpr std::size_t kRounds = 3; ///< fewer repetitions may be chance

std::size_t equalAt(std::span<const std::uint64_t> signatures, std::size_t distance) {
    std::size_t equal = 0;
    for (std::size_t i = 0; i + distance < signatures.size(); ++i)
        equal += signatures[i] == signatures[i + distance] ? 1 : 0;
    return equal;
}

} // namespace

MarkerCycle findMarkerCycle(std::span<const std::uint64_t> signatures, std::span<const TimeNs> gaps) {
    MarkerCycle cycle;
    for (std::size_t length = 1; length <= kLongestCycle && length * kRounds <= signatures.size(); ++length) {
        const std::size_t pairs = signatures.size() - length;
        if (equalAt(signatures, length) * 10 < pairs * 9)
            continue;
        cycle.length = length;
        break;
    }
    if (cycle.length == 1)
        return cycle;
    TimeNs longest = -1;
    for (std::size_t phase = 0; phase < cycle.length; ++phase) {
        TimeNs sum = 0;
        TimeNs count = 0;
        for (std::size_t i = phase; i < gaps.size(); i += cycle.length) {
            sum += i > 0 ? gaps[i] : 0;
            count += i > 0 ? 1 : 0;
        }
        if (count > 0 && sum / count > longest) {
            longest = sum / count;
            cycle.first = phase;
        }
    }
    return cycle;
}

} // namespace lockstep
