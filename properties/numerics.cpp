// NUM-1, NUM-2: the laws of rounding and of the ulp.
#include <bit>
#include <cmath>

#include "properties/numerics_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

std::uint64_t sign_of(const Format& format) { return std::uint64_t{1} << (format.bits - 1); }
std::uint64_t infinity_of(const Format& format) { return encode(format, HUGE_VAL); }

// A finite value of the format, uniform over the bit patterns.
double any_finite(const Format& format, Stream& words) {
  const std::uint64_t bits = words.below(infinity_of(format));
  return decode(format, bits | (words.below(2) == 0 ? 0 : sign_of(format)));
}

enum class Near { anything, value, midpoint, below_midpoint, above_midpoint, overflow };

// A real number (as a double) that rounding may get wrong. Midpoints are exact: the significands of
// the narrow formats leave room in a double; f64 has none and falls back to its values.
double hard_to_round(const Format& format, Near near, Stream& words) {
  if (near == Near::anything) return std::bit_cast<double>(words.next());
  if (near == Near::overflow) {
    const double edge = format.largest_finite() + ulp(format, format.largest_finite()) / 2;
    const double steps[] = {std::nextafter(edge, 0), edge, std::nextafter(edge, HUGE_VAL),
                            format.largest_finite()};
    return steps[words.below(4)] * (words.below(2) == 0 ? 1 : -1);
  }
  const double value = any_finite(format, words);
  if (near == Near::value) return value;
  const double middle = value + std::copysign(ulp(format, value) / 2, value);
  if (near == Near::midpoint) return middle;
  return std::nextafter(middle, near == Near::below_midpoint ? 0 : std::copysign(HUGE_VAL, middle));
}

// NUM-1: |x - r| is least among the format's values, ties go to the even significand, and from
// Omega + ulp / 2 on the result is infinite. Judged by the midpoints on both sides of r.
bool is_nearest_even(const Format& format, double x, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & ~sign_of(format);
  const double a = std::fabs(x);
  const bool even = magnitude % 2 == 0;
  if (std::signbit(x) != ((bits & sign_of(format)) != 0)) return false;
  if (magnitude > infinity_of(format)) return std::isnan(x);
  const auto midpoint_above = [&](std::uint64_t lower) {
    const double value = decode(format, lower);
    return value + ulp(format, value) / 2;
  };
  if (format.precision == 53) return std::isnan(x) ? false : decode(format, magnitude) == a;
  const bool low_enough = magnitude == infinity_of(format) || a < midpoint_above(magnitude) ||
                          (even && a == midpoint_above(magnitude));
  const bool high_enough =
      magnitude == 0 || a > midpoint_above(magnitude - 1) || (even && a == midpoint_above(magnitude - 1));
  return low_enough && high_enough;
}

void rounds_to_nearest_even(Trial& trial) {
  Stream words = trial.stream("x");
  for (std::int64_t i = 0; i < trial["count"] && !trial.settled(); ++i) {
    const double x = hard_to_round(trial.format(), static_cast<Near>(trial["near"]), words);
    trial.expect(is_nearest_even(trial.format(), x, encode(trial.format(), x)),
                 std::to_string(x) + " is not rounded to the nearest value, ties to even");
  }
}

// NUM-1: a value of the format rounds to itself: encode(decode(bits)) = bits for all that is no NaN.
void values_round_to_themselves(Trial& trial) {
  const Format& format = trial.format();
  const bool all = format.bits == 16;
  Stream words = trial.stream("bits");
  const std::int64_t count = all ? 1 << 16 : 20000;
  for (std::int64_t i = 0; i < count && !trial.settled(); ++i) {
    const std::uint64_t mask = (sign_of(format) << 1) - 1;  // all ones for 64 bits
    const std::uint64_t bits = all ? static_cast<std::uint64_t>(i) : words.next() & mask;
    const double value = decode(format, bits);
    trial.expect(std::isnan(value) || encode(format, value) == bits, "a value does not round to itself");
  }
}

