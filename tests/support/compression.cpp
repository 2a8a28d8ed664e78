#include "tests/support/compression.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

#include <isa-l/igzip_lib.h>
#include <zstd.h>

namespace lockstep::test {

namespace {

[[noreturn]] void fail(const std::string& file, const char* what) {
    std::fprintf(stderr, "%s: %s\n", file.c_str(), what);
    std::abort();
}

template <class Compress>
std::string inParts(std::string_view text, std::size_t parts, Compress compress) {
    std::string all;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = text.size() * i / parts;
        all += compress(text.substr(begin, text.size() * (i + 1) / parts - begin));
    }
    return all;
}

std::string gzipMember(std::string_view text) {
    std::string input(text);
    std::string output(text.size() + text.size() / 8 + 1024, '\0');
    isal_zstream stream;
    isal_deflate_stateless_init(&stream);
    stream.gzip_flag = IGZIP_GZIP;
    stream.end_of_stream = 1;
    stream.next_in = reinterpret_cast<std::uint8_t*>(input.data());
    stream.avail_in = static_cast<std::uint32_t>(input.size());
    stream.next_out = reinterpret_cast<std::uint8_t*>(output.data());
    stream.avail_out = static_cast<std::uint32_t>(output.size());
    if (isal_deflate_stateless(&stream) != COMP_OK)
        fail("gzip", "cannot compress");
    output.resize(stream.total_out);
    return output;
}

std::string zstdFrame(std::string_view text) {
    std::string output(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(output.data(), output.size(), text.data(), text.size(), 3);
    if (ZSTD_isError(size) != 0)
        fail("zstd", ZSTD_getErrorName(size));
    output.resize(size);
    return output;
}

std::string gunzip(const std::string& file, std::string& bytes) {
    std::string text;
    auto state = std::make_unique<inflate_state>();
    std::vector<std::uint8_t> chunk(1 << 20);
    auto* next = reinterpret_cast<std::uint8_t*>(bytes.data());
    auto left = static_cast<std::uint32_t>(bytes.size());
    while (left > 0) {
        isal_inflate_init(state.get());
        state->crc_flag = ISAL_GZIP;
        state->next_in = next;
        state->avail_in = left;
        do {
            state->next_out = chunk.data();
            state->avail_out = static_cast<std::uint32_t>(chunk.size());
            if (isal_inflate(state.get()) != ISAL_DECOMP_OK)
                fail(file, "damaged gzip");
            text.append(reinterpret_cast<const char*>(chunk.data()), chunk.size() - state->avail_out);
        } while (state->block_state != ISAL_BLOCK_FINISH);
        next = state->next_in;
        left = state->avail_in;
    }
    return text;
}

std::string unzstd(const std::string& file, const std::string& bytes) {
    const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(),
                                                                               ZSTD_freeDStream);
    std::string text;
    std::vector<char> chunk(1 << 20);
    ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
    while (input.pos < input.size) {
        ZSTD_outBuffer output{chunk.data(), chunk.size(), 0};
        const std::size_t left = ZSTD_decompressStream(stream.get(), &output, &input);
        if (ZSTD_isError(left) != 0)
            fail(file, ZSTD_getErrorName(left));
        text.append(chunk.data(), output.pos);
    }
    return text;
}

} // namespace

std::string gzip(std::string_view text, std::size_t members) {
    return inParts(text, members, gzipMember);
}

std::string zstd(std::string_view text, std::size_t frames) {
    return inParts(text, frames, zstdFrame);
}

std::string readWhole(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in)
        fail(file, "cannot be opened");
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.starts_with("\x1f\x8b"))
        return gunzip(file, bytes);
    if (bytes.starts_with("\x28\xb5\x2f\xfd"))
        return unzstd(file, bytes);
    return bytes;
}

} // namespace lockstep::test
