#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lockstep::test {

/// `text` as gzip, cut evenly into `members` streams that follow one another.
[[nodiscard]] std::string gzip(std::string_view text, std::size_t members = 1);
/// `text` as zstd, cut evenly into `frames` that follow one another.
[[nodiscard]] std::string zstd(std::string_view text, std::size_t frames = 1);
/// What a file holds once decompressed (plain, gzip or zstd by content), read whole; aborts the test where it
/// is damaged.
[[nodiscard]] std::string readWhole(const std::string& file);

} // namespace lockstep::test
