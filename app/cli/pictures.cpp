#include "app/cli/pictures.h"

#include "app/cli/command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

struct Ended {
    int status = -1;    ///< exit status; -1: it could not be run
    std::string errors; ///< what it wrote to its standard error
};

/// Runs `arguments` without a display and waits for it.
Ended runOffscreen(const std::vector<std::string>& arguments) {
    std::vector<std::string> environment{"QT_QPA_PLATFORM=offscreen"};
    for (char** entry = environ; *entry != nullptr; ++entry)
        if (!std::string_view(*entry).starts_with("QT_QPA_PLATFORM="))
            environment.emplace_back(*entry);
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<char*> list;
        for (const std::string& text : texts)
            list.push_back(const_cast<char*>(text.c_str()));
        list.push_back(nullptr);
        return list;
    };
    Ended ended;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return ended;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    pid_t child = 0;
    const int failed = posix_spawn(&child, arguments.front().c_str(), &actions, nullptr,
                                   pointers(arguments).data(), pointers(environment).data());
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    std::array<char, 512> buffer{};
    for (ssize_t got = 0; failed == 0 && (got = read(ends[0], buffer.data(), buffer.size())) != 0;) {
        if (got > 0)
            ended.errors.append(buffer.data(), static_cast<std::size_t>(got));
        else if (errno != EINTR)
            break;
    }
    close(ends[0]);
    int status = 0;
    while (failed == 0 && waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return ended;
    if (failed == 0 && WIFEXITED(status))
        ended.status = WEXITSTATUS(status);
    return ended;
}

/// Why it failed: the line that says so, without what Qt says of the system around it.
std::string reasonOf(const Ended& ended) {
    constexpr std::string_view kMark = "error: ";
    const std::size_t at = ended.errors.find(kMark);
    if (at == std::string::npos)
        return "could not be drawn";
    const std::size_t begin = at + kMark.size();
    return ended.errors.substr(begin, ended.errors.find('\n', begin) - begin);
}

} // namespace

std::string endingOf(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    std::string ending(dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1));
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return ending;
}

std::string pictureProgram() {
    std::error_code code;
    const fs::path beside = fs::read_symlink("/proc/self/exe", code).parent_path() / "lockstep";
    if (!code && ::access(beside.c_str(), X_OK) == 0)
        return beside.string();
    const char* path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
        const std::size_t colon = std::min(rest.find(':'), rest.size());
        const fs::path program = fs::path(rest.substr(0, colon)) / "lockstep";
        if (colon > 0 && ::access(program.c_str(), X_OK) == 0)
            return program.string();
        rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
    return {};
}

Result<void> drawPicture(const std::string& svg, const std::string& file, double scale) {
    const std::string program = pictureProgram();
    if (program.empty())
        return make_unexpected(Error{ErrorCode::FileNotFound,
                                     file,
                                     {},
                                     "PNG and PDF are drawn by the lockstep program, which is not installed "
                                     "here: install it, or write .svg"});
    const std::string drawing = fmt::format("{}.tmp-{}.svg", file, ::getpid());
    if (!writeText(drawing, svg))
        return make_unexpected(Error{ErrorCode::Unreadable, file, {}, "could not be drawn"});
    const Ended ended =
        runOffscreen({program, "--render", drawing, "--output", file, "--scale", fmt::format("{}", scale)});
    std::error_code code;
    fs::remove(drawing, code);
    if (ended.status != 0)
        return make_unexpected(Error{ErrorCode::Unreadable, {}, {}, reasonOf(ended)});
    return {};
}

} // namespace lockstep::cli
