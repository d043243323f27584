// An enclosure of a real number: a double-double midpoint and a radius.
// The certified fast path hands these to the judges; the readable definitions never see them.
#pragma once

#include <cmath>

namespace etalon {

// The true value y satisfies |y - (hi + lo)| <= radius, with |lo| <= ulp(hi)/2.
// A value that is not finite (an overflow to +-Inf, a NaN by the definition's IEEE rules) is
// carried in `hi`, with lo = radius = 0.
struct Ball {
  double hi = 0;
  double lo = 0;
  double radius = 0;

  static Ball exact(double value) { return {value, 0, 0}; }
  bool finite() const { return std::isfinite(hi); }
  bool is_exact() const { return radius == 0; }
};

}  // namespace etalon
