#include "app/cli/command.h"

#include <cstdio>
#include <fmt/format.h>

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
    std::FILE* out = file == "-" ? stdout : std::fopen(file.c_str(), "wb");
    const bool written = out && std::fwrite(text.data(), 1, text.size(), out) == text.size();
    const bool closed = out && (out == stdout ? std::fflush(out) : std::fclose(out)) == 0;
    if (!written || !closed)
        printError({ErrorCode::Unreadable, file, {}, "cannot be written"});
    return written && closed;
}

} // namespace lockstep::cli
