#include "model/import/decimaltime.h"

#include <gtest/gtest.h>
#include <optional>

using lockstep::parseInteger;
using lockstep::parseMicroseconds;

TEST(DecimalTime, KeepsEveryNanosecondOfLargeTimes) {
    // As doubles these two are the same number.
    EXPECT_EQ(parseMicroseconds("7516230579530853.001"), 7516230579530853001);
    EXPECT_EQ(parseMicroseconds("7516230579530853.002"), 7516230579530853002);
    EXPECT_EQ(parseMicroseconds("5111885869136.317"), 5111885869136317);
}

TEST(DecimalTime, ReadsEveryWayOfWriting) {
    EXPECT_EQ(parseMicroseconds("12"), 12000);
    EXPECT_EQ(parseMicroseconds("12."), 12000);
    EXPECT_EQ(parseMicroseconds(".5"), 500);
    EXPECT_EQ(parseMicroseconds("12.345"), 12345);
    EXPECT_EQ(parseMicroseconds("1.2e3"), 1'200'000);
    EXPECT_EQ(parseMicroseconds("12E-2"), 120);
    EXPECT_EQ(parseMicroseconds("-4.001"), -4001);
    EXPECT_EQ(parseMicroseconds("+1"), 1000);
    EXPECT_EQ(parseMicroseconds("0.000"), 0);
    EXPECT_EQ(parseMicroseconds("1751410836000000"), 1751410836000000000);
}

TEST(DecimalTime, RoundsBelowANanosecond) {
    EXPECT_EQ(parseMicroseconds("0.0004"), 0);
    EXPECT_EQ(parseMicroseconds("0.0005"), 1);
    EXPECT_EQ(parseMicroseconds("1.23456789"), 1235);
    EXPECT_EQ(parseMicroseconds("5e-5"), 0);
    EXPECT_EQ(parseMicroseconds("0.00000000000000000000000001"), 0);
}

TEST(DecimalTime, RefusesWhatIsNoTime) {
    for (const char* text :
         {"", "-", ".", "invalid", "100a", "1.2.3", "1e", "2e+", "nan", "inf", "N/A", "0x10", " 1", "1 "})
        EXPECT_EQ(parseMicroseconds(text), std::nullopt) << text;
}

TEST(DecimalTime, RefusesWhatDoesNotFit) {
    EXPECT_EQ(parseMicroseconds("9223372036854775807"), std::nullopt);
    EXPECT_EQ(parseMicroseconds("1e300"), std::nullopt);
    EXPECT_EQ(parseMicroseconds("99999999999999999999999"), std::nullopt);
    EXPECT_EQ(parseMicroseconds("0e999999999999"), 0);
}

TEST(Integer, ReadsDecimalAndHexadecimal) {
    EXPECT_EQ(parseInteger("0"), 0);
    EXPECT_EQ(parseInteger("-7"), -7);
    EXPECT_EQ(parseInteger("4294967295"), 4294967295);
    EXPECT_EQ(parseInteger("0x31"), 0x31);
    EXPECT_EQ(parseInteger("9223372036854775807"), 9223372036854775807);
}

TEST(Integer, RefusesTheRest) {
    for (const char* text : {"", "-", "0x", "1.5", "7a", "a", "9223372036854775808", "18446744073709551616"})
        EXPECT_EQ(parseInteger(text), std::nullopt) << text;
}
