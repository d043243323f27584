#include "conformance/backends/simd/turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace etalon_simd {
namespace {

__extension__ using Wide = unsigned __int128;

// A fraction of [0, 1): limb 3 is the most significant.
using Fraction = std::array<std::uint64_t, 4>;

constexpr Fraction inverse_of_two_pi = {0x7f9458eaf7aef158, 0x6d8a5664f10e4107, 0x7f09d5f47d4d3770,
                                        0x28be60db9391054a};

// The upper half of the product: exact but for less than one unit of the last place.
Fraction times(const Fraction& a, const Fraction& b) {
  std::array<std::uint64_t, 8> product{};
  for (std::size_t i = 0; i < 4; i++) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < 4; j++) {
      const Wide sum = Wide{a[i]} * b[j] + product[i + j] + carry;
      product[i + j] = static_cast<std::uint64_t>(sum);
      carry = static_cast<std::uint64_t>(sum >> 64);
    }
    product[i + 4] = carry;
  }
  return {product[4], product[5], product[6], product[7]};
}

Fraction plus(const Fraction& a, const Fraction& b) {
  Fraction result{};
  Wide carry = 0;
  for (std::size_t i = 0; i < 4; i++) {
    const Wide sum = Wide{a[i]} + b[i] + carry;
    result[i] = static_cast<std::uint64_t>(sum);
    carry = sum >> 64;
  }
  return result;
}

Fraction negated(const Fraction& a) { return plus({~a[0], ~a[1], ~a[2], ~a[3]}, {1, 0, 0, 0}); }

Fraction divided(const Fraction& a, std::uint64_t divisor) {
  Fraction result{};
  Wide rest = 0;
  for (std::size_t i = 4; i-- > 0;) {
    rest = (rest << 64) | a[i];
    result[i] = static_cast<std::uint64_t>(rest / divisor);
    rest %= divisor;
  }
  return result;
}

// a^exponent by squaring, exponent >= 1.
Fraction power(Fraction a, std::uint64_t exponent) {
  for (; exponent % 2 == 0; exponent /= 2) a = times(a, a);
  Fraction result = a;
  while (exponent /= 2) {
    a = times(a, a);
    if (exponent % 2 == 1) result = times(result, a);
  }
  return result;
}

// base * p mod 1. The double is an integer of 53 bits times 2^-shift.
Fraction scaled(double base, const Fraction& p) {
  int exponent = 0;
  const auto integer = static_cast<std::uint64_t>(std::ldexp(std::frexp(base, &exponent), 53));
  const int shift = 53 - exponent;  // 4 .. 52 for 1 < base <= 2^48
  std::array<std::uint64_t, 5> product{};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < 4; i++) {
    const Wide sum = Wide{integer} * p[i] + carry;
    product[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  product[4] = carry;
  Fraction result{};
  for (std::size_t i = 0; i < 4; i++) result[i] = (product[i] >> shift) | (product[i + 1] << (64 - shift));
  return result;
}

// base^(-1/half), half >= 2, by Newton's iteration for base w^half = 1: with t = base w^half, w grows by
// w (1 - t) / half. The relative error goes from 2^-52 to about half 2^-105, then below 2^-170, then to the
// last places: four steps are enough for any half below 2^20.
Fraction root(double base, std::int64_t half) {
  const double start = std::min(std::pow(base, -1.0 / static_cast<double>(half)), 1 - 0x1p-53);
  Fraction w = {0, 0, 0, static_cast<std::uint64_t>(std::ldexp(start, 64))};
  const auto exponent = static_cast<std::uint64_t>(half);
  for (int step = 0; step < 4; step++) {
    const Fraction t = scaled(base, power(w, exponent));  // mod 1: just below 1, or just above
    if (t[3] >> 63 != 0)
      w = plus(w, times(w, divided(negated(t), exponent)));
    else
      w = plus(w, negated(times(w, divided(t, exponent))));
  }
  return w;
}

}  // namespace

Turns frequencies(double base, std::int64_t half, std::size_t multiple) {
  const std::size_t count = static_cast<std::size_t>(half);
  const std::size_t padded = (count + multiple - 1) / multiple * multiple;
  Turns turns{std::vector<std::uint64_t>(padded), std::vector<std::uint64_t>(padded)};
  Fraction w = inverse_of_two_pi;  // w_0 = 1
  const Fraction ratio = half > 1 ? root(base, half) : Fraction{};
  for (std::size_t r = 0; r < count; r++) {
    turns.high[r] = w[3];
    turns.low[r] = w[2];
    w = times(w, ratio);
  }
  return turns;
}

Turns angles(const Turns& frequencies, std::uint64_t position) {
  Turns result = frequencies;
  for (std::size_t r = 0; r < result.high.size(); r++) {
    const Wide low = Wide{position} * frequencies.low[r];
    result.low[r] = static_cast<std::uint64_t>(low);
    result.high[r] = position * frequencies.high[r] + static_cast<std::uint64_t>(low >> 64);
  }
  return result;
}

}  // namespace etalon_simd
