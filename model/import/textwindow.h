#pragma once

#include "model/import/bytesource.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace lockstep {

/// A bounded, reused stretch of a file's decompressed text. Positions count from the stretch's start and move
/// when it is refilled. One byte before the text and EventReader::kPadding after it may be touched.
class TextWindow {
public:
    explicit TextWindow(std::size_t bytes);

    /// Moves what is not yet taken to the front and reads on until the window is full or the source ends;
    /// returns by how much positions moved.
    std::size_t refill(ByteSource& source);
    /// Twice the room, for an event that does not fit.
    void grow();
    /// Takes the text up to `position`.
    void drop(std::size_t position) {
        m_offset += position - m_begin;
        m_begin = position;
    }

    [[nodiscard]] char* data() { return m_buffer.data() + 1; }
    [[nodiscard]] char operator[](std::size_t position) const { return m_buffer[position + 1]; }
    [[nodiscard]] std::string_view text(std::size_t from, std::size_t to) const {
        return {m_buffer.data() + 1 + from, to - from};
    }
    [[nodiscard]] std::size_t begin() const { return m_begin; }
    [[nodiscard]] std::size_t end() const { return m_end; }
    [[nodiscard]] std::size_t size() const { return m_end - m_begin; }
    [[nodiscard]] std::size_t room() const { return m_room; }
    [[nodiscard]] bool full() const { return size() == m_room; }
    /// No more text will come than stands here.
    [[nodiscard]] bool sourceEnded() const { return m_sourceEnded; }
    /// Offset of `position` in the whole decompressed text.
    [[nodiscard]] std::uint64_t offsetOf(std::size_t position) const {
        return m_offset + (position - m_begin);
    }

private:
    std::vector<char> m_buffer;
    std::size_t m_room;
    std::size_t m_begin = 0;
    std::size_t m_end = 0;
    std::uint64_t m_offset = 0; ///< of m_begin
    bool m_sourceEnded = false;
};

} // namespace lockstep
