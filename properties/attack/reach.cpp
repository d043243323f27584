#include "properties/attack/reach.hpp"

namespace etalon::attack {
namespace {

Direction lower(Rounding rounding) {
  return rounding == Rounding::nearest ? Direction::nearest : Direction::down;
}

Direction upper(Rounding rounding) {
  return rounding == Rounding::nearest ? Direction::nearest : Direction::up;
}

// f at the corners of two ranges: monotone in each operand, whichever way.
template <typename Low, typename High>
Range at_corners(const Range& x, const Range& y, Low low, High high) {
  Range result;
  const auto visit = [&](double a, double b) {
    result.admit(low(a, b));
    result.admit(high(a, b));
  };
  visit(x.low, y.low);
  if (!x.single()) visit(x.high, y.low);
  if (!y.single()) visit(x.low, y.high);
  if (!x.single() && !y.single()) visit(x.high, y.high);
  result.nan = result.nan || x.nan || y.nan;
  return result;
}

}  // namespace

Reach::Rounder::Rounder(const Format& format, Rounding rounding)
    : low(format, lower(rounding)), high(format, upper(rounding)) {}

Reach::Reach(const Setting& setting)
    : setting_(setting),
      accumulator_(setting.formats.accumulator, setting.model.rounding),
      storage_(setting.formats.storage, setting.model.rounding),
      factor_(setting.formats.product_input, setting.model.rounding),
      out_(setting.out, setting.model.rounding),
      low_(accumulator_.low),
      high_(accumulator_.high),
      stores_(setting.stores_narrower()),
      converts_(!bounds::contains(setting.formats.accumulator, setting.out)),
      narrows_(!bounds::contains(setting.formats.product_input, setting.formats.accumulator) ||
               !bounds::contains(setting.formats.product_input, setting.out)) {}

Range Reach::of_both(double low, double high) {
  Range result;
  result.admit(low);
  result.admit(high);
  return result;
}

// What is subnormal, an end of the range at least, may be zero.
Range Reach::flushed(Range x, double least) const {
  if (!setting_.model.flushes_subnormals) return x;
  if (x.low > 0 && x.low < least) x.low = 0;
  if (x.high < 0 && x.high > -least) x.high = 0;
  return x;
}

Range Reach::stored(Range x) const {
  x = flushed(x, setting_.formats.accumulator.smallest_normal());
  if (stores_ && !x.empty()) x.admit(flushed(storage_(x), setting_.formats.storage.smallest_normal()));
  return x;
}

Range Reach::operand(double x, bool factor) const {
  Range result = flushed(Range::of(x), setting_.out.smallest_normal());
  if (converts_) {
    result = flushed(accumulator_(result), setting_.formats.accumulator.smallest_normal());
  }
  return factor ? narrowed(result) : result;
}

Range Reach::narrowed(Range x) const {
  if (narrows_) x.admit(flushed(factor_(x), setting_.formats.product_input.smallest_normal()));
  return x;
}

Range Reach::add(const Range& x, const Range& y) const {
  if (x.empty() || y.empty()) return {};
  Range result = of_both(low_.add(x.low, y.low), high_.add(x.high, y.high));
  result.nan = result.nan || x.nan || y.nan;
  return stored(result);
}

Range Reach::multiply(const Range& x, const Range& y) const {
  if (x.empty() || y.empty()) return {};
  return stored(at_corners(
      x, y, [&](double a, double b) { return low_.multiply(a, b); },
      [&](double a, double b) { return high_.multiply(a, b); }));
}

Range Reach::fma(const Range& x, const Range& y, const Range& z) const {
  if (x.empty() || y.empty() || z.empty()) return {};
  Range result = at_corners(
      x, y, [&](double a, double b) { return low_.fma(a, b, z.low); },
      [&](double a, double b) { return high_.fma(a, b, z.high); });
  result.nan = result.nan || z.nan;
  return stored(result);
}

Range Reach::divide(const Range& x, const Range& y) const {
  if (x.empty() || y.empty()) return {};
  return stored(at_corners(
      x, y, [&](double a, double b) { return low_.divide(a, b); },
      [&](double a, double b) { return high_.divide(a, b); }));
}

Range Reach::result(const Range& x) const {
  return x.empty() ? x : flushed(out_(x), setting_.out.smallest_normal());
}

}  // namespace etalon::attack
