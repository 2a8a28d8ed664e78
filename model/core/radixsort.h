#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <vector>

namespace lockstep {

/// Sorts `items` by `keyOf(item)`, an unsigned integer, keeping the order of equal keys: in linear time where
/// keys are many and alike, as times and ids of one trace are. Items are moved, so they should be small.
template <class Item, class KeyOf>
void radixSort(std::vector<Item>& items, KeyOf keyOf) {
    static_assert(std::unsigned_integral<decltype(keyOf(items.front()))>);
    constexpr std::size_t kFew = 512; // below it the tables cost more than comparisons
    constexpr unsigned kDigitBits = 11;
    constexpr std::uint64_t kDigitMask = (1u << kDigitBits) - 1;

    std::uint64_t varying = 0;
    bool sorted = true;
    std::uint64_t last = 0;
    for (const Item& item : items) {
        const std::uint64_t key = keyOf(item);
        varying |= key ^ static_cast<std::uint64_t>(keyOf(items.front()));
        sorted = sorted && key >= last;
        last = key;
    }
    if (sorted)
        return;
    if (items.size() < kFew || items.size() > std::numeric_limits<std::uint32_t>::max()) {
        std::stable_sort(items.begin(), items.end(), [&](const Item& a, const Item& b) {
            return keyOf(a) < keyOf(b);
        });
        return;
    }
    std::vector<Item> other(items.size());
    for (unsigned shift = 0; shift < 64; shift += kDigitBits) {
        if ((varying >> shift & kDigitMask) == 0)
            continue;
        const auto digitOf = [&](const Item& item) {
            return static_cast<std::size_t>(static_cast<std::uint64_t>(keyOf(item)) >> shift & kDigitMask);
        };
        std::array<std::uint32_t, kDigitMask + 1> next{};
        for (const Item& item : items)
            ++next[digitOf(item)];
        std::uint32_t before = 0;
        for (std::uint32_t& count : next) {
            const std::uint32_t start = before;
            before += count;
            count = start;
        }
        for (Item& item : items)
            other[next[digitOf(item)]++] = std::move(item);
        items.swap(other);
    }
}

/// As radixSort, then orders items of one key by `less`: for ties that are few.
template <class Item, class KeyOf, class Less>
void radixSort(std::vector<Item>& items, KeyOf keyOf, Less less) {
    radixSort(items, keyOf);
    for (auto first = items.begin(); first != items.end();) {
        auto last = std::next(first);
        while (last != items.end() && keyOf(*last) == keyOf(*first))
            ++last;
        if (last - first > 1 && !std::is_sorted(first, last, less))
            std::sort(first, last, less);
        first = last;
    }
}

} // namespace lockstep
