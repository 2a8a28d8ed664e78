#include "model/import/eventtext.h"

#include "model/import/bytesource.h"
#include "model/import/damagedtext.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockstep {

namespace {

constexpr std::size_t kReadBytes = 64 * 1024;
constexpr std::size_t kMaxEventBytes = 64u << 20;

Error changed(const RankTrace& trace, std::uint64_t offset) {
    return {ErrorCode::Unreadable, trace.report.file, offset,
            "the event is no longer there: the file has changed since it was opened; open it again"};
}

} // namespace

Result<std::string> readEventText(const RankTrace& trace, EventId event) {
    auto source = openByteSource(trace.report.file);
    if (!source)
        return make_unexpected(source.error());
    const std::uint64_t offset = trace.events.byteOffset(event);
    std::string text(kReadBytes, '\0');
    for (std::uint64_t at = 0; at < offset;) {
        const std::size_t step = std::min<std::uint64_t>(text.size(), offset - at);
        const std::size_t got = (*source)->read({text.data(), step});
        if (got == 0)
            return make_unexpected(changed(trace, offset));
        at += got;
    }
    text.clear();
    while (text.size() < kMaxEventBytes) {
        const std::size_t before = text.size();
        text.resize(before + kReadBytes);
        const std::size_t got = (*source)->read({text.data() + before, kReadBytes});
        text.resize(before + got);
        if (text.empty() || text.front() != '{')
            break;
        const auto strict = strictEnd(text);
        const auto likely = likelyEnd(text);
        if (strict || likely) {
            const std::size_t end =
                std::min(strict.value_or(text.size()), likely ? likely->end : text.size());
            text.resize(end);
            return text;
        }
        if (got == 0)
            break;
    }
    return make_unexpected(changed(trace, offset));
}

Result<std::vector<EventArgument>> readEventArguments(const RankTrace& trace, EventId event) {
    auto text = readEventText(trace, event);
    if (!text)
        return make_unexpected(text.error());
    using nlohmann::ordered_json;
    ordered_json json = ordered_json::parse(*text, nullptr, false);
    if (json.is_discarded())
        json = ordered_json::parse(repairedEvent(*text).text, nullptr, false);
    std::vector<EventArgument> arguments;
    if (!json.is_object())
        return make_unexpected(Error{ErrorCode::Unreadable, trace.report.file, trace.events.byteOffset(event),
                                     "the event's text is damaged: its arguments cannot be shown"});
    const auto args = json.find("args");
    if (args == json.end() || !args->is_object())
        return arguments;
    for (const auto& [key, value] : args->items())
        arguments.push_back({key, value.is_string()
                                      ? value.get<std::string>()
                                      : value.dump(-1, ' ', false, ordered_json::error_handler_t::replace)});
    return arguments;
}

} // namespace lockstep
