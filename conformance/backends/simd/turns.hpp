// Frequencies of position codes in turns, as 128-bit fixed-point fractions. The angle of position `pos` is
// then pos * w mod 1 turn in plain integer arithmetic: the wrap-around is the argument reduction, and nothing
// is lost to it. The error is below (pos + 1) 2^-128 turns.
#pragma once

#include <cstdint>
#include <vector>

namespace etalon_simd {

struct Turns {
  std::vector<std::uint64_t> high, low;  // the fraction is (high 2^64 + low) 2^-128
};

inline constexpr double largest_base = 0x1p48;  // beyond it, the slowest frequencies would have too few bits

// w_r / 2pi for w_r = base^(-r/half), r = 0 .. half-1, padded with zeros to a multiple of `multiple`.
// Precondition: 1 < base <= largest_base, half >= 1.
Turns frequencies(double base, std::int64_t half, std::size_t multiple);

// pos * w mod 1 for every frequency.
Turns angles(const Turns& frequencies, std::uint64_t position);

}  // namespace etalon_simd
