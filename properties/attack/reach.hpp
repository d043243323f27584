// NUM-3: everything that a declared model lets an algorithm compute, as a range. Each operation is monotone
// in each of its operands, rounded or not, so the ends of a range of results come from the ends of the
// ranges of its operands, and both are reached by some algorithm that the model admits.
#pragma once

#include <algorithm>
#include <cmath>

#include "properties/attack/arithmetic.hpp"
#include "properties/bounds/arithmetic.hpp"
#include "properties/model.hpp"

namespace etalon::attack {

struct Range {
  double low = HUGE_VAL;  // above `high`: nothing is reached
  double high = -HUGE_VAL;
  bool nan = false;  // some algorithm makes it NaN

  static Range of(double value) { return {value, value, false}; }
  bool empty() const { return low > high && !nan; }
  bool single() const { return low == high; }
  void admit(double value) {
    nan = nan || std::isnan(value);
    low = value < low ? value : low;
    high = value > high ? value : high;
  }
  void admit(const Range& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    nan = nan || other.nan;
  }
};

// A model, its formats and the format of the data.
struct Setting {
  Model model;
  bounds::Formats formats;
  Format out;

  bool stores_narrower() const { return !bounds::contains(formats.storage, formats.accumulator); }
};

class Reach {
 public:
  explicit Reach(const Setting& setting);

  // An element as an operand: converted to the accumulator where that is narrower; `factor`: of a product,
  // perhaps rounded to the format of such.
  Range operand(double x, bool factor) const;
  // alpha, beta or c as the accumulator has it.
  Range constant(double x) const { return of_both(low_.round(x), high_.round(x)); }
  Range narrowed(Range x) const;  // the same and its rounding to the format of factors
  Range add(const Range& x, const Range& y) const;
  Range multiply(const Range& x, const Range& y) const;
  Range fma(const Range& x, const Range& y, const Range& z) const;
  Range divide(const Range& x, const Range& y) const;
  Range result(const Range& x) const;  // in the format of the data

 private:
  // Lower and upper end of one rounding into a format.
  struct Rounder {
    Rounder(const Format& format, Rounding rounding);
    Range operator()(const Range& x) const { return {low.round(x.low), high.round(x.high), x.nan}; }
    Arithmetic low, high;
  };

  static Range of_both(double low, double high);
  Range flushed(Range x, double least) const;
  Range stored(Range x) const;

  const Setting& setting_;
  Rounder accumulator_, storage_, factor_, out_;
  const Arithmetic& low_;
  const Arithmetic& high_;
  bool stores_, converts_, narrows_;
};

}  // namespace etalon::attack
