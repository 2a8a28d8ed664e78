#include "app/cli/steprange.h"

#include <charconv>

namespace lockstep::cli {

std::optional<StepRange> readStepRange(std::string_view text) {
    const auto number = [](std::string_view digits, std::optional<std::uint32_t>& value) {
        if (digits.empty())
            return true;
        std::uint32_t read = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), read);
        value = read;
        return error == std::errc{} && end == digits.data() + digits.size();
    };
    StepRange range;
    const std::size_t dots = text.find("..");
    if (dots == std::string_view::npos) {
        const bool good = number(text, range.first) && range.first;
        range.last = range.first;
        return good ? std::optional(range) : std::nullopt;
    }
    const bool good = number(text.substr(0, dots), range.first) &&
                      number(text.substr(dots + 2), range.last) && (range.first || range.last) &&
                      range.first.value_or(0) <= range.last.value_or(0xFFFF'FFFFu);
    return good ? std::optional(range) : std::nullopt;
}

} // namespace lockstep::cli
