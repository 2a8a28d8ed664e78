#include "tests/support/layers.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace lockstep::test {

namespace {

/// A room and, by prefix, what its files may include of the project; libraries are looked at apart.
struct Room {
    std::string_view path;
    std::vector<std::string_view> mayInclude;
    bool mayKnowQt;
};

/// The first entry that a file's path starts with is its room.
const std::vector<Room>& rooms() {
    static const std::vector<Room> kRooms{
        {"model/core/", {"model/core/"}, false},
        {"model/trace/", {"model/core/", "model/trace/"}, false},
        {"model/import/", {"model/core/", "model/trace/", "model/import/"}, false},
        // The loader of a run is where files become ranks of one run.
        {"model/run/runloader.", {"model/core/", "model/trace/", "model/import/", "model/run/"}, false},
        {"model/run/", {"model/core/", "model/trace/", "model/run/"}, false},
        {"model/layout/", {"model/core/", "model/trace/", "model/layout/"}, false},
        {"model/analysis/", {"model/core/", "model/trace/", "model/run/", "model/analysis/"}, false},
        {"model/report/", {"model/"}, false},
        {"model/synthetic/", {"model/"}, false},
        {"views/common/", {"model/", "views/common/"}, true},
        {"views/timeline/", {"model/", "views/common/", "views/timeline/"}, true},
        {"views/charts/", {"model/", "views/common/", "views/charts/"}, true},
        {"views/tables/", {"model/", "views/common/", "views/tables/"}, true},
        {"views/panels/", {"model/", "views/common/", "views/panels/"}, true},
        {"app/cli/", {"model/", "app/cli/"}, false},
        {"app/", {"model/", "views/", "app/"}, true},
    };
    return kRooms;
}

/// What an `#include` line includes, without its brackets or quotes.
std::optional<std::string_view> includeOf(std::string_view line) {
    const auto skipBlanks = [&line] {
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    };
    skipBlanks();
    if (!line.starts_with('#'))
        return std::nullopt;
    line.remove_prefix(1);
    skipBlanks();
    if (!line.starts_with("include"))
        return std::nullopt;
    const std::size_t open = line.find_first_of("<\"");
    const std::size_t close = open == std::string_view::npos ? open : line.find_first_of(">\"", open + 1);
    if (close == std::string_view::npos)
        return std::nullopt;
    return line.substr(open + 1, close - open - 1);
}

/// Qt's headers start with a capital Q and a letter, or with their module's folder.
bool isQt(std::string_view include) {
    return include.starts_with("qcustomplot") || include.starts_with("qt6/") ||
           (include.size() > 1 && include[0] == 'Q' &&
            std::isalpha(static_cast<unsigned char>(include[1])) != 0);
}

bool isOfTheProject(std::string_view include) {
    constexpr std::array<std::string_view, 4> kTops{"model/", "views/", "app/", "tests/"};
    return std::any_of(kTops.begin(), kTops.end(), [&](auto top) {
        return include.starts_with(top);
    });
}

bool isAllowed(const Room& room, std::string_view include) {
    if (isQt(include))
        return room.mayKnowQt;
    if (!isOfTheProject(include))
        return true;
    return std::any_of(room.mayInclude.begin(), room.mayInclude.end(), [&](auto prefix) {
        return include.starts_with(prefix);
    });
}

} // namespace

std::vector<std::string> layerViolations(std::string_view file, std::string_view text) {
    const auto room = std::find_if(rooms().begin(), rooms().end(), [&](const Room& r) {
        return file.starts_with(r.path);
    });
    if (room == rooms().end())
        return {fmt::format("{}: lies in no known room", file)};
    std::vector<std::string> violations;
    for (std::size_t line = 1; !text.empty(); ++line) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const auto include = includeOf(text.substr(0, end));
        if (include && !isAllowed(*room, *include))
            violations.push_back(fmt::format("{}:{}: may not include {}", file, line, *include));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return violations;
}

} // namespace lockstep::test
