#include "model/report/mergedtrace.h"

#include "model/import/mergedids.h"
#include "model/import/mergedlayout.h"
#include "model/import/tracestream.h"
#include "model/report/mergedevent.h"
#include "model/synthetic/tracefile.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace lockstep {

namespace {

constexpr std::size_t kFlushBytes = 1024 * 1024;
constexpr int kWaitThread = 999'999;

std::string fileName(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string jsonText(std::string_view text) {
    return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Compression compressionOf(const std::string& path) {
    return path.ends_with(".gz")                               ? Compression::Gzip
           : path.ends_with(".zst") || path.ends_with(".zstd") ? Compression::Zstd
                                                               : Compression::None;
}

/// Writes one merged trace from its first byte to its last.
class Merger final : public EventSink {
public:
    Merger(const RunAnalysis& analysis, TraceFile file)
        : m_analysis(analysis)
        , m_run(*analysis.run)
        , m_file(std::move(file)) {}

    Result<MergedTrace> write(const std::stop_token& stop);
    void event(const ParsedEvent& event) override;

private:
    void layOut();
    void writeHeader();
    void nameProcesses();
    void writeWaits();
    void writeWait(std::size_t stall, std::size_t rank);
    void writeStall(std::size_t stall);
    const std::string& pidOf(std::string_view own);
    [[nodiscard]] std::string gpuPidOf(std::size_t rank) const;
    void separate();
    void flush();

    const RunAnalysis& m_analysis;
    const Run& m_run;
    TraceFile m_file;
    MergedLayout m_layout;
    std::vector<std::map<std::string, std::string, std::less<>>> m_pids; ///< own → merged, by rank
    std::size_t m_part = 0;                                              ///< the rank that is being read
    std::string m_text;
    bool m_first = true;
    MergedTrace m_merged;
};

/// The merged file begins at the earliest event that belongs to the capture, so that times are small and
/// viewers that keep them as doubles lose nothing.
void Merger::layOut() {
    TimeNs earliest = std::numeric_limits<TimeNs>::max();
    for (std::size_t i = 0; i < m_run.ranks.size(); ++i) {
        const RankTrace& trace = m_run.ranks[i];
        MergedRank rank;
        rank.rank = trace.rank;
        rank.source = trace.rankSource;
        rank.file = fileName(trace.report.file);
        rank.clock = m_analysis.alignment.ranks[i];
        rank.header = trace.header;
        auto& pids = m_pids.emplace_back();
        for (const Track& track : trace.tracks)
            if (const auto [pid, isNew] = pids.try_emplace(track.pid, mergedPid(i, pids.size())); isNew)
                rank.pids.emplace(pid->second, track.pid);
        const TimeRange span = trace.span();
        TimeNs begin = span.begin;
        // CPU work comes before the GPU's; what lies further off than the capture is long is no real time.
        for (const Lane& lane : trace.lanes)
            for (std::size_t at = lane.beginIndex(); at < lane.endIndex(); ++at)
                if (const TimeNs other = trace.events.begins()[at]; other > span.begin - 60'000'000'000) {
                    begin = std::min(begin, other);
                    break;
                }
        earliest = std::min(earliest, rank.clock.toRunTime(begin));
        m_layout.ranks.push_back(std::move(rank));
    }
    m_layout.baseNs = earliest;
}

void Merger::writeHeader() {
    m_text = fmt::format("{{\n\"schemaVersion\": 1,\n\"{}\": {},\n\"baseTimeNanoseconds\": {},\n"
                         "\"displayTimeUnit\": \"ms\",\n\"traceEvents\": [\n",
                         kMergedKey, toJson(m_layout), m_layout.baseNs);
}

void Merger::nameProcesses() {
    for (std::size_t rank = 0; rank < m_run.ranks.size(); ++rank) {
        std::set<std::string> named;
        std::size_t place = 0;
        for (const Track& track : m_run.ranks[rank].tracks) {
            if (!named.insert(track.pid).second)
                continue;
            const std::string& pid = m_pids[rank].find(track.pid)->second;
            const std::string own = track.processName.empty() ? track.pid : track.processName;
            const std::string gpu = track.kind == TrackKind::GpuStream ? " GPU" : "";
            separate();
            m_text += fmt::format(R"({{"ph":"M","cat":"{}","name":"process_name","pid":{},"tid":0,"ts":0,)"
                                  R"("args":{{"name":{}}}}})",
                                  kMergedCategory, pid,
                                  jsonText(fmt::format("rank {}{} {}", m_run.ranks[rank].rank, gpu, own)));
            separate();
            m_text += fmt::format(R"({{"ph":"M","cat":"{}","name":"process_sort_index","pid":{},"tid":0,)"
                                  R"("ts":0,"args":{{"sort_index":{}}}}})",
                                  kMergedCategory, pid, rank * 1000 + place++);
        }
        separate();
        m_text += fmt::format(R"({{"ph":"M","cat":"{}","name":"thread_name","pid":{},"tid":{},"ts":0,)"
                              R"("args":{{"name":"waiting for the last rank"}}}})",
                              kMergedCategory, gpuPidOf(rank), kWaitThread);
    }
}

const std::string& Merger::pidOf(std::string_view own) {
    auto& pids = m_pids[m_part];
    const auto found = pids.find(own);
    return found != pids.end() ? found->second
                               : pids.emplace(std::string(own), mergedPid(m_part, pids.size())).first->second;
}

std::string Merger::gpuPidOf(std::size_t rank) const {
    for (const Track& track : m_run.ranks[rank].tracks)
        if (track.kind == TrackKind::GpuStream)
            return m_pids[rank].find(track.pid)->second;
    return mergedPid(rank, m_pids[rank].size());
}

void Merger::separate() {
    if (!m_first)
        m_text += ",\n";
    m_first = false;
    if (m_text.size() >= kFlushBytes)
        flush();
}

void Merger::flush() {
    m_file.write(m_text);
    m_text.clear();
}

void Merger::event(const ParsedEvent& event) {
    EventChanges changes;
    changes.part = m_part;
    changes.pid = pidOf(event.pid);
    changes.time = event.time.empty() ? std::string() : m_layout.mergedTime(event.time, m_part);
    if (changes.time == event.time)
        changes.time.clear();
    if (event.phase == "M" && (event.name == "process_name" || event.name == "process_sort_index"))
        changes.name = fmt::format("\"{}{}\"", kMergedOriginal, event.name);
    separate();
    appendMergedEvent(event.text, changes, m_text);
    ++m_merged.events;
}

void Merger::writeWait(std::size_t stall, std::size_t rank) {
    const RankWait& wait = m_analysis.stalls.waitOf(stall, rank);
    if (!wait.member() || wait.waitNs <= 0)
        return;
    const Collective& collective = m_analysis.collectives.matched[stall];
    const TimeNs at = wait.arrivalNs - m_layout.baseNs;
    separate();
    m_text += fmt::format(
        R"({{"ph":"X","cat":"{}","name":"waiting for rank {}","pid":{},"tid":{},"ts":{}.{:03},"dur":{}.{:03},)"
        R"("args":{{"collective":{},"ordinal":{}}}}})",
        kMergedCategory, m_run.ranks[m_analysis.stalls.stalls[stall].straggler].rank, gpuPidOf(rank),
        kWaitThread, at / 1000, at % 1000, wait.waitNs / 1000, wait.waitNs % 1000,
        jsonText(nameOf(m_analysis.collectives.groups[collective.group].kind)), collective.ordinal);
    ++m_merged.waits;
}

/// Where the last rank arrived, with how long the first had waited by then.
void Merger::writeStall(std::size_t index) {
    const Stall& stall = m_analysis.stalls.stalls[index];
    const Collective& collective = m_analysis.collectives.matched[index];
    const TimeNs at = stall.beginNs + stall.skewNs - m_layout.baseNs;
    const std::string step =
        collective.step == RankActivities::kNone ? "null" : std::to_string(collective.step);
    separate();
    m_text += fmt::format(
        R"({{"ph":"i","s":"t","cat":"{}","name":"rank {} arrives last, {:.1f} µs behind the first","pid":{},)"
        R"("tid":{},"ts":{}.{:03},"args":{{"collective":{},"ordinal":{},"step":{},"head transient":{}}}}})",
        kMergedCategory, m_run.ranks[stall.straggler].rank, static_cast<double>(stall.skewNs) / 1e3,
        gpuPidOf(stall.straggler), kWaitThread, at / 1000, at % 1000,
        jsonText(nameOf(m_analysis.collectives.groups[collective.group].kind)), collective.ordinal, step,
        stall.headTransient);
    ++m_merged.stalls;
}

void Merger::writeWaits() {
    for (std::size_t stall = 0; stall < m_analysis.stalls.stalls.size(); ++stall) {
        for (std::size_t rank = 0; rank < m_run.ranks.size(); ++rank)
            writeWait(stall, rank);
        // What the alignment cannot tell from noise is no stall.
        if (static_cast<double>(m_analysis.stalls.stalls[stall].skewNs) >
            std::max(m_analysis.alignment.residualP99Ns, 1000.0))
            writeStall(stall);
    }
}

Result<MergedTrace> Merger::write(const std::stop_token& stop) {
    layOut();
    writeHeader();
    nameProcesses();
    for (m_part = 0; m_part < m_run.ranks.size(); ++m_part) {
        StreamOptions options;
        options.keepText = true;
        options.stop = stop;
        TraceHeader header;
        if (auto report = streamTrace(m_run.ranks[m_part].report.file, options, header, *this); !report)
            return make_unexpected(report.error());
    }
    writeWaits();
    m_text += "\n]\n}\n";
    flush();
    m_merged.bytes = m_file.textBytes();
    if (auto finished = m_file.finish(); !finished)
        return make_unexpected(finished.error());
    return m_merged;
}

} // namespace

Result<MergedTrace> writeMergedTrace(const RunAnalysis& analysis, const std::string& path,
                                     std::stop_token stop) {
    std::set<std::string> files;
    std::error_code code;
    for (const RankTrace& rank : analysis.run->ranks) {
        if (!files.insert(rank.report.file).second)
            return make_unexpected(Error{ErrorCode::BadArgument,
                                         rank.report.file,
                                         {},
                                         "holds several ranks already: merge needs one file a rank"});
        if (std::filesystem::equivalent(path, rank.report.file, code))
            return make_unexpected(
                Error{ErrorCode::BadArgument, path, {}, "is one of the run's own files: give another name"});
    }
    auto file = TraceFile::create(path, compressionOf(path));
    if (!file)
        return make_unexpected(file.error());
    return Merger(analysis, std::move(*file)).write(stop);
}

} // namespace lockstep