// NUM-1: x <= y implies round(x) <= round(y), and round(-x) = -round(x).
void rounding_is_monotone_and_odd(Trial& trial) {
  Stream words = trial.stream("x");
  const Format& format = trial.format();
  for (std::int64_t i = 0; i < trial["count"] && !trial.settled(); ++i) {
    const double x = hard_to_round(format, Near::above_midpoint, words);
    const double y = std::nextafter(x, HUGE_VAL);
    trial.expect(decode(format, encode(format, x)) <= decode(format, encode(format, y)),
                 "rounding is not monotone");
    trial.expect(encode(format, -x) == (encode(format, x) ^ sign_of(format)), "rounding is not odd");
  }
}

// NUM-2: ulp(x) is the gap between the two values that enclose x: from |x| away from zero.
void ulp_is_the_gap(Trial& trial) {
  Stream words = trial.stream("x");
  const Format& format = trial.format();
  for (std::int64_t i = 0; i < trial["count"] && !trial.settled(); ++i) {
    const std::uint64_t bits = words.below(infinity_of(format) - 1);  // below Omega
    const double x = decode(format, bits);
    const double gap = decode(format, bits + 1) - x;
    const double inside = x + gap / 2;  // a real between them, where a double can hold it
    const bool right =
        ulp(format, x) == gap && ulp(format, -x) == gap && (inside == x + gap || ulp(format, inside) == gap);
    trial.expect(right, "ulp(" + std::to_string(x) + ") is not the distance to the next value");
  }
  const double omega = format.largest_finite();
  const double last_gap = omega - decode(format, infinity_of(format) - 2);
  trial.expect(ulp(format, 0) == format.smallest_subnormal(), "ulp(0) is not the smallest subnormal");
  trial.expect(ulp(format, omega) == last_gap, "ulp(Omega) is not the last gap");
  trial.expect(ulp(format, HUGE_VAL) == last_gap, "beyond Omega the ulp is not that of Omega");
}

// NUM-2: rounding moves x by at most half an ulp of x.
void rounding_error_is_half_an_ulp(Trial& trial) {
  Stream words = trial.stream("x");
  const Format& format = trial.format();
  for (std::int64_t i = 0; i < trial["count"] && !trial.settled(); ++i) {
    const double x = hard_to_round(format, static_cast<Near>(words.between(1, 4)), words);
    const double rounded = decode(format, encode(format, x));
    trial.expect(std::isinf(rounded) || std::fabs(rounded - x) <= ulp(format, x) / 2,
                 "rounding " + std::to_string(x) + " costs more than half an ulp");
  }
}

Parameter count_parameter() { return Parameter::range("count", 1, 400, {400}); }

std::vector<Law> rounding_laws() {
  const std::vector<Example> examples = {{Level::standard, {20000}}};
  return {
      {"num_1_rounds_to_nearest_even",
       "NUM-1",
       "the nearest value, ties to even, overflow from Omega + ulp/2",
       {},
       float_dtypes(),
       {Parameter::choice("near",
                          {"anything", "value", "midpoint", "below_midpoint", "above_midpoint", "overflow"}),
        count_parameter()},
       {{Level::smoke, {0, 300}},
        {Level::smoke, {2, 300}},
        {Level::smoke, {3, 300}},
        {Level::smoke, {4, 300}},
        {Level::smoke, {5, 50}},
        {Level::standard, {2, 20000}}},
       rounds_to_nearest_even},
      {"num_1_values_round_to_themselves",
       "NUM-1",
       "every pattern but NaN survives decode and encode",
       {},
       float_dtypes(),
       {},
       {},
       values_round_to_themselves},
      {"num_1_rounding_is_monotone_and_odd",
       "NUM-1",
       "order and sign survive rounding",
       {},
       float_dtypes(),
       {count_parameter()},
       examples,
       rounding_is_monotone_and_odd},
      {"num_2_ulp_is_the_gap",
       "NUM-2",
       "the distance to the next value, at 0, in subnormals, at binade edges, at Omega",
       {},
       float_dtypes(),
       {count_parameter()},
       examples,
       ulp_is_the_gap},
      {"num_2_rounding_error_is_half_an_ulp",
       "NUM-2",
       "rounding moves by at most half an ulp",
       {},
       float_dtypes(),
       {count_parameter()},
       examples,
       rounding_error_is_half_an_ulp},
  };
}

}  // namespace

std::vector<Law> numerics_laws() {
  std::vector<Law> laws = rounding_laws();
  for (Law& law : numerics_model_laws()) laws.push_back(std::move(law));
  return laws;
}

}  // namespace etalon
