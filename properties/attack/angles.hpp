// POS-2, NUM-7: everything that the admitted ways make of the angle of one entry.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "properties/attack/reach.hpp"

namespace etalon::attack {

struct Entry {
  std::int64_t width = 2, r = 0, position = 1;
  double base = 10000;
};

// Elementary functions that err by as much as is declared, either way. Evaluated with more bits than the
// format has; a thousandth of the allowance is kept for that.
class Elementary {
 public:
  Elementary(const Format& format, double ulps)
      : format_(format),
        ulps_(ulps),
        down_(format, Direction::down),
        up_(format, Direction::up),
        nearest_(format, Direction::nearest) {}

  Range near(long double value) const {
    const auto allowed =
        static_cast<long double>(ulps_ * (1 - 0x1p-10) * ulp(format_, static_cast<double>(value)));
    Range result;
    const double low = up_.round(above(value - allowed));
    const double high = down_.round(below(value + allowed));
    if (low <= high) {
      result.admit(low);
      result.admit(high);
    } else {
      result.admit(nearest_.round(static_cast<double>(value)));
    }
    return result;
  }

  template <typename Function>
  Range at(const Range& x, Function f) const {
    Range result = near(f(static_cast<long double>(x.low)));
    if (!x.single()) result.admit(near(f(static_cast<long double>(x.high))));
    return result;
  }

 private:
  static double below(long double x) {
    const auto nearest = static_cast<double>(x);
    return static_cast<long double>(nearest) > x ? std::nextafter(nearest, -HUGE_VAL) : nearest;
  }
  static double above(long double x) { return -below(-x); }

  Format format_;
  double ulps_;
  Arithmetic down_, up_, nearest_;
};

// The admitted ways from (position, r, width, base) to an angle, in one format.
class Angles {
 public:
  Angles(const Setting& setting, const Entry& entry)
      : reach_(setting),
        elementary_(setting.out, setting.model.power_ulp),
        double_r_(reach_.constant(static_cast<double>(2 * entry.r))),
        width_(reach_.constant(static_cast<double>(entry.width))),
        position_(reach_.constant(static_cast<double>(entry.position))),
        base_(reach_.constant(entry.base)) {}

  static constexpr std::array names = {
      "pos exp(-(2r/d) ln b)",  "pos exp(-2r (ln b/d))",    "pos exp(-(2r ln b)/d)",
      "pos / exp((2r/d) ln b)", "pos exp2(-(2r/d) log2 b)", "pos / pow(b, 2r/d)",
      "pos (1 / pow(b, 2r/d))", "pos pow(b, -2r/d)",        "pos pow(1/b, 2r/d)"};

  Range angle(std::size_t way) const;

 private:
  Range power(const Range& base, const Range& exponent) const;

  Reach reach_;
  Elementary elementary_;
  Range double_r_, width_, position_, base_;
};

}  // namespace etalon::attack
