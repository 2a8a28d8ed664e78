#include "model/import/bytesource.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <isa-l/igzip_lib.h>
#include <vector>
#include <zstd.h>

namespace lockstep {

namespace {

constexpr std::size_t kInputBytes = 256 * 1024;
constexpr std::size_t kZstdStep = 128 * 1024;

/// The file's own bytes, through one reused buffer.
class FileReader {
public:
    explicit FileReader(std::FILE* file)
        : m_file(file)
        , m_buffer(kInputBytes) {}

    /// The bytes not yet taken; reads on when there are none. Empty at the end of the file.
    std::span<const std::uint8_t> peek() {
        if (m_at == m_filled) {
            m_filled = std::fread(m_buffer.data(), 1, m_buffer.size(), m_file.get());
            m_at = 0;
        }
        return {m_buffer.data() + m_at, m_filled - m_at};
    }
    /// Keeps at least `wanted` bytes in view, if the file has them.
    std::span<const std::uint8_t> peekAtLeast(std::size_t wanted) {
        if (m_filled - m_at < wanted) {
            std::memmove(m_buffer.data(), m_buffer.data() + m_at, m_filled - m_at);
            m_filled -= m_at;
            m_at = 0;
            m_filled += std::fread(m_buffer.data() + m_filled, 1, m_buffer.size() - m_filled, m_file.get());
        }
        return {m_buffer.data() + m_at, m_filled - m_at};
    }
    void take(std::size_t bytes) {
        m_at += bytes;
        m_taken += bytes;
    }
    [[nodiscard]] std::uint64_t taken() const { return m_taken; }
    [[nodiscard]] bool failed() const { return std::ferror(m_file.get()) != 0; }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> m_file;
    std::vector<std::uint8_t> m_buffer;
    std::size_t m_at = 0;
    std::size_t m_filled = 0;
    std::uint64_t m_taken = 0;
};

class PlainSource final : public ByteSource {
public:
    explicit PlainSource(FileReader reader)
        : m_reader(std::move(reader)) {}
    std::size_t read(std::span<char> to) override {
        std::size_t done = 0;
        while (done < to.size()) {
            const auto bytes = m_reader.peek();
            if (bytes.empty()) {
                if (m_reader.failed())
                    m_damage = "the file could not be read on";
                break;
            }
            const std::size_t count = std::min(bytes.size(), to.size() - done);
            std::memcpy(to.data() + done, bytes.data(), count);
            m_reader.take(count);
            done += count;
        }
        return done;
    }
    std::uint64_t bytesConsumed() const override { return m_reader.taken(); }
    Compression compression() const override { return Compression::None; }

private:
    FileReader m_reader;
};

bool startsGzip(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B;
}

class GzipSource final : public ByteSource {
public:
    explicit GzipSource(FileReader reader)
        : m_reader(std::move(reader))
        , m_state(std::make_unique<inflate_state>()) {
        startMember();
    }
    std::size_t read(std::span<char> to) override {
        std::size_t done = 0;
        while (done < to.size() && !m_ended) {
            if (m_state->block_state == ISAL_BLOCK_FINISH && !nextMember())
                break;
            const auto bytes = m_reader.peek();
            if (bytes.empty() && m_idleAtEnd) {
                m_damage = "the gzip data ends early: the file was cut";
                m_ended = true;
                break;
            }
            m_idleAtEnd = bytes.empty();
            m_state->next_in = const_cast<std::uint8_t*>(bytes.data()); // isal_inflate only reads it
            m_state->avail_in = static_cast<std::uint32_t>(bytes.size());
            m_state->next_out = reinterpret_cast<std::uint8_t*>(to.data() + done);
            m_state->avail_out =
                static_cast<std::uint32_t>(std::min<std::size_t>(to.size() - done, 1u << 30));
            const std::uint32_t room = m_state->avail_out;
            const int result = isal_inflate(m_state.get());
            m_reader.take(bytes.size() - m_state->avail_in);
            done += room - m_state->avail_out;
            if (room != m_state->avail_out || bytes.size() != m_state->avail_in)
                m_idleAtEnd = false;
            if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
                m_damage = result == ISAL_INCORRECT_CHECKSUM ? "a gzip member's checksum is wrong"
                                                             : "the gzip data is corrupt";
                m_ended = true;
            }
        }
        return done;
    }
    std::uint64_t bytesConsumed() const override { return m_reader.taken(); }
    Compression compression() const override { return Compression::Gzip; }

private:
    void startMember() {
        isal_inflate_init(m_state.get());
        m_state->crc_flag = ISAL_GZIP;
    }
    /// Starts the next member; what follows the last one without being a member is padding, or garbage.
    bool nextMember() {
        const auto bytes = m_reader.peekAtLeast(2);
        if (startsGzip(bytes)) {
            startMember();
            return true;
        }
        m_ended = true;
        for (const std::uint8_t byte : bytes)
            if (byte != 0)
                m_damage = "what follows the gzip data is not gzip: it was ignored";
        return false;
    }

