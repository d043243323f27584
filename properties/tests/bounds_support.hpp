// NUM-3, NUM-4: what the tests of the bounds share: what they print and expect of an attack, and random data.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <random>
#include <string>

#include "properties/attack/arithmetic.hpp"
#include "reference/numerics.hpp"

namespace etalon::tests {

using attack::Arithmetic;
using attack::Attack;

inline void report(const std::string& name, const Attack& attack) {
  testing::Test::RecordProperty(name, std::to_string(attack.worst));
  std::printf("  %-44s margin %-10.4g of %llu\n", name.c_str(), attack.worst,
              static_cast<unsigned long long>(attack.judged));
}

// An honest algorithm: every element passes, and the bound is not idle.
inline void expect_honest(const std::string& name, const Attack& attack, double at_least = 0) {
  report(name, attack);
  EXPECT_EQ(attack.failed, 0U) << name;
  EXPECT_LE(attack.worst, 1) << name;
  EXPECT_GE(attack.worst, at_least) << name;
}

inline void expect_refuted(const std::string& name, const Attack& attack) {
  report(name, attack);
  EXPECT_GT(attack.failed, 0U) << name;
  EXPECT_GT(attack.worst, 1) << name;
}

inline double uniform(std::mt19937_64& random) {
  return std::ldexp(static_cast<double>(random() >> 11), -53);
}

inline double normal(std::mt19937_64& random) {
  return std::sqrt(-2 * std::log(uniform(random) + 0x1p-54)) * std::cos(6.283185307179586 * uniform(random));
}

inline double rounded_to(const Format& format, double x) { return decode(format, encode(format, x)); }

}  // namespace etalon::tests
