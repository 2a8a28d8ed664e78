#include "model/core/radixsort.h"

#include <gtest/gtest.h>
#include <random>

using lockstep::radixSort;

namespace {

struct Item {
    std::uint64_t key;
    std::uint32_t place; ///< where it stood
    friend bool operator==(const Item&, const Item&) = default;
};

/// Items whose keys are random in the bits of `mask`.
std::vector<Item> someItems(std::uint32_t count, std::uint64_t mask) {
    std::mt19937_64 random(count);
    std::vector<Item> items;
    for (std::uint32_t place = 0; place < count; ++place)
        items.push_back({random() & mask, place});
    return items;
}

std::uint64_t keyOf(const Item& item) {
    return item.key;
}

} // namespace

TEST(RadixSort, OrdersAsAStableSortDoes) {
    for (const std::uint32_t count : {0u, 1u, 2u, 511u, 512u, 5'000u}) {
        for (const std::uint64_t mask : {0ull, 0x7ull, 0x7FFull, 0xFF'F000ull, 0xFFFF'FFFFull, ~0ull}) {
            std::vector<Item> items = someItems(count, mask);
            std::vector<Item> expected = items;
            std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) {
                return a.key < b.key;
            });
            radixSort(items, keyOf);
            EXPECT_EQ(items, expected) << count << " items, mask " << mask;
        }
    }
}

TEST(RadixSort, OrdersTiesAsTold) {
    std::vector<Item> items = someItems(5'000, 0xFF);
    radixSort(items, keyOf, [](const Item& a, const Item& b) {
        return a.place > b.place;
    });
    for (std::size_t i = 1; i < items.size(); ++i)
        ASSERT_GT(std::pair(items[i].key, items[i - 1].place), std::pair(items[i - 1].key, items[i].place));
}