    FileReader m_reader;
    std::unique_ptr<inflate_state> m_state;
    bool m_ended = false;
    bool m_idleAtEnd = false; ///< no input was left and the last call moved nothing
};

class ZstdSource final : public ByteSource {
public:
    explicit ZstdSource(FileReader reader)
        : m_reader(std::move(reader))
        , m_stream(ZSTD_createDStream()) {
        ZSTD_DCtx_setParameter(m_stream.get(), ZSTD_d_windowLogMax, 31);
    }
    std::size_t read(std::span<char> to) override {
        std::size_t done = 0;
        while (done < to.size() && !m_ended) {
            const auto bytes = m_reader.peek();
            // In small steps: a step that fails gives nothing, and what came before it must not be lost with
            // it.
            ZSTD_outBuffer out{to.data() + done, std::min(to.size() - done, kZstdStep), 0};
            ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
            const std::size_t result = ZSTD_decompressStream(m_stream.get(), &out, &in);
            m_reader.take(in.pos);
            done += out.pos;
            if (ZSTD_isError(result)) {
                m_damage = "the zstd data is corrupt";
                m_ended = true;
            } else if (bytes.empty() && out.pos == 0) {
                if (m_inFrame)
                    m_damage = "the zstd data ends early: the file was cut";
                m_ended = true;
            } else if (!bytes.empty() || out.pos != 0) {
                m_inFrame = result != 0;
            }
        }
        return done;
    }
    std::uint64_t bytesConsumed() const override { return m_reader.taken(); }
    Compression compression() const override { return Compression::Zstd; }

private:
    struct Free {
        void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
    };
    FileReader m_reader;
    std::unique_ptr<ZSTD_DStream, Free> m_stream;
    bool m_ended = false;
    bool m_inFrame = false;
};

bool startsZstd(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < 4)
        return false;
    const std::uint32_t magic =
        static_cast<std::uint32_t>(bytes[0]) | static_cast<std::uint32_t>(bytes[1]) << 8 |
        static_cast<std::uint32_t>(bytes[2]) << 16 | static_cast<std::uint32_t>(bytes[3]) << 24;
    return magic == ZSTD_MAGICNUMBER || (magic & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

} // namespace

Result<std::unique_ptr<ByteSource>> openByteSource(const std::string& path) {
    std::error_code code;
    if (!std::filesystem::exists(path, code))
        return make_unexpected(Error{ErrorCode::FileNotFound, path, {}, "there is no such file"});
    if (std::filesystem::is_directory(path, code))
        return make_unexpected(Error{ErrorCode::Unreadable, path, {}, "is a folder, not a file"});
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file)
        return make_unexpected(
            Error{ErrorCode::Unreadable, path, {}, std::string("cannot be opened: ") + std::strerror(errno)});
    FileReader reader(file);
    const auto start = reader.peekAtLeast(4);
    if (startsGzip(start))
        return std::make_unique<GzipSource>(std::move(reader));
    if (startsZstd(start))
        return std::make_unique<ZstdSource>(std::move(reader));
    return std::make_unique<PlainSource>(std::move(reader));
}

std::uint64_t fileSize(const std::string& path) {
    std::error_code code;
    const std::uintmax_t size = std::filesystem::file_size(path, code);
    return code ? 0 : size;
}

} // namespace lockstep
