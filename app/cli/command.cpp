#include "app/cli/command.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace lockstep::cli {

void printError(const Error& error) {
    fmt::print(stderr, "error: {}\n", error.toLine());
}

void printWarnings(const ImportReport& report) {
    for (const ImportWarning& warning : report.warnings) {
        const std::string where =
            warning.offset ? fmt::format(": at byte {}", *warning.offset) : std::string{};
        const std::string times =
            warning.count > 1 ? fmt::format(" ({} times, first here)", warning.count) : std::string{};
        fmt::print(stderr, "warning: {}{}: {}{}\n", report.file, where, warning.message, times);
    }
}

bool writeText(const std::string& file, const std::string& text) {
    namespace fs = std::filesystem;
    const bool standard = file == "-";
    std::error_code code;
    // Whole or not at all; what is no file (a pipe, /dev/null) is written as it is.
    const bool direct = standard || (fs::exists(file, code) && !fs::is_regular_file(file, code));
    // Through a link to what it leads to.
    const std::string target = fs::is_symlink(file, code) ? fs::weakly_canonical(file, code).string() : file;
    const std::string path = direct ? file : fmt::format("{}.tmp-{}", target, ::getpid());
    std::FILE* out = standard ? stdout : std::fopen(path.c_str(), "wb");
    bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
    int reason = written ? 0 : errno;
    if (out && (standard ? std::fflush(out) : std::fclose(out)) != 0) {
        reason = written ? errno : reason;
        written = false;
    }
    if (written && !direct && std::rename(path.c_str(), target.c_str()) != 0) {
        reason = errno;
        written = false;
    }
    if (!written) {
        if (!direct)
            fs::remove(path, code);
        printError({ErrorCode::Unreadable,
                    file,
                    {},
                    "cannot be written: " + std::error_code(reason, std::generic_category()).message()});
    }
    return written;
}

} // namespace lockstep::cli
