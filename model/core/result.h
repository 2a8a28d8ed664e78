#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

namespace lockstep {

enum class ErrorCode {
    FileNotFound,
    Unreadable,
    BadCompression,
    NotATrace,
    NoEvents,
    RankConflict,
    NoRanks,
    BadArgument,
    Cancelled
};

/// Why something could not be done: which file, where in it, and one sentence that also says what to do.
struct Error {
    ErrorCode code = ErrorCode::BadArgument;
    std::string file;
    std::optional<std::uint64_t> offset; ///< byte offset in the decompressed text
    std::string message;

    /// One line: file, byte offset where known, sentence.
    [[nodiscard]] std::string toLine() const;
};

template <class T>
using Result = tl::expected<T, Error>;

using tl::make_unexpected;

} // namespace lockstep
