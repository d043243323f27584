// Position codes in double-double arithmetic: frequencies, walks and rotations that lose nothing that f32,
// and mostly nothing that f64, could show.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "properties/honest/waves.hpp"
#include "reference/oracle/position.hpp"

namespace etalon::honest {

using oracle::add;
using oracle::multiply;

inline DoubleDouble power(DoubleDouble x, std::int64_t n) {
  DoubleDouble result{1, 0};
  for (; n > 0; n /= 2, x = multiply(x, x)) {
    if (n % 2 == 1) result = multiply(result, x);
  }
  return result;
}

// q = base^(-2/d), d > 2: two steps of Newton's method for q^m base = 1, m = d/2, from binary64:
// q (1 - (q^m base - 1)/m) squares the relative error, and q^m is good to about m 2^-102.
inline DoubleDouble ratio_of(std::int64_t d, double base) {
  const double m = static_cast<double>(d) / 2;
  DoubleDouble q{std::pow(base, -1 / m), 0};
  for (int step = 0; step < 2; ++step) {
    const DoubleDouble residual = add(multiply(power(q, d / 2), base), -1.0);
    q = add(q, multiply(q, -(residual.hi + residual.lo) / m));
  }
  return q;
}

// w_0 = 1, w_(r+1) = w_r q: 2048 products of 4 u^2 each leave 92 bits.
inline std::vector<DoubleDouble> frequencies_of(std::int64_t d, double base) {
  std::vector<DoubleDouble> frequencies = {{1, 0}};
  const DoubleDouble q = ratio_of(d, base);
  while (static_cast<std::int64_t>(frequencies.size()) < d / 2)
    frequencies.push_back(multiply(frequencies.back(), q));
  return frequencies;
}

// sin and cos of hi + lo, where binary64 reduces hi without error.
inline SinCos turned(DoubleDouble angle) {
  const double s = std::sin(angle.hi);
  const double c = std::cos(angle.hi);
  const double ds = std::sin(angle.lo);
  const double dc = std::cos(angle.lo);
  return {s * dc + c * ds, c * dc - s * ds};
}

// cos + i sin as a complex number.
struct Rotation {
  DoubleDouble cosine{1, 0};
  DoubleDouble sine{0, 0};
};

inline Rotation after(const Rotation& x, const Rotation& y) {
  const DoubleDouble ss = multiply(x.sine, y.sine);
  return {add(multiply(x.cosine, y.cosine), DoubleDouble{-ss.hi, -ss.lo}),
          add(multiply(x.sine, y.cosine), multiply(x.cosine, y.sine))};
}

inline Rotation rotation_at(const oracle::SinusoidalOracle& oracle, std::int64_t position, std::int64_t r) {
  const auto [sine, cosine] = oracle.at(position, r);
  return {{cosine.hi, cosine.lo}, {sine.hi, sine.lo}};
}

// Angle pos w_r in double-double.
inline Wave exact_angle_wave(std::int64_t d, double base) {
  return [frequencies = frequencies_of(d, base)](std::int64_t position, std::int64_t r) {
    const DoubleDouble w = frequencies[static_cast<std::size_t>(r)];
    return turned(multiply(w, static_cast<double>(position)));
  };
}

// Angle pos w_r rounded to binary64, the frequencies by repeated multiplication.
inline Wave repeated_product_wave(std::int64_t d, double base) {
  return [frequencies = frequencies_of(d, base)](std::int64_t position, std::int64_t r) {
    const double angle = static_cast<double>(position) * frequencies[static_cast<std::size_t>(r)].hi;
    return SinCos{std::sin(angle), std::cos(angle)};
  };
}

// From row to row by rotation, beginning anew at every multiple of 16 with certified values, so that a row
// does not depend on where the table begins (POS-10). 15 steps of about 10 u^2.
inline Wave walking_wave(std::int64_t d, double base) {
  constexpr std::int64_t stretch = 16;
  const auto oracle = std::make_shared<const oracle::SinusoidalOracle>(d, base);
  return [oracle](std::int64_t position, std::int64_t r) {
    Rotation state = rotation_at(*oracle, position / stretch * stretch, r);
    const Rotation step = rotation_at(*oracle, 1, r);
    for (std::int64_t i = 0; i < position % stretch; ++i) state = after(state, step);
    return SinCos{state.sine.hi, state.cosine.hi};
  };
}

// e^(i pos w) as the product of e^(i 2^j w) over the bits of pos; each square doubles the error, so that
// 2^31 leaves 74 bits or so.
inline Wave binary_power_wave(std::int64_t d, double base) {
  constexpr std::size_t bits = 53;
  const oracle::SinusoidalOracle oracle(d, base);
  auto turns = std::make_shared<std::vector<Rotation>>();
  for (std::int64_t r = 0; r < d / 2; ++r) {
    Rotation square = rotation_at(oracle, 1, r);
    for (std::size_t bit = 0; bit < bits; ++bit, square = after(square, square)) turns->push_back(square);
  }
  return [turns](std::int64_t position, std::int64_t r) {
    Rotation state;
    for (std::size_t bit = 0; position >> bit != 0; ++bit) {
      if ((position >> bit) % 2 != 0)
        state = after(state, (*turns)[static_cast<std::size_t>(r) * bits + bit]);
    }
    return SinCos{state.sine.hi, state.cosine.hi};
  };
}

}  // namespace etalon::honest
