#include "model/core/stringpool.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(StringPool, GivesTheSameIdToTheSameText) {
    StringPool pool;
    const StringId first = pool.intern("gemm");
    const StringId other = pool.intern("attention");
    EXPECT_NE(first, other);
    EXPECT_EQ(pool.intern(std::string("ge") + "mm"), first);
    EXPECT_EQ(pool.size(), 2u);
}

TEST(StringPool, NumbersStringsInOrderOfFirstAppearance) {
    StringPool pool;
    EXPECT_EQ(pool.intern("a").value, 0u);
    EXPECT_EQ(pool.intern("b").value, 1u);
    EXPECT_EQ(pool.intern("a").value, 0u);
    EXPECT_EQ(pool.intern("c").value, 2u);
}

TEST(StringPool, KeepsTheTextOfManyStringsWhileItGrows) {
    StringPool pool;
    std::vector<std::string_view> views;
    views.reserve(20'000);
    for (int i = 0; i < 20'000; ++i)
        views.push_back(pool.view(pool.intern("kernel<" + std::to_string(i) + ">")));
    ASSERT_EQ(pool.size(), 20'000u);
    for (int i = 0; i < 20'000; ++i) {
        const std::string text = "kernel<" + std::to_string(i) + ">";
        EXPECT_EQ(views[static_cast<std::size_t>(i)], text);
        ASSERT_TRUE(pool.find(text).has_value());
        EXPECT_EQ(pool.find(text), StringId{static_cast<std::uint32_t>(i)});
    }
}

TEST(StringPool, TellsApartTextsThatDifferInOneByteAnywhere) {
    const std::string base(37, 'x');
    StringPool pool;
    pool.intern(base);
    for (std::size_t i = 0; i < base.size(); ++i) {
        std::string other = base;
        other[i] = 'y';
        pool.intern(other);
    }
    EXPECT_EQ(pool.size(), base.size() + 1);
    EXPECT_FALSE(pool.find(base + "x").has_value());
    EXPECT_FALSE(pool.find(base.substr(1)).has_value());
}

TEST(StringPool, HoldsEmptyHugeAndBinaryTexts) {
    StringPool pool;
    const std::string huge(300'000, 'h');
    const std::string binary("a\0b\xff", 4);
    const StringId empty = pool.intern("");
    const StringId big = pool.intern(huge);
    const StringId odd = pool.intern(binary);
    EXPECT_EQ(pool.view(empty), "");
    EXPECT_EQ(pool.view(big), huge);
    EXPECT_EQ(pool.view(odd), binary);
    EXPECT_GE(pool.memoryBytes(), huge.size());
}

TEST(StringPool, ShowsAnInvalidIdAsEmptyText) {
    StringPool pool;
    pool.intern("a");
    EXPECT_EQ(pool.view(StringId{}), "");
    EXPECT_FALSE(StringId{}.valid());
}

TEST(StringPool, CopiesAreIndependentOfTheirOriginal) {
    auto original = std::make_unique<StringPool>();
    const StringId id = original->intern("gemm");
    StringPool copy(*original);
    original->intern("only in the original");
    original.reset();
    EXPECT_EQ(copy.view(id), "gemm");
    EXPECT_EQ(copy.find("gemm"), id);
    EXPECT_FALSE(copy.find("only in the original").has_value());
    EXPECT_EQ(copy.intern("only in the copy").value, 1u);
}

} // namespace
} // namespace lockstep
