#pragma once

#include "model/core/result.h"
#include "model/trace/importreport.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lockstep {

/// The decompressed bytes of a file, in order; what the file starts with decides the format, never its name.
class ByteSource {
public:
    virtual ~ByteSource() = default;
    ByteSource(const ByteSource&) = delete;
    ByteSource& operator=(const ByteSource&) = delete;

    /// Fills as much of `to` as there is; fewer bytes mean that the text ends here (see damage()).
    [[nodiscard]] virtual std::size_t read(std::span<char> to) = 0;
    /// Bytes of the file consumed so far.
    [[nodiscard]] virtual std::uint64_t bytesConsumed() const = 0;
    [[nodiscard]] virtual Compression compression() const = 0;
    /// Why the text ended early (cut or corrupt compressed data); empty if it did not.
    [[nodiscard]] const std::string& damage() const { return m_damage; }

protected:
    ByteSource() = default;
    std::string m_damage;
};

/// Opens `path`: gzip with any number of members, zstd with any number of frames, or plain.
[[nodiscard]] Result<std::unique_ptr<ByteSource>> openByteSource(const std::string& path);
/// Size of `path` on disk, in bytes; 0 where it cannot be told.
[[nodiscard]] std::uint64_t fileSize(const std::string& path);

} // namespace lockstep
