#include "properties/attack/angles.hpp"

namespace etalon::attack {
namespace {

Range minus(const Range& x) { return {-x.high, -x.low, x.nan}; }

}  // namespace

Range Angles::angle(std::size_t way) const {
  const auto exp = [](long double x) { return std::exp(x); };
  const auto exp2 = [](long double x) { return std::exp2(x); };
  const Range log = elementary_.at(base_, [](long double x) { return std::log(x); });
  const Range exponent = reach_.divide(double_r_, width_);
  const auto by_exp = [&](const Range& e) {
    return reach_.multiply(position_, elementary_.at(minus(e), exp));
  };
  switch (way) {
    case 0:
      return by_exp(reach_.multiply(exponent, log));
    case 1:
      return by_exp(reach_.multiply(double_r_, reach_.divide(log, width_)));
    case 2:
      return by_exp(reach_.divide(reach_.multiply(double_r_, log), width_));
    case 3:
      return reach_.divide(position_, elementary_.at(reach_.multiply(exponent, log), exp));
    case 4: {
      const Range log2 = elementary_.at(base_, [](long double x) { return std::log2(x); });
      return reach_.multiply(position_, elementary_.at(minus(reach_.multiply(exponent, log2)), exp2));
    }
    case 5:
      return reach_.divide(position_, power(base_, exponent));
    case 6:
      return reach_.multiply(position_, reach_.divide(Range::of(1), power(base_, exponent)));
    case 7:
      return reach_.multiply(position_, power(base_, minus(exponent)));
    default:
      return reach_.multiply(position_, power(reach_.divide(Range::of(1), base_), exponent));
  }
}

Range Angles::power(const Range& base, const Range& exponent) const {
  Range result;
  for (const double b : {base.low, base.high}) {
    result.admit(
        elementary_.at(exponent, [b](long double e) { return std::pow(static_cast<long double>(b), e); }));
  }
  return result;
}

}  // namespace etalon::attack
