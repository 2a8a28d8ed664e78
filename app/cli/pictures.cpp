#include "app/cli/pictures.h"

#include "app/cli/command.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace lockstep::cli {

namespace {

namespace fs = std::filesystem;

/// Runs `arguments` without a display and waits for it; its exit status, or -1.
int runOffscreen(const std::vector<std::string>& arguments) {
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
    pid_t child = 0;
    if (posix_spawn(&child, arguments.front().c_str(), nullptr, nullptr, pointers(arguments).data(),
                    pointers(environment).data()) != 0)
        return -1;
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
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
    const std::string drawing = file + ".tmp.svg";
    if (!writeText(drawing, svg))
        return make_unexpected(Error{ErrorCode::Unreadable, file, {}, "cannot be written"});
    const int status =
        runOffscreen({program, "--render", drawing, "--output", file, "--scale", fmt::format("{}", scale)});
    std::error_code code;
    fs::remove(drawing, code);
    if (status != 0)
        return make_unexpected(Error{ErrorCode::Unreadable, file, {}, "could not be drawn"});
    return {};
}

} // namespace lockstep::cli
