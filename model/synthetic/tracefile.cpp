#include "model/synthetic/tracefile.h"

#include <fmt/format.h>
#include <isa-l/igzip_lib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <functional>
#include <unistd.h>
#include <utility>
#include <vector>
#include <zstd.h>

namespace lockstep {

namespace {

Error failure(const std::string& path, int error) {
    return {ErrorCode::Unreadable,
            path,
            {},
            fmt::format("cannot be written: {}; choose another folder", std::strerror(error))};
}

} // namespace

/// Turns text into compressed bytes, piece by piece.
class TraceFile::Compressor {
public:
    using Take = std::function<void(std::string_view)>;
    virtual ~Compressor() = default;
    Compressor() = default;
    Compressor(const Compressor&) = delete;
    Compressor& operator=(const Compressor&) = delete;
    /// Hands what comes of `text` to `take`; `last`: no more text follows.
    virtual void compress(std::string_view text, bool last, const Take& take) = 0;
};

/// One gzip stream at ISA-L's level 1.
class TraceFile::Gzip final : public Compressor {
public:
    Gzip()
        : m_levelBuffer(ISAL_DEF_LVL1_DEFAULT)
        , m_output(256 * 1024) {
        isal_deflate_init(&m_stream);
        m_stream.level = 1;
        m_stream.level_buf = m_levelBuffer.data();
        m_stream.level_buf_size = static_cast<std::uint32_t>(m_levelBuffer.size());
        m_stream.gzip_flag = IGZIP_GZIP;
    }

    void compress(std::string_view text, bool last, const Take& take) override {
        std::vector<std::uint8_t> input(text.begin(), text.end());
        m_stream.next_in = input.data();
        m_stream.avail_in = static_cast<std::uint32_t>(input.size());
        m_stream.end_of_stream = last ? 1 : 0;
        do {
            m_stream.next_out = m_output.data();
            m_stream.avail_out = static_cast<std::uint32_t>(m_output.size());
            isal_deflate(&m_stream);
            const std::size_t made = m_output.size() - m_stream.avail_out;
            take(std::string_view(reinterpret_cast<const char*>(m_output.data()), made));
        } while (m_stream.avail_out == 0 || (last && m_stream.internal_state.state != ZSTATE_END));
    }

private:
    isal_zstream m_stream{};
    std::vector<std::uint8_t> m_levelBuffer;
    std::vector<std::uint8_t> m_output;
};

/// One zstd frame at its default level.
class TraceFile::Zstd final : public Compressor {
public:
    Zstd()
        : m_stream(ZSTD_createCStream())
        , m_output(ZSTD_CStreamOutSize()) {}

    void compress(std::string_view text, bool last, const Take& take) override {
        ZSTD_inBuffer input{text.data(), text.size(), 0};
        std::size_t left = 0;
        do {
            ZSTD_outBuffer output{m_output.data(), m_output.size(), 0};
            left = ZSTD_compressStream2(m_stream.get(), &output, &input, last ? ZSTD_e_end : ZSTD_e_continue);
            take(std::string_view(m_output.data(), output.pos));
        } while (ZSTD_isError(left) == 0 && (input.pos < input.size || (last && left > 0)));
    }

private:
    struct Free {
        void operator()(ZSTD_CStream* stream) const { ZSTD_freeCStream(stream); }
    };
    std::unique_ptr<ZSTD_CStream, Free> m_stream;
    std::vector<char> m_output;
};

TraceFile::TraceFile(std::string path, int descriptor)
    : m_path(std::move(path))
    , m_descriptor(descriptor) {}

TraceFile::TraceFile(TraceFile&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_descriptor(std::exchange(other.m_descriptor, -1))
    , m_error(other.m_error)
    , m_textBytes(other.m_textBytes)
    , m_compressor(std::move(other.m_compressor)) {}

TraceFile& TraceFile::operator=(TraceFile&& other) noexcept {
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    m_error = other.m_error;
    m_textBytes = other.m_textBytes;
    m_compressor.swap(other.m_compressor);
    return *this;
}

TraceFile::~TraceFile() {
    if (m_descriptor >= 0) {
        ::close(m_descriptor);
        std::remove((m_path + ".tmp").c_str());
    }
}

Result<TraceFile> TraceFile::create(std::string path, Compression compression) {
    const int descriptor = ::open((path + ".tmp").c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor < 0)
        return make_unexpected(failure(path, errno));
    TraceFile file(std::move(path), descriptor);
    if (compression == Compression::Gzip)
        file.m_compressor = std::make_unique<Gzip>();
    else if (compression == Compression::Zstd)
        file.m_compressor = std::make_unique<Zstd>();
    return file;
}

void TraceFile::write(std::string_view text) {
    m_textBytes += text.size();
    if (m_compressor)
        m_compressor->compress(text, false, [this](std::string_view bytes) {
            writeRaw(bytes);
        });
    else
        writeRaw(text);
}

void TraceFile::writeRaw(std::string_view bytes) {
    while (!bytes.empty() && m_error == 0) {
        const ssize_t written = ::write(m_descriptor, bytes.data(), bytes.size());
        if (written >= 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            m_error = errno;
    }
}

Result<void> TraceFile::finish() {
    if (m_compressor)
        m_compressor->compress({}, true, [this](std::string_view bytes) {
            writeRaw(bytes);
        });
    if (::close(std::exchange(m_descriptor, -1)) != 0 && m_error == 0)
        m_error = errno;
    const std::string temporary = m_path + ".tmp";
    if (m_error == 0 && std::rename(temporary.c_str(), m_path.c_str()) != 0)
        m_error = errno;
    if (m_error != 0) {
        std::remove(temporary.c_str());
        return make_unexpected(failure(m_path, m_error));
    }
    return {};
}

} // namespace lockstep
