#include "tests/support/compression.h"
#include "tests/support/loading.h"
#include "tests/support/tracebuilder.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lockstep::test {
namespace {

using ::testing::HasSubstr;

/// Trace of `count` kernels named k0, k1 …, 10 µs apart from 10 µs on, and 5 µs long.
TraceBuilder kernels(int count) {
    TraceBuilder trace;
    for (int i = 0; i < count; ++i)
        trace.kernel("k" + std::to_string(i), (i + 1) * 10us, 5us);
    return trace;
}

/// A kernel whose name stands in the text as it is, escaped or not.
std::string kernelNamed(std::string_view nameText, std::string_view args = "\"stream\": 7") {
    return std::string(R"({"ph": "X", "cat": "kernel", "name": ")") + std::string(nameText) +
           R"(", "pid": 0, "tid": 7, "ts": 3.000, "dur": 4.000, "args": {)" + std::string(args) + "}}";
}

/// Loads `text` with windows from tiny to large, which must not change anything, and returns the rank.
RankTrace loadInAnyWindow(const std::string& text) {
    RankTrace rank = loadRank(text);
    const std::string expected = describe(rank);
    for (const std::size_t window : {256u, 300u, 1024u, 4096u, 65'536u})
        EXPECT_EQ(describe(loadRank(text, window)), expected) << "with windows of " << window << " bytes";
    return rank;
}

TEST(HostileText, GivesAllEventsBeforeACutAtAnyByte) {
    const std::string whole = kernels(6).text();
    const std::size_t list = whole.find("\"traceEvents\": [") + 16;
    const std::size_t listEnd = whole.rfind(']');
    for (std::size_t cut = list; cut <= listEnd; ++cut) {
        const std::string text = whole.substr(0, cut);
        std::size_t closed = 0;
        for (std::size_t at = text.find("\n  }", list); at != std::string::npos;
             at = text.find("\n  }", at + 1))
            ++closed;
        const auto run = loadBytes(text);
        if (closed == 0)
            continue; // nothing can be shown of it: an error, or an empty trace
        ASSERT_TRUE(run.has_value()) << "cut at " << cut << ": " << run.error().toLine();
        const RankTrace& rank = (*run)->ranks.at(0);
        ASSERT_EQ(rank.report.events, closed) << "cut at " << cut;
        ASSERT_TRUE(rank.report.truncated) << "cut at " << cut;
        ASSERT_EQ(rank.rank, 0);
    }
}

TEST(HostileText, SaysNothingOfACutWhereOnlyTheTrailerIsMissing) {
    const std::string whole = kernels(6).text();
    EXPECT_FALSE(loadRank(whole).report.truncated);
    EXPECT_EQ(loadRank(whole.substr(0, whole.rfind(']') + 1)).report.events, 6u);
}

TEST(HostileText, GivesWhatAHalfCompressedFileHolds) {
    const std::string text = kernels(20'000).text();
    for (const std::string& bytes : {gzip(text), gzip(text, 5), zstd(text), zstd(text, 5)}) {
        const RankTrace rank = loadRank(std::string_view(bytes).substr(0, bytes.size() / 2));
        EXPECT_TRUE(rank.report.truncated);
        EXPECT_GT(rank.report.events, 5'000u);
        EXPECT_LT(rank.report.events, 15'000u);
        EXPECT_FALSE(rank.report.warnings.empty());
        EXPECT_TRUE(findEvent(rank, "k4000").valid());
    }
}

TEST(HostileText, ReadsOnPastGarbageBehindAGzipMember) {
    const std::string text = kernels(50).text();
    const RankTrace rank = loadRank(gzip(text) + std::string(100, '\0'));
    EXPECT_EQ(rank.report.events, 50u);
    const RankTrace noise = loadRank(gzip(text) + "this is no gzip member at all");
    EXPECT_EQ(noise.report.events, 50u);
}

TEST(HostileText, GivesWhatStandsBeforeADamagedByteOfAGzipFile) {
    const std::string text = kernels(20'000).text();
    std::string bytes = gzip(text, 4);
    for (std::size_t i = 0; i < 40; ++i)
        bytes[bytes.size() * 7 / 8 + i] = '\x55';
    const RankTrace rank = loadRank(bytes);
    EXPECT_TRUE(rank.report.damaged());
    EXPECT_GT(rank.report.events, 14'000u);
}

TEST(HostileText, RepairsRawQuotesInNames) {
    TraceBuilder trace = kernels(3);
    trace.raw(kernelNamed(R"(void f<"a">(int))")).kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.report.repaired, 1u);
    EXPECT_EQ(rank.report.skipped, 0u);
    const EventId event = findEvent(rank, R"(void f<"a">(int))");
    ASSERT_TRUE(event.valid());
    EXPECT_EQ(rank.events.duration(event), 4'000);
    EXPECT_TRUE(findEvent(rank, "after").valid());
}

TEST(HostileText, RepairsRawQuotesInArguments) {
    TraceBuilder trace = kernels(2);
    trace.raw(kernelNamed("quoted", R"("Concrete Inputs": "[""sum"", ""]", "correlation": 9)"));
    trace.kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events + rank.report.skipped, 4u);
    EXPECT_TRUE(findEvent(rank, "after").valid());
}

TEST(HostileText, RepairsControlCharactersInNames) {
    TraceBuilder trace = kernels(3);
    trace
        .raw(kernelNamed("a\nb\tc\x01"
                         "d"))
        .kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.report.skipped, 0u);
    EXPECT_TRUE(findEvent(rank, "a b c d").valid() || findEvent(rank, "a\nb\tc\x01"
                                                                      "d")
                                                          .valid());
    EXPECT_TRUE(findEvent(rank, "after").valid());
}

TEST(HostileText, RepairsInvalidUtf8) {
    TraceBuilder trace = kernels(3);
    trace.raw(kernelNamed("bad \xff\xfe utf8 \xc3")).kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.report.skipped, 0u);
    EXPECT_TRUE(findEvent(rank, "after").valid());
    EXPECT_TRUE(findEvent(rank, "k2").valid());
}

TEST(HostileText, KeepsValidUtf8AndEscapes) {
    const RankTrace rank = loadInAnyWindow(kernels(1).raw(kernelNamed(R"(caf\u00e9 \"x\" \\ µs)")).text());
    EXPECT_EQ(rank.report.repaired, 0u);
    EXPECT_TRUE(findEvent(rank, "café \"x\" \\ µs").valid());
}

TEST(HostileText, SurvivesBareWordsAsArguments) {
    TraceBuilder trace = kernels(2);
    trace.raw(kernelNamed(
        "bare",
        R"args("stream": 7, "est. achieved occupancy %": nan, "memory bandwidth (GB/s)": inf, "x": N/A, "y": -inf, "correlation": 5)args"));
    ;
    trace.raw(kernelNamed("bare known", R"("bytes": N/A, "stream": nan, "correlation": 6)"));
    trace.kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.report.skipped, 0u);
    const EventId bare = findEvent(rank, "bare");
    ASSERT_TRUE(bare.valid());
    EXPECT_EQ(rank.events.correlation(bare), 5u);
    EXPECT_EQ(rank.streamOf(bare), 7);
    const EventId known = findEvent(rank, "bare known");
    ASSERT_TRUE(known.valid());
    EXPECT_EQ(rank.events.correlation(known), 6u);
}

TEST(HostileText, CountsEmptyEvents) {
    const RankTrace rank =
        loadInAnyWindow(kernels(2).raw("{}").kernel("after", 100us, 1us).raw("{ }").text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.report.byPhase.at("None"), 2u);
    EXPECT_EQ(rank.report.byPhase.at("X"), 3u);
    EXPECT_EQ(rank.report.skipped, 0u);
}

TEST(HostileText, ForgivesACommaTooMany) {
    std::string text = kernels(3).text();
    text.insert(text.rfind(']'), ",\n");
    const RankTrace rank = loadInAnyWindow(text);
    EXPECT_EQ(rank.report.events, 3u);
    EXPECT_EQ(rank.report.skipped, 0u);
    EXPECT_EQ(loadInAnyWindow("[" + kernelNamed("a") + "," + kernelNamed("b") + ",]").report.events, 2u);
    EXPECT_EQ(loadInAnyWindow("[" + kernelNamed("a") + ",," + kernelNamed("b") + "]").report.events, 2u);
    EXPECT_EQ(loadInAnyWindow(kernels(1).raw(kernelNamed("a", R"("stream": 7,)")).text()).report.events, 2u);
}

TEST(HostileText, ReadsAnArrayThatIsNeverClosed) {
    EXPECT_EQ(loadInAnyWindow("[" + kernelNamed("a") + ",\n" + kernelNamed("b")).report.events, 2u);
    EXPECT_EQ(loadInAnyWindow("[" + kernelNamed("a") + ",\n" + kernelNamed("b") + ",\n").report.events, 2u);
}

TEST(HostileText, TakesTheLastOfDuplicateKeys) {
    TraceBuilder trace;
    trace.header("vllm_version", "\"old\"").header("vllm_version", "\"new\"");
    trace.raw(
        R"({"ph": "X", "cat": "kernel", "name": "first", "name": "second", "pid": 0, "tid": 7, "ts": 1, "dur": 2, "dur": 3})");
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.header.other.at("vllm_version"), "\"new\"");
    const EventId event = findEvent(rank, "second");
    ASSERT_TRUE(event.valid());
    EXPECT_EQ(rank.events.duration(event), 3'000);
}

TEST(HostileText, IsNotDeceivedByTheWordTraceEventsElsewhere) {
    TraceBuilder trace = kernels(4);
    trace.header("note", R"("a \"traceEvents\": [ {\"ph\": \"X\"} ] in a string")");
    trace.header("nested",
                 R"({"traceEvents": [{"ph": "X", "name": "decoy"}], "deep": [{"traceEvents": []}]})");
    const RankTrace before = loadInAnyWindow(trace.text());
    EXPECT_EQ(before.report.events, 4u);
    EXPECT_FALSE(findEvent(before, "decoy").valid());
    const RankTrace after = loadInAnyWindow(trace.headerAfterEvents().text());
    EXPECT_EQ(after.report.events, 4u);
    EXPECT_THAT(after.header.other.at("note"), HasSubstr("in a string"));
}

TEST(HostileText, ReadsAHeaderOnEitherSideOfTheEvents) {
    const TraceBuilder trace = TraceBuilder(kernels(5)).header("vllm_version", "\"0.17\"");
    const RankTrace before = loadInAnyWindow(trace.text());
    const RankTrace after = loadInAnyWindow(TraceBuilder(trace).headerAfterEvents().text());
    EXPECT_EQ(before.header.baseTimeNs, TraceBuilder::kBase);
    EXPECT_EQ(after.header.baseTimeNs, TraceBuilder::kBase);
    EXPECT_EQ(after.header.other.at("vllm_version"), "\"0.17\"");
    EXPECT_EQ(before.span(), after.span());
    EXPECT_EQ(before.span().begin, TraceBuilder::kBase + 10'000);
    EXPECT_EQ(before.rankSource, RankSource::Content);
    EXPECT_EQ(after.rankSource, RankSource::Content);
}

TEST(HostileText, ReadsALongHeaderBeforeTheEvents) {
    TraceBuilder trace = kernels(3);
    trace.header("environment", "{\"PATH\": \"" + std::string(2'000'000, 'p') + "\"}");
    for (const std::size_t window : {4096u, 1u << 20}) {
        const RankTrace rank = loadRank(trace.text(), window);
        EXPECT_EQ(rank.report.events, 3u);
        EXPECT_EQ(rank.header.baseTimeNs, TraceBuilder::kBase);
    }
}

TEST(HostileText, ReadsTheArrayForm) {
    const RankTrace rank = loadInAnyWindow(kernels(5).arrayForm().text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_FALSE(rank.header.baseTimeNs.has_value());
    EXPECT_EQ(rank.span(), (TimeRange{10'000, 55'000}));
}

TEST(HostileText, ReadsOneEventLargerThanManyWindows) {
    TraceBuilder trace = kernels(2);
    const std::string args =
        "\"Call stack\": \"" + std::string(3'000'000, 's') + "\", \"stream\": 7, \"correlation\": 8";
    trace.raw(kernelNamed("huge", args)).kernel("after", 100us, 1us);
    for (const std::size_t window : {256u, 65'536u, 1u << 20}) {
        const RankTrace rank = loadRank(trace.text(), window);
        EXPECT_EQ(rank.report.events, 4u);
        const EventId huge = findEvent(rank, "huge");
        ASSERT_TRUE(huge.valid());
        EXPECT_EQ(rank.events.correlation(huge), 8u);
        EXPECT_TRUE(findEvent(rank, "after").valid());
    }
}

TEST(HostileText, ReadsDeeplyNestedArguments) {
    const std::string deep =
        "\"x\": " + std::string(300, '[') + std::string(300, ']') + ", \"correlation\": 5";
    const RankTrace rank =
        loadInAnyWindow(kernels(2).raw(kernelNamed("deep", deep)).kernel("after", 100us, 1us).text());
    EXPECT_EQ(rank.report.events, 4u);
    EXPECT_EQ(rank.events.correlation(findEvent(rank, "deep")), 5u);
}

TEST(HostileText, SurvivesNestingWithoutEnd) {
    const std::string deep = kernelNamed("k") + ",{\"ph\": " + std::string(500'000, '[');
    EXPECT_EQ(loadRank("[" + deep).report.events, 1u);
    const std::string braces = kernelNamed("k") + "," + std::string(500'000, '{');
    EXPECT_EQ(loadRank("[" + braces).report.events, 1u);
}

TEST(HostileText, ReadsTimesHoweverTheyAreWritten) {
    const auto timed = [](const std::string& time) {
        return R"({"ph": "X", "cat": "kernel", "name": "k)" + time + R"(", "pid": 0, "tid": 7, "dur": )" +
               time + R"(, "ts": )" + time + "}";
    };
    const std::vector<std::pair<std::string, TimeNs>> times{{"12", 12'000},
                                                            {"12.345", 12'345},
                                                            {"1.2e3", 1'200'000},
                                                            {"1E+1", 10'000},
                                                            {"12000e-3", 12'000},
                                                            {"0.001", 1},
                                                            {"7516230579530.853", 7'516'230'579'530'853},
                                                            {"5e-1", 500},
                                                            {"12.3450000", 12'345}};
    TraceBuilder trace;
    for (const auto& [text, value] : times)
        trace.raw(timed(text));
    const RankTrace rank = loadInAnyWindow(trace.text());
    ASSERT_EQ(rank.report.events, times.size());
    for (const auto& [text, value] : times) {
        const EventId event = findEvent(rank, "k" + text);
        ASSERT_TRUE(event.valid()) << text;
        EXPECT_EQ(rank.events.begin(event), TraceBuilder::kBase + value) << text;
        EXPECT_EQ(rank.events.duration(event), value) << text;
    }
}

TEST(HostileText, ReadsTimesThatAreStrings) {
    TraceBuilder trace;
    trace.raw(
        R"({"ph": "X", "cat": "kernel", "name": "k", "pid": "0", "tid": "7", "ts": "12.345", "dur": "6.7"})");
    const RankTrace rank = loadInAnyWindow(trace.text());
    const EventId event = findEvent(rank, "k");
    ASSERT_TRUE(event.valid());
    EXPECT_EQ(rank.events.begin(event), TraceBuilder::kBase + 12'345);
    EXPECT_EQ(rank.events.duration(event), 6'700);
    EXPECT_EQ(rank.streamOf(event), 7);
}

TEST(HostileText, SurvivesTimesThatAreNone) {
    TraceBuilder trace = kernels(2);
    for (const char* time : {"\"never\"", "null", "true", "[1]", "{}", "1e400", "-1e400",
                             "99999999999999999999", "\"\"", "1.2.3", "nan"})
        trace.raw(std::string(
                      R"({"ph": "X", "cat": "kernel", "name": "odd", "pid": 0, "tid": 7, "dur": 1, "ts": )") +
                  time + "}");
    trace.kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events + rank.report.skipped, 14u);
    EXPECT_TRUE(findEvent(rank, "after").valid());
    EXPECT_FALSE(rank.report.warnings.empty());
    EXPECT_EQ(rank.span(), (TimeRange{TraceBuilder::kBase + 10'000, TraceBuilder::kBase + 101'000}));
}

TEST(HostileText, SurvivesDurationsThatAreNone) {
    TraceBuilder trace;
    for (const char* duration : {"\"long\"", "null", "-5", "1e400", "9223372036854775807", "\"-3\""})
        trace.raw(std::string(
                      R"({"ph": "X", "cat": "kernel", "name": "odd", "pid": 0, "tid": 7, "ts": 5, "dur": )") +
                  duration + "}");
    trace.raw(R"({"ph": "X", "cat": "kernel", "name": "missing", "pid": 0, "tid": 7, "ts": 5})");
    const RankTrace rank = loadInAnyWindow(trace.kernel("after", 100us, 1us).text());
    EXPECT_EQ(rank.report.events + rank.report.skipped, 8u);
    EXPECT_TRUE(findEvent(rank, "after").valid());
    for (std::size_t i = 0; i < rank.events.size(); ++i)
        EXPECT_GE(rank.events.duration(EventId{i}), 0);
}

TEST(HostileText, ReadsIdentitiesOfAnyType) {
    TraceBuilder trace;
    trace.raw(R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": "Spans", "tid": -1, "ts": 1, "dur": 2})");
    trace.raw(
        R"({"ph": "X", "cat": "cpu_op", "name": "b", "pid": -1, "tid": 140737488355327, "ts": 1, "dur": 2})");
    trace.raw(
        R"({"ph": "X", "cat": "cpu_op", "name": "c", "pid": null, "tid": {"x": 1}, "ts": 1, "dur": 2})");
    trace.raw(R"({"ph": "X", "cat": 7, "name": 8, "ts": 1, "dur": 2})");
    trace.raw(R"({"ph": 5, "cat": "cpu_op", "name": "d", "pid": 1, "tid": 1, "ts": 1})");
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 5u);
    EXPECT_EQ(rank.trackOf(findEvent(rank, "b")).tid, "140737488355327");
    EXPECT_EQ(rank.trackOf(findEvent(rank, "a")).pid, "Spans");
}

TEST(HostileText, PairsWhatBeginsWithWhatEndsAndKeepsTheUnpaired) {
    TraceBuilder trace;
    const auto slice = [&](const char* phase, const char* name, Time at) {
        trace.event({.phase = phase, .category = "cpu_op", .name = name, .begin = at});
    };
    slice("E", "never begun", 1us);
    slice("B", "outer", 10us);
    slice("B", "inner", 20us);
    slice("E", "", 30us);
    slice("E", "", 50us);
    slice("B", "never ended", 60us);
    slice("i", "moment", 70us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_EQ(rank.report.events, 7u);
    const EventId outer = findEvent(rank, "outer");
    const EventId inner = findEvent(rank, "inner");
    ASSERT_TRUE(outer.valid() && inner.valid());
    EXPECT_EQ(rank.events.duration(outer), 40'000);
    EXPECT_EQ(rank.events.duration(inner), 10'000);
    EXPECT_TRUE(findEvent(rank, "never ended").valid());
    EXPECT_FALSE(rank.report.warnings.empty());
}

TEST(HostileText, SkipsWhatIsNoEventAndReadsOn) {
    TraceBuilder trace = kernels(2);
    trace.raw("17").raw("\"text\"").raw("null").raw("[1, 2]").kernel("after", 100us, 1us);
    const RankTrace rank = loadInAnyWindow(trace.text());
    EXPECT_TRUE(findEvent(rank, "k1").valid());
    EXPECT_TRUE(findEvent(rank, "after").valid());
    EXPECT_EQ(rank.report.byPhase.at("X"), 3u);
}

TEST(HostileText, CountsABrokenEventWithItsPlaceAndReadsOn) {
    TraceBuilder trace = kernels(3);
    trace.raw(R"({"ph": "X", "cat": "kernel", "name": "broken", "pid" 0, "tid": : 7})")
        .kernel("after", 100us, 1us);
    const std::string text = trace.text();
    const RankTrace rank = loadInAnyWindow(text);
    EXPECT_EQ(rank.report.events, 4u);
    EXPECT_EQ(rank.report.skipped, 1u);
    EXPECT_TRUE(findEvent(rank, "after").valid());
    ASSERT_FALSE(rank.report.warnings.empty());
    const std::size_t place = text.rfind('{', text.find("broken"));
    EXPECT_EQ(rank.report.warnings.front().offset, place);
    EXPECT_TRUE(rank.report.damaged());
    EXPECT_FALSE(rank.report.truncated);
}

TEST(HostileText, ReadsManyBrokenEventsAmongGoodOnes) {
    TraceBuilder trace;
    for (int i = 0; i < 400; ++i) {
        trace.kernel("good" + std::to_string(i), i * 10us, 5us);
        if (i % 3 == 0)
            trace.raw(R"({"ph": "X", "name": oops, "ts": })");
        if (i % 7 == 0)
            trace.raw(kernelNamed("quo\"ted"));
    }
    const RankTrace rank = loadInAnyWindow(trace.text());
    std::size_t good = 0;
    for (std::size_t i = 0; i < rank.events.size(); ++i)
        good += rank.name(EventId{i}).starts_with("good") ? 1 : 0;
    EXPECT_EQ(good, 400u);
    EXPECT_EQ(rank.report.repaired, 58u);
}

TEST(HostileText, KeepsKernelsOfBrokenTimesOutOfTheSpan) {
    TraceBuilder trace;
    trace.kernel("broken", 0us, 0us).kernel("good", 5'000'000us, 7us);
    const RankTrace rank = loadRank(trace.text());
    EXPECT_EQ(rank.report.events, 2u);
    EXPECT_EQ(rank.span().length(), 7'000);
}

TEST(HostileFile, WithoutEventsIsOneClearError) {
    const std::vector<std::string> texts{"",
                                         " \n ",
                                         "{}",
                                         "null",
                                         "42",
                                         "\"text\"",
                                         "no JSON at all",
                                         "{\"a\": 1}",
                                         "{\"traceEvents\": 7}",
                                         std::string("\x00\x01\x02\x7f\xff\xfe", 6),
                                         std::string(5000, '\0'),
                                         "{",
                                         "{\"traceEvents\"",
                                         "{\"traceEvents\":"};
    for (const std::string& text : texts) {
        const auto run = loadBytes(text);
        ASSERT_FALSE(run.has_value()) << "loaded: " << text.substr(0, 40);
        const std::string line = run.error().toLine();
        EXPECT_EQ(line.find('\n'), std::string::npos);
        EXPECT_THAT(line, HasSubstr("trace.json"));
    }
}

TEST(HostileFile, WithAnEmptyListIsATraceWithoutEvents) {
    for (const char* text : {"[]", "{\"traceEvents\": []}", "{\"traceEvents\": [ ], \"traceName\": \"a\"}"}) {
        const RankTrace rank = loadRank(text);
        EXPECT_EQ(rank.report.events, 0u) << text;
        EXPECT_TRUE(rank.span().empty());
        EXPECT_FALSE(rank.report.damaged()) << text;
    }
}

TEST(HostileFile, OfAnotherKindIsOneClearError) {
    EXPECT_FALSE(loadBytes("\x1f\x8b").has_value());
    EXPECT_FALSE(loadBytes("\x1f\x8b\x08\x01garbage that is no deflate stream").has_value());
    EXPECT_FALSE(loadBytes("\x28\xb5\x2f\xfdgarbage that is no zstd frame").has_value());
    EXPECT_FALSE(loadBytes(gzip("")).has_value());
    EXPECT_FALSE(loadBytes(zstd("")).has_value());
    EXPECT_FALSE(loadBytes(gzip("{\"a\": 1}")).has_value());
    EXPECT_FALSE(loadBytes("\x7f"
                           "ELF and more")
                     .has_value());
    EXPECT_FALSE(loadBytes("PK\x03\x04 a zip file").has_value());
}

TEST(HostileFile, ThatIsNotThereIsAnErrorThatNamesIt) {
    const auto run = loadRun({"no-such-folder/no-such-file.json"});
    ASSERT_FALSE(run.has_value());
    EXPECT_THAT(run.error().toLine(), HasSubstr("no-such-file.json"));
}

TEST(HostileFile, IsReadByContentWhateverItsName) {
    const std::string text = kernels(10).text();
    EXPECT_EQ((*loadBytes(text, 4096, "trace.json.gz"))->ranks.at(0).report.compression, Compression::None);
    EXPECT_EQ((*loadBytes(gzip(text), 4096, "trace.json"))->ranks.at(0).report.compression,
              Compression::Gzip);
    EXPECT_EQ((*loadBytes(zstd(text), 4096, "trace.json.gz"))->ranks.at(0).report.compression,
              Compression::Zstd);
}

TEST(HostileFile, WithAByteOrderMarkIsReadAllTheSame) {
    EXPECT_EQ(loadInAnyWindow("\xef\xbb\xbf" + kernels(3).text()).report.events, 3u);
}

} // namespace
} // namespace lockstep::test
