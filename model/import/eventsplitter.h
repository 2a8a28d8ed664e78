#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lockstep {

/// Finds where events end in the text of a JSON array, 64 bytes at a time: follows strings, escapes and
/// depth, and parses nothing.
class EventSplitter {
public:
    /// What one stretch of text held, as offsets from its start.
    struct Found {
        std::optional<std::size_t>
            lastEventEnd; ///< just past the last `}` or `]` that brought depth back to the array's level
        std::optional<std::size_t>
            arrayEnd; ///< at the `]` that closes the array; nothing after it was looked at
        std::size_t scanned =
            0; ///< bytes taken; the rest (less than a block) must come again, with what follows it
    };
    static constexpr std::size_t kBlock = 64;

    /// Goes on from where the last stretch ended; `last`: no more text follows.
    [[nodiscard]] Found scan(std::span<const char> text, bool last);
    /// At the array's level again, outside of any string.
    void reset();

private:
    /// Bit i is byte i of a block.
    struct Block {
        std::uint64_t opens = 0;
        std::uint64_t closes = 0;
    };
    [[nodiscard]] Block structure(const char* block);
    /// Whether the array ends in this block.
    bool followDepth(Block block, std::size_t offset, Found& found);

    std::int64_t m_depth = 0;
    std::uint64_t m_inString = 0; ///< all ones inside a string
    std::uint64_t m_escaped = 0;  ///< 1 where the next byte is escaped
};

} // namespace lockstep
