#include "model/import/servingresult.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

namespace lockstep {

namespace {

using nlohmann::json;

/// A finite number under one of `keys`; numbers in quotes count ("inf" does not).
std::optional<double> number(const json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
        const auto found = object.find(key);
        if (found == object.end())
            continue;
        double value = std::numeric_limits<double>::quiet_NaN();
        if (found->is_number()) {
            value = found->get<double>();
        } else if (found->is_string()) {
            const auto& text = found->get_ref<const std::string&>();
            char* end = nullptr;
            const double parsed = std::strtod(text.c_str(), &end);
            if (end != text.c_str() && *end == '\0')
                value = parsed;
        }
        if (std::isfinite(value))
            return value;
    }
    return std::nullopt;
}

/// A positive time under one of `keys`: benchmarks write 0, or less, where nothing was measured.
std::optional<double> time(const json& object, std::initializer_list<const char*> keys) {
    const std::optional<double> value = number(object, keys);
    return value && *value > 0 ? value : std::nullopt;
}

std::string text(const json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto found = object.find(key); found != object.end() && found->is_string())
            return found->get<std::string>();
    return {};
}

ServingResult resultOf(const json& object) {
    ServingResult result;
    result.backend = text(object, {"backend", "endpoint_type"});
    result.model = text(object, {"model_id", "model", "model_name", "tokenizer_id"});
    result.maxConcurrency = number(object, {"max_concurrency"});
    result.requestRate = number(object, {"request_rate"});
    result.completed = number(object, {"completed"});
    result.durationSeconds = time(object, {"duration"});
    result.meanTpotMs = time(object, {"mean_tpot_ms"});
    result.medianTpotMs = time(object, {"median_tpot_ms", "p50_tpot_ms"});
    result.p99TpotMs = time(object, {"p99_tpot_ms"});
    result.meanItlMs = time(object, {"mean_itl_ms"});
    result.medianItlMs = time(object, {"median_itl_ms", "p50_itl_ms"});
    result.p99ItlMs = time(object, {"p99_itl_ms"});
    result.meanTtftMs = time(object, {"mean_ttft_ms"});
    result.medianTtftMs = time(object, {"median_ttft_ms", "p50_ttft_ms"});
    result.p99TtftMs = time(object, {"p99_ttft_ms"});
    result.outputThroughput = time(object, {"output_throughput"});
    return result;
}

void collect(const json& document, std::vector<ServingResult>& results) {
    if (document.is_array()) {
        for (const json& item : document)
            if (item.is_object())
                collect(item, results);
        return;
    }
    if (!document.is_object())
        return;
    ServingResult result = resultOf(document);
    if (result.tpotMs())
        results.push_back(std::move(result));
}

} // namespace

std::optional<double> ServingResult::tpotMs() const {
    if (medianTpotMs)
        return medianTpotMs;
    return meanTpotMs ? meanTpotMs : medianItlMs;
}

std::string_view ServingResult::tpotSource() const {
    if (medianTpotMs)
        return "median time per output token";
    return meanTpotMs ? "mean time per output token" : "median inter-token latency";
}

Result<std::vector<ServingResult>> parseServingResults(std::string_view text, const std::string& file) {
    std::vector<ServingResult> results;
    if (const json whole = json::parse(text, nullptr, false); !whole.is_discarded()) {
        collect(whole, results);
    } else {
        // One object a line; lines that are none (a log's, a cut last one) are passed over.
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            if (const json line = json::parse(text.substr(0, end), nullptr, false); !line.is_discarded())
                collect(line, results);
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }
    if (results.empty())
        return make_unexpected(Error{
            ErrorCode::NotATrace,
            file,
            {},
            "holds no serving benchmark result: no object with mean_tpot_ms or median_tpot_ms; write it "
            "with vllm bench serve --save-result or sglang.bench_serving --output-file"});
    return results;
}

Result<std::vector<ServingResult>> readServingResults(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
        return make_unexpected(Error{ErrorCode::FileNotFound, file, {}, "cannot be read; check the path"});
    return parseServingResults(std::string(std::istreambuf_iterator<char>(stream), {}), file);
}

const ServingResult& servingResultFor(const std::vector<ServingResult>& results, double concurrency) {
    const ServingResult* best = &results.front();
    double bestDistance = std::numeric_limits<double>::infinity();
    for (const ServingResult& result : results) {
        if (!result.maxConcurrency || *result.maxConcurrency <= 0)
            continue;
        const double distance = std::abs(std::log(*result.maxConcurrency / std::max(concurrency, 1.0)));
        if (distance < bestDistance) {
            best = &result;
            bestDistance = distance;
        }
    }
    return *best;
}

} // namespace lockstep
