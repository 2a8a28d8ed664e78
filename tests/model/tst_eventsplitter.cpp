#include "model/import/eventsplitter.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

using lockstep::EventSplitter;

namespace {

/// The same question answered one character at a time.
EventSplitter::Found slowly(const std::string& text) {
    EventSplitter::Found found;
    int depth = 0;
    bool inString = false;
    bool escaped = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool wasEscaped = escaped;
        escaped = c == '\\' && !wasEscaped;
        if (c == '"' && !wasEscaped) {
            inString = !inString;
        } else if (!inString && (c == '{' || c == '[')) {
            ++depth;
        } else if (!inString && (c == '}' || c == ']')) {
            if (depth == 0) {
                found.arrayEnd = i;
                return found;
            }
            if (--depth == 0)
                found.lastEventEnd = i + 1;
        }
    }
    return found;
}

/// Scans `text` in pieces of `step` bytes, as a reader with a small window would.
EventSplitter::Found inPieces(const std::string& text, std::size_t step) {
    EventSplitter splitter;
    EventSplitter::Found all;
    std::size_t scanned = 0;
    for (std::size_t end = std::min(step, text.size());; end = std::min(end + step, text.size())) {
        const bool last = end == text.size();
        const auto found = splitter.scan({text.data() + scanned, end - scanned}, last);
        if (found.lastEventEnd)
            all.lastEventEnd = scanned + *found.lastEventEnd;
        if (found.arrayEnd) {
            all.arrayEnd = scanned + *found.arrayEnd;
            return all;
        }
        scanned += found.scanned;
        if (last)
            return all;
    }
}

} // namespace

TEST(EventSplitter, FindsTheLastWholeEvent) {
    const std::string text = R"({"a": 1}, {"b": [1, {"c": "}"}]}, {"d": )";
    const auto found = inPieces(text, text.size());
    EXPECT_EQ(found.lastEventEnd, text.find(", {\"d\""));
    EXPECT_FALSE(found.arrayEnd);
}

TEST(EventSplitter, IsNotDeceivedByBracketsAndQuotesInStrings) {
    const std::string text = R"~({"name": "void f<{lambda(int)#1}>(\"]\\\")"}, {"x": "\\"} ])~";
    const auto found = inPieces(text, text.size());
    EXPECT_EQ(found.lastEventEnd, text.size() - 2);
    EXPECT_EQ(found.arrayEnd, text.size() - 1);
}

TEST(EventSplitter, StopsAtTheEndOfTheArray) {
    const std::string text = R"({"a": 1}], "more": [{"b": 2}])";
    const auto found = inPieces(text, text.size());
    EXPECT_EQ(found.arrayEnd, 8u);
    EXPECT_EQ(found.lastEventEnd, 8u);
}

TEST(EventSplitter, AgreesWithTheSlowWayOnRandomText) {
    std::mt19937 random(20261001);
    const std::string letters = "{}[]\"\\\\\",: a1\n";
    for (int round = 0; round < 3000; ++round) {
        std::string text(random() % 700, ' ');
        const bool escapes = round % 3 == 0;
        for (char& c : text)
            c = escapes && random() % 3 == 0 ? '\\' : letters[random() % letters.size()];
        const auto expected = slowly(text);
        for (const std::size_t step : {std::size_t{64}, std::size_t{100}, std::size_t{1000}}) {
            const auto found = inPieces(text, step);
            ASSERT_EQ(found.arrayEnd, expected.arrayEnd) << text;
            ASSERT_EQ(found.lastEventEnd, expected.lastEventEnd) << text;
        }
    }
}
