// What the tests of the definitions share: when two enclosures agree, and reproducible numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>

#include "reference/oracle/ball.hpp"

namespace etalon::tests {

// Two enclosures of one number overlap. The differences of close doubles are exact or off by parts
// of 2^-53 of themselves, hence the factor.
inline bool agree(const Ball& a, const Ball& b) {
  if (!a.finite() || !b.finite()) return a.hi == b.hi || (std::isnan(a.hi) && std::isnan(b.hi));
  const double distance = std::fabs((a.hi - b.hi) + (a.lo - b.lo));
  return distance <= (a.radius + b.radius) * (1 + 0x1p-40);
}

// Agreement says little about wide balls: these are as narrow as a double-double can show.
inline bool is_narrow(const Ball& a) { return a.radius <= std::fabs(a.hi) * 0x1p-104 + 0x1p-1073; }

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  std::int64_t below(std::int64_t limit) {
    return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(limit));
  }
  // A double of random sign and significand, with an exponent in [lowest, highest].
  double number(int lowest, int highest) {
    const double significand = 1 + static_cast<double>(engine_() >> 12) * 0x1p-52;
    const int exponent = lowest + static_cast<int>(below(highest - lowest + 1));
    return std::ldexp((engine_() & 1) != 0 ? significand : -significand, exponent);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace etalon::tests
