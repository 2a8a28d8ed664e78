#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace lockstep {

/// Follows the members of a trace's outer object, in pieces of any size, up to its `traceEvents` array and
/// again behind it.
class HeaderScanner {
public:
    /// Takes one member (`"key": value`) and the offset at which it stands.
    using TakeMember = std::function<void(std::string_view member, std::uint64_t offset)>;
    enum class Found { Nothing, Events, End };
    struct Scanned {
        Found found = Found::Nothing;
        std::size_t taken = 0; ///< bytes of the piece; past the array's `[`, or the object's `}`
    };

    explicit HeaderScanner(TakeMember take)
        : m_take(std::move(take)) {}

    /// Just past the object's `{`, or past the array's `]`.
    void enter();
    /// Goes on with the piece that stands at `offset` in the text.
    [[nodiscard]] Scanned scan(std::string_view piece, std::uint64_t offset);
    /// Past a `"traceEvents": [` that stood inside what seemed a string or a nested value: where the events
    /// are, if no others come.
    [[nodiscard]] std::optional<std::uint64_t> candidate() const { return m_candidate; }

private:
    [[nodiscard]] bool memberIsEvents() const;
    [[nodiscard]] bool endsLikeEvents() const;
    void finishMember();

    TakeMember m_take;
    std::string m_member; ///< the one being read
    std::uint64_t m_memberOffset = 0;
    std::size_t m_depth = 1;
    bool m_inString = false;
    bool m_escaped = false;
    std::optional<std::uint64_t> m_candidate;
};

} // namespace lockstep
