#pragma once

#include "model/core/ids.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {

/// Strings stored once, each named by an id in order of first appearance; views stay valid as long as the
/// pool. Not synchronised: one writer, or many readers.
class StringPool {
public:
    StringPool();

    /// The id of `text`, which is stored if it is new.
    StringId intern(std::string_view text);
    /// The id of `text` if it is stored already.
    [[nodiscard]] std::optional<StringId> find(std::string_view text) const;
    /// The text of `id`; empty for an invalid id.
    [[nodiscard]] std::string_view view(StringId id) const;
    [[nodiscard]] std::size_t size() const { return m_views.size(); }
    /// Bytes held, the index included.
    [[nodiscard]] std::size_t memoryBytes() const;

    StringPool(StringPool&&) noexcept = default;
    StringPool& operator=(StringPool&&) noexcept = default;
    StringPool(const StringPool& other);
    StringPool& operator=(const StringPool&) = delete;
    ~StringPool() = default;

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t id = StringId::kInvalid;
    };
    [[nodiscard]] std::size_t slotOf(std::string_view text, std::uint32_t hash) const;
    void grow();
    std::string_view store(std::string_view text);

    std::vector<std::unique_ptr<char[]>> m_blocks;
    std::size_t m_blockUsed = 0;
    std::size_t m_blockSize = 0;
    std::size_t m_bytes = 0;
    std::vector<std::string_view> m_views;
    std::vector<Slot> m_slots; ///< open addressing, a power of two, at most half full
};

} // namespace lockstep
