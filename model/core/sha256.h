#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lockstep {

/// SHA-256 of bytes that come in pieces (FIPS 180-4).
class Sha256 {
public:
    void add(std::string_view bytes);
    /// 64 hexadecimal digits; nothing may be added after.
    [[nodiscard]] std::string hex();

private:
    void block(const std::uint8_t* bytes);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> m_pending{};
    std::size_t m_filled = 0;
    std::uint64_t m_bytes = 0;
};

[[nodiscard]] std::string sha256Of(std::string_view text);
/// Of the file's bytes as they lie on disk; empty where it cannot be read.
[[nodiscard]] std::string sha256OfFile(const std::string& path);

} // namespace lockstep
