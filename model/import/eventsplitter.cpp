#include "model/import/eventsplitter.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lockstep {

namespace {

struct ByteMasks {
    std::uint64_t quotes = 0;
    std::uint64_t backslashes = 0;
    std::uint64_t opens = 0;
    std::uint64_t closes = 0;
};

#if defined(__SSE2__)
std::uint64_t maskOf(__m128i equal, int part) {
    return static_cast<std::uint64_t>(static_cast<std::uint16_t>(_mm_movemask_epi8(equal))) << (16 * part);
}

ByteMasks masksOf(const char* block) {
    ByteMasks masks;
    const __m128i lowerCase = _mm_set1_epi8(0x20); // '[' | 0x20 == '{', ']' | 0x20 == '}'
    for (int part = 0; part < 4; ++part) {
        const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * part));
        const __m128i folded = _mm_or_si128(bytes, lowerCase);
        masks.quotes |= maskOf(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), part);
        masks.backslashes |= maskOf(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')), part);
        masks.opens |= maskOf(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), part);
        masks.closes |= maskOf(_mm_cmpeq_epi8(folded, _mm_set1_epi8('}')), part);
    }
    return masks;
}
#else
ByteMasks masksOf(const char* block) {
    ByteMasks masks;
    for (unsigned i = 0; i < 64; ++i) {
        const std::uint64_t bit = 1ull << i;
        switch (block[i]) {
        case '"':
            masks.quotes |= bit;
            break;
        case '\\':
            masks.backslashes |= bit;
            break;
        case '{':
        case '[':
            masks.opens |= bit;
            break;
        case '}':
        case ']':
            masks.closes |= bit;
            break;
        default:
            break;
        }
    }
    return masks;
}
#endif

/// Bit i of the result is the parity of bits 0..i.
std::uint64_t prefixXor(std::uint64_t bits) {
    for (int shift = 1; shift < 64; shift *= 2)
        bits ^= bits << shift;
    return bits;
}

} // namespace

void EventSplitter::reset() {
    m_depth = 0;
    m_inString = 0;
    m_escaped = 0;
}

EventSplitter::Block EventSplitter::structure(const char* block) {
    const ByteMasks masks = masksOf(block);
    std::uint64_t escaped = m_escaped;
    m_escaped = 0;
    for (std::uint64_t left = masks.backslashes & ~escaped; left != 0;) {
        const int at = std::countr_zero(left); // a backslash that is not escaped escapes the byte after it
        left &= left - 1;
        if (at == 63) {
            m_escaped = 1;
        } else {
            escaped |= 1ull << (at + 1);
            left &= ~(1ull << (at + 1));
        }
    }
    const std::uint64_t quotes = masks.quotes & ~escaped;
    const std::uint64_t inString = prefixXor(quotes) ^ m_inString;
    m_inString = (inString >> 63 & 1) ? ~0ull : 0;
    return {masks.opens & ~inString, masks.closes & ~inString};
}

bool EventSplitter::followDepth(Block block, std::size_t offset, Found& found) {
    for (std::uint64_t left = block.opens | block.closes; left != 0; left &= left - 1) {
        const std::uint64_t bit = left & (~left + 1);
        const auto at = offset + static_cast<std::size_t>(std::countr_zero(left));
        if (block.opens & bit) {
            ++m_depth;
        } else if (m_depth == 0) {
            found.arrayEnd = at;
            return true;
        } else if (--m_depth == 0) {
            found.lastEventEnd = at + 1;
        }
    }
    return false;
}

EventSplitter::Found EventSplitter::scan(std::span<const char> text, bool last) {
    Found found;
    std::size_t at = 0;
    for (; at + kBlock <= text.size(); at += kBlock) {
        if (followDepth(structure(text.data() + at), at, found)) {
            found.scanned = *found.arrayEnd;
            return found;
        }
    }
    found.scanned = at;
    if (last && at < text.size()) {
        std::array<char, kBlock> block;
        block.fill(' ');
        std::memcpy(block.data(), text.data() + at, text.size() - at);
        followDepth(structure(block.data()), at, found);
        found.scanned = text.size();
    }
    return found;
}

} // namespace lockstep
