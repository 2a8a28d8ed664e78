#pragma once

#include <cmath>
#include <cstdint>

namespace lockstep {

/// Noise as a pure function of a seed and up to three coordinates: the same on every platform, and in any
/// order of evaluation (std::distributions are neither).
class Noise {
public:
    explicit constexpr Noise(std::uint64_t seed)
        : m_seed(mix(seed + 0x9E37'79B9'7F4A'7C15u)) {}

    /// Uniform in [0, 1).
    [[nodiscard]] double uniform(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) const {
        const std::uint64_t bits = mix(mix(mix(m_seed ^ a) + b) ^ (c * 0xD6E8'FEB8'6659'FD93u));
        return static_cast<double>(bits >> 11) * 0x1.0p-53;
    }
    /// Uniform in [-1, 1).
    [[nodiscard]] double symmetric(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) const {
        return 2 * uniform(a, b, c) - 1;
    }
    /// Exponential with mean 1, cut at 4.
    [[nodiscard]] double exponential(std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) const {
        return std::fmin(-std::log1p(-uniform(a, b, c)), 4.0);
    }

private:
    /// The finaliser of splitmix64.
    static constexpr std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58'476D'1CE4'E5B9u;
        x = (x ^ (x >> 27)) * 0x94D0'49BB'1331'11EBu;
        return x ^ (x >> 31);
    }
    std::uint64_t m_seed;
};

} // namespace lockstep
