#include "model/import/textwindow.h"

#include "model/import/eventreader.h"

#include <algorithm>
#include <cstring>

namespace lockstep {

namespace {
constexpr std::size_t kSmallest = 256;
constexpr std::size_t kAround = EventReader::kPadding + 8;
} // namespace

TextWindow::TextWindow(std::size_t bytes)
    : m_buffer(std::max(bytes, kSmallest) + kAround)
    , m_room(std::max(bytes, kSmallest)) {}

std::size_t TextWindow::refill(ByteSource& source) {
    if (m_sourceEnded)
        return 0;
    const std::size_t moved = m_begin;
    const std::size_t left = size();
    std::memmove(data(), data() + m_begin, left);
    m_begin = 0;
    const std::size_t got = source.read({data() + left, m_room - left});
    m_sourceEnded = got < m_room - left;
    m_end = left + got;
    return moved;
}

void TextWindow::grow() {
    m_room *= 2;
    m_buffer.resize(m_room + kAround);
}

} // namespace lockstep
