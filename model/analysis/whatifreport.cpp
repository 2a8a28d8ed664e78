#include "model/analysis/whatif.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

using nlohmann::ordered_json;

ordered_json orNull(const std::optional<double>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json projectionJson(const Projection& projection) {
    return {{"saved_ms", projection.savedMs},
            {"tpot_ms", projection.tpotMs},
            {"saved_percent", projection.percent}};
}

std::string projectionText(std::string_view name, const Projection& projection) {
    return fmt::format("  {:<15} {:>8.2f} ms saved, {:>5.1f} %: {:.2f} ms a token\n", name,
                       projection.savedMs, projection.percent, projection.tpotMs);
}

} // namespace

ordered_json whatIfJson(const WhatIfResult& result) {
    ordered_json lines = ordered_json::array();
    for (const WhatIfLine& line : result.lines)
        lines.push_back({{"name", line.name},
                         {"arithmetic", line.arithmetic},
                         {"calls_per_step", line.callsPerStep},
                         {"from_us", line.fromUs},
                         {"transfer_us", line.transferUs},
                         {"to_us", line.toUs},
                         {"naive_ms", line.naiveMs},
                         {"transfer_only_ms", line.transferOnlyMs},
                         {"break_even_us", orNull(line.breakEvenUs)},
                         {"transfer_break_even_us", orNull(line.transferBreakEvenUs)},
                         {"remark", line.remark}});
    ordered_json replayed = projectionJson(result.replayed);
    replayed["replay_error_percent"] = result.replayErrorPercent;
    replayed["break_even_us"] = orNull(result.replayBreakEvenUs);
    return {{"schema", "lockstep.whatif/1"},
            {"steps", result.steps},
            {"period_ms", result.periodMs},
            {"wall_ms", result.wallMs},
            {"baseline_ms", result.baselineMs},
            {"baseline_source", result.baselineSource},
            {"lines", lines},
            {"naive", projectionJson(result.naive)},
            {"transfer_only", projectionJson(result.transferOnly)},
            {"resimulated", replayed},
            {"resimulated_without_host", projectionJson(result.replayedWithoutHost)},
            {"bounds", {{"saved_low_ms", result.savedLowMs}, {"saved_high_ms", result.savedHighMs}}},
            {"notes", result.notes}};
}

std::string whatIfText(const WhatIfResult& result) {
    std::string text = fmt::format("What if, over {} steps; a step takes {:.2f} ms ({})\n", result.steps,
                                   result.baselineMs, result.baselineSource);
    for (const WhatIfLine& line : result.lines) {
        text += fmt::format("  {}\n    {}\n", line.name, line.arithmetic);
        if (line.transferUs > 0)
            text += fmt::format("    of a call's {:.1f} µs, {:.1f} µs move data: transfer-only {:.2f} ms\n",
                                line.fromUs, line.transferUs, line.transferOnlyMs);
        if (line.breakEvenUs && line.transferBreakEvenUs)
            text += fmt::format("    breaks even at {:.1f} µs a call, transfer-only at {:.1f} µs\n",
                                *line.breakEvenUs, *line.transferBreakEvenUs);
        if (!line.remark.empty())
            text += "    " + line.remark + "\n";
    }
    text += projectionText("naive", result.naive);
    text += projectionText("transfer-only", result.transferOnly);
    text += projectionText("re-simulated", result.replayed);
    text += projectionText("  host no limit", result.replayedWithoutHost);
    text += fmt::format("  bounds: {:.2f} to {:.2f} ms saved; an unchanged replay differs from the measured "
                        "wall time by {:+.1f} %\n",
                        result.savedLowMs, result.savedHighMs, result.replayErrorPercent);
    if (result.replayBreakEvenUs)
        text += fmt::format("  re-simulated{}, the replacement breaks even at {:.1f} µs a call\n",
                            result.lines.size() > 1 ? " with the other changes made" : "",
                            *result.replayBreakEvenUs);
    for (const std::string& note : result.notes)
        text += "  " + note + "\n";
    return text;
}

} // namespace lockstep
