#include "model/import/damagedtext.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

using namespace lockstep;
using nlohmann::json;

TEST(DamagedText, FindsAnEventsStrictEnd) {
    EXPECT_EQ(strictEnd(R"({"a": [1, {"b": "}"}]}, {)"), 22u);
    EXPECT_EQ(strictEnd(R"({"a": "\"}"})"), 12u);
    EXPECT_FALSE(strictEnd(R"({"a": [1)"));
}

TEST(DamagedText, FindsWhereADamagedEventSeemsToEnd) {
    const std::string text = R"({"name": "a " b", "args": {"x": 1}}, {"ph": "X"})";
    const auto end = likelyEnd(text);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->end, text.find(", {\"ph\""));
    EXPECT_FALSE(end->arrayEnds);
}

TEST(DamagedText, DoesNotTakeObjectsInArgumentsForEvents) {
    const std::string text = R"({"args": {"x": [{"a": 1}, {"b": 2}]}}, {"ph": "X"})";
    const auto end = likelyEnd(text);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->end, text.find(", {\"ph\""));
    EXPECT_FALSE(end->arrayEnds);
}

TEST(DamagedText, KnowsTheEndOfTheArrayByWhatFollows) {
    EXPECT_TRUE(closesArray(R"(], "traceName": "x"})"));
    EXPECT_TRUE(closesArray("]\n}"));
    EXPECT_TRUE(closesArray("]"));
    EXPECT_FALSE(closesArray(R"(], "dur": 3})"));
    EXPECT_FALSE(closesArray("] 7"));
    const auto end = likelyEnd(R"({"name": "a " b"} ], "traceName": "x"})");
    ASSERT_TRUE(end);
    EXPECT_TRUE(end->arrayEnds);
}

TEST(DamagedText, EscapesRawQuotesInNames) {
    const Repair repair =
        repairedEvent(R"({"ph": "X", "name": "call "f", twice", "args": {"k": "say "hi""}})");
    EXPECT_TRUE(repair.rawQuotes);
    const json event = json::parse(repair.text);
    EXPECT_EQ(event["name"], R"(call "f", twice)");
    EXPECT_EQ(event["args"]["k"], R"(say "hi")");
}

TEST(DamagedText, RepairsCharactersAndCommas) {
    const Repair repair = repairedEvent("{\"name\": \"a\x01\n\xFF z\\q\", \"args\": {\"x\": [1, 2, ], }, }");
    EXPECT_TRUE(repair.controlCharacters);
    EXPECT_TRUE(repair.invalidUtf8);
    EXPECT_TRUE(repair.strayCommas);
    EXPECT_TRUE(repair.loneBackslashes);
    EXPECT_EQ(repair.damage().size(), 4u);
    const json event = json::parse(repair.text);
    EXPECT_EQ(event["name"], "a  \xEF\xBF\xBD z\\q");
    EXPECT_EQ(event["args"]["x"], json::parse("[1, 2]"));
}

TEST(DamagedText, LeavesSoundEventsAlone) {
    const std::string sound = R"({"name": "d\u00e9j\"a\\", "args": {"x": ["a", "b"], "y": "", "z": {}}})";
    const Repair repair = repairedEvent(sound);
    EXPECT_EQ(repair.text, sound);
    EXPECT_TRUE(repair.damage().empty());
}
