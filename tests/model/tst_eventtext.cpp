#include "model/import/eventtext.h"

#include "model/import/tracereader.h"
#include "tests/support/compression.h"
#include "tests/support/loading.h"
#include "tests/support/temporaryfolder.h"
#include "tests/support/tracebuilder.h"

#include <gtest/gtest.h>

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string traceText() {
    TraceBuilder builder;
    builder.kernel("first", 1us, 2us, {.args = R"("queued": 0, "grid": [1, 2, 3], "note": "<b>&")"});
    builder.kernel("second", 5us, 2us);
    return builder.text();
}

} // namespace

TEST(EventText, GivesAllArgumentsInTheOrderOfTheFile) {
    TemporaryFolder folder;
    const auto trace = readTrace(folder.write("rank0.json.gz", gzip(traceText())));
    ASSERT_TRUE(trace);
    const auto arguments = readEventArguments(*trace, findEvent(*trace, "first"));
    ASSERT_TRUE(arguments) << arguments.error().toLine();
    const auto valueOf = [&](std::string_view key) {
        for (const EventArgument& argument : *arguments)
            if (argument.key == key)
                return argument.value;
        return std::string("absent");
    };
    EXPECT_EQ(valueOf("grid"), "[1,2,3]");
    EXPECT_EQ(valueOf("queued"), "0");
    EXPECT_EQ(valueOf("note"), "<b>&");
}

TEST(EventText, SaysThatTheFileHasChanged) {
    TemporaryFolder folder;
    const auto trace = readTrace(folder.write("rank0.json", traceText()));
    ASSERT_TRUE(trace);
    folder.write("rank0.json", "{}");
    const auto text = readEventText(*trace, findEvent(*trace, "second"));
    ASSERT_FALSE(text);
    EXPECT_NE(text.error().message.find("changed"), std::string::npos);
    std::filesystem::remove(folder.path("rank0.json"));
    EXPECT_EQ(readEventText(*trace, EventId{0u}).error().code, ErrorCode::FileNotFound);
}
