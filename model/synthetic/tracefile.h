#pragma once

#include "model/core/result.h"
#include "model/trace/importreport.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace lockstep {

/// A text file written front to back, plain or as one gzip stream or zstd frame; under `<name>.tmp` until it
/// is finished.
class TraceFile {
public:
    static Result<TraceFile> create(std::string path, Compression compression);

    /// Appends `text`. Errors are kept until finish().
    void write(std::string_view text);
    /// Closes the file and gives it its name.
    [[nodiscard]] Result<void> finish();
    /// Bytes of text so far, before compression.
    [[nodiscard]] std::uint64_t textBytes() const { return m_textBytes; }

    TraceFile(TraceFile&&) noexcept;
    TraceFile& operator=(TraceFile&&) noexcept;
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;
    ~TraceFile();

private:
    class Compressor;
    class Gzip;
    class Zstd;
    TraceFile(std::string path, int descriptor);
    void writeRaw(std::string_view bytes);

    std::string m_path;
    int m_descriptor = -1;
    int m_error = 0; ///< errno of the first write that failed
    std::uint64_t m_textBytes = 0;
    std::unique_ptr<Compressor> m_compressor;
};

} // namespace lockstep
