#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lockstep {

enum class Compression : std::uint8_t { None, Gzip, Zstd };

/// One kind of damage or oddity in a file: how often, and where first.
struct ImportWarning {
    std::string code; ///< stable word for scripts, such as "event_skipped"
    std::string message;
    std::uint64_t count = 0;
    std::optional<std::uint64_t> offset; ///< of the first, in the decompressed text
};

/// What reading one file found, apart from the events themselves.
struct ImportReport {
    std::string file;
    Compression compression = Compression::None;
    std::uint64_t bytes = 0;     ///< size on disk
    std::uint64_t jsonBytes = 0; ///< decompressed
    std::uint64_t events = 0;    ///< elements of `traceEvents` that were read
    std::uint64_t skipped = 0;   ///< elements that could not be
    std::uint64_t repaired = 0;  ///< elements read after putting their text right
    bool truncated = false;
    std::map<std::string, std::uint64_t> byPhase;    ///< by `ph`; "None" where it is missing
    std::map<std::string, std::uint64_t> byCategory; ///< by `cat`, where there is one
    std::vector<ImportWarning> warnings;

    /// Counts one more of `code`; the first keeps its message and offset.
    void warn(std::string_view code, std::string_view message, std::optional<std::uint64_t> offset = {});
    /// Whether the file was not what its writer meant: cut, or with events that had to be repaired or left
    /// out.
    [[nodiscard]] bool damaged() const { return truncated || skipped > 0 || repaired > 0; }
};

/// A file beside the ranks that is none itself, and why.
struct SetAsideFile {
    std::string file;
    std::string reason;
};

} // namespace lockstep
