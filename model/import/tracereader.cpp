#include "model/import/tracereader.h"

#include "model/import/loadprogress.h"
#include "model/import/ranksplitter.h"
#include "model/import/tracestream.h"

#include <chrono>

namespace lockstep {

namespace {

/// Sets what the content says of the rank.
RankTrace ranked(RankTrace trace) {
    if (trace.rank < 0 && trace.header.distributed && trace.header.distributed->rank) {
        trace.rank = *trace.header.distributed->rank;
        trace.rankSource = RankSource::Content;
    }
    return trace;
}

/// Reports how far a file has been read, to whoever asked.
class Reporting {
public:
    Reporting(const ReadOptions& options, const TraceHeader& header, const RankSplitter& splitter)
        : m_options(options)
        , m_header(header)
        , m_splitter(splitter) {}

    void operator()(const StreamState& state) {
        if (FileProgress* progress = m_options.progress) {
            progress->bytesRead = state.bytesRead;
            progress->jsonBytes = state.jsonBytes;
            progress->events = m_splitter.eventCount();
        }
        if (!m_options.onPartial)
            return;
        // First soon, then each time that twice as much has come: all copies together cost no more than one
        // whole.
        const auto now = std::chrono::steady_clock::now();
        const bool due = now - m_lastPartial > std::chrono::milliseconds(m_partialBytes == 0 ? 50 : 200);
        if (!due || !state.sawEvents || state.jsonBytes < 2 * m_partialBytes)
            return;
        m_partialBytes = state.jsonBytes;
        ImportReport soFar = state.report;
        soFar.jsonBytes = state.jsonBytes;
        if (auto trace = m_splitter.soFar(m_header, std::move(soFar)))
            m_options.onPartial(std::make_shared<const RankTrace>(ranked(std::move(*trace))));
        m_lastPartial = std::chrono::steady_clock::now();
    }

private:
    const ReadOptions& m_options;
    const TraceHeader& m_header;
    const RankSplitter& m_splitter;
    std::chrono::steady_clock::time_point m_lastPartial = std::chrono::steady_clock::now();
    std::uint64_t m_partialBytes = 0;
};

} // namespace

Result<std::vector<RankTrace>> readRanks(const std::string& path, const ReadOptions& options) {
    TraceHeader header;
    RankSplitter splitter(header);
    Reporting reporting(options, header, splitter);
    StreamOptions stream;
    stream.windowBytes = options.windowBytes;
    stream.maxEventBytes = options.maxEventBytes;
    stream.stop = options.stop;
    stream.onWindow = [&](const StreamState& state) {
        reporting(state);
    };
    auto report = streamTrace(path, stream, header, splitter);
    if (!report)
        return make_unexpected(report.error());
    std::vector<RankTrace> traces = std::move(splitter).finish(header, *report);
    for (RankTrace& trace : traces)
        trace = ranked(std::move(trace));
    return traces;
}

Result<RankTrace> readTrace(const std::string& path, const ReadOptions& options) {
    auto traces = readRanks(path, options);
    if (!traces)
        return make_unexpected(traces.error());
    return std::move(traces->front());
}

} // namespace lockstep
