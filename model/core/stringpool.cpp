#include "model/core/stringpool.h"

#include <algorithm>
#include <cstring>

namespace lockstep {

namespace {
constexpr std::size_t kFirstSlots = 1024;
constexpr std::size_t kBlockBytes = 64 * 1024;

constexpr std::uint64_t kMultiplier = 0x9E37'79B9'7F4A'7C15ull;

std::uint64_t mixed(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * kMultiplier;
    return hash ^ (hash >> 29);
}

std::uint64_t wordAt(const char* text, std::size_t bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, text, bytes);
    return word;
}

/// All bytes count, since kernel names share long beginnings; long texts in two lanes, which overlap in the
/// processor.
std::uint32_t hashOf(std::string_view text) {
    std::uint64_t hash = text.size() * kMultiplier;
    std::uint64_t other = kMultiplier;
    const char* p = text.data();
    const char* end = p + text.size();
    for (; end - p > 16; p += 16) {
        hash = mixed(hash, wordAt(p, 8));
        other = mixed(other, wordAt(p + 8, 8));
    }
    // What is left overlaps what went before, so that it too is read in whole words.
    if (text.size() >= 16) {
        hash = mixed(hash, wordAt(end - 16, 8));
        other = mixed(other, wordAt(end - 8, 8));
    } else if (text.size() >= 8) {
        hash = mixed(hash, wordAt(p, 8));
        other = mixed(other, wordAt(end - 8, 8));
    } else {
        hash = mixed(hash, wordAt(p, text.size()));
    }
    hash = mixed(hash, other);
    return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}
} // namespace

StringPool::StringPool()
    : m_slots(kFirstSlots) {}

StringPool::StringPool(const StringPool& other)
    : m_slots(other.m_slots) {
    m_views.reserve(other.m_views.size());
    for (std::string_view text : other.m_views)
        m_views.push_back(store(text));
}

std::size_t StringPool::slotOf(std::string_view text, std::uint32_t hash) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = hash & mask;
    while (m_slots[at].id != StringId::kInvalid &&
           (m_slots[at].hash != hash || m_views[m_slots[at].id] != text))
        at = (at + 1) & mask;
    return at;
}

StringId StringPool::intern(std::string_view text) {
    const std::uint32_t hash = hashOf(text);
    std::size_t at = slotOf(text, hash);
    if (m_slots[at].id != StringId::kInvalid)
        return StringId{m_slots[at].id};
    if ((m_views.size() + 1) * 2 > m_slots.size()) {
        grow();
        at = slotOf(text, hash);
    }
    const StringId id{m_views.size()};
    m_views.push_back(store(text));
    m_slots[at] = {hash, id.value};
    return id;
}

std::optional<StringId> StringPool::find(std::string_view text) const {
    const Slot& slot = m_slots[slotOf(text, hashOf(text))];
    if (slot.id == StringId::kInvalid)
        return std::nullopt;
    return StringId{slot.id};
}

std::string_view StringPool::view(StringId id) const {
    return id.index() < m_views.size() ? m_views[id.index()] : std::string_view{};
}

std::size_t StringPool::memoryBytes() const {
    return m_bytes + m_views.capacity() * sizeof(std::string_view) + m_slots.capacity() * sizeof(Slot);
}

void StringPool::grow() {
    std::vector<Slot> bigger(m_slots.size() * 2);
    const std::size_t mask = bigger.size() - 1;
    for (const Slot& slot : m_slots) {
        if (slot.id == StringId::kInvalid)
            continue;
        std::size_t at = slot.hash & mask;
        while (bigger[at].id != StringId::kInvalid)
            at = (at + 1) & mask;
        bigger[at] = slot;
    }
    m_slots = std::move(bigger);
}

std::string_view StringPool::store(std::string_view text) {
    if (text.empty())
        return {};
    if (m_blockUsed + text.size() > m_blockSize) {
        m_blockSize = std::max(kBlockBytes, text.size());
        m_blocks.push_back(std::make_unique<char[]>(m_blockSize));
        m_bytes += m_blockSize;
        m_blockUsed = 0;
    }
    char* to = m_blocks.back().get() + m_blockUsed;
    std::memcpy(to, text.data(), text.size());
    m_blockUsed += text.size();
    return {to, text.size()};
}

} // namespace lockstep
