// POS-2 on the certified fast path (spec/numerics.md, NUM-7).
#include "reference/oracle/position.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "reference/oracle/mpfr_number.hpp"

namespace etalon::oracle {
namespace {

__extension__ using Turn = unsigned __int128;  // an angle in units of 2^-128 turn: wrap-around reduces it

constexpr int table_size = 1024;
constexpr int table_bits = 10;
constexpr double small_angle = 0x1p-9;   // below: no reduction, relative accuracy
constexpr double widened = 1 + 0x1p-40;  // covers the roundings of a radius's own evaluation
constexpr DoubleDouble two_pi{0x1.921fb54442d18p+2, 0x1.1a62633145c07p-52};  // to u^2 relative

// The first 64 bits of the fraction of x >= 0; x keeps those that follow. 32 at a time, for a short `long`.
std::uint64_t next_64_bits(mpfr_ptr x) {
  std::uint64_t bits = 0;
  for (int half = 0; half < 2; ++half) {
    mpfr_frac(x, x, MPFR_RNDN);
    mpfr_mul_2ui(x, x, 32, MPFR_RNDN);
    bits = bits << 32 | static_cast<std::uint64_t>(mpfr_get_ui(x, MPFR_RNDZ));
  }
  return bits;
}

struct TableEntry {
  DoubleDouble sine, cosine;
};

// sin and cos of 2 pi k / 1024. The multiples of a quarter turn are set exactly: their cosine or sine
// is 0, which no rounding of 2 pi k / 1024 gives.
std::array<TableEntry, table_size> make_table() {
  std::array<TableEntry, table_size> table{};
  MpfrNumber angle(320), sine(320), cosine(320);
  for (int k = 0; k < table_size; ++k) {
    TableEntry& entry = table[static_cast<std::size_t>(k)];
    if (k % (table_size / 4) == 0) {
      const int quarter = k / (table_size / 4);
      entry.sine = {quarter == 1 ? 1.0 : quarter == 3 ? -1.0 : 0.0, 0};
      entry.cosine = {quarter == 0 ? 1.0 : quarter == 2 ? -1.0 : 0.0, 0};
      continue;
    }
    mpfr_const_pi(angle.get(), MPFR_RNDN);
    mpfr_mul_si(angle.get(), angle.get(), k, MPFR_RNDN);
    mpfr_div_2ui(angle.get(), angle.get(), table_bits - 1, MPFR_RNDN);
    mpfr_sin_cos(sine.get(), cosine.get(), angle.get(), MPFR_RNDN);
    entry.sine = take_double_double(sine.get());
    entry.cosine = take_double_double(cosine.get());
  }
  return table;
}

const TableEntry& table_entry(std::size_t k) {
  static const std::array<TableEntry, table_size> table = make_table();
  return table[k];
}

struct SmallAngle {
  DoubleDouble sine, cosine_less_one;
};

// Taylor series on |theta| <= pi/1024, z = theta^2 < 9.5e-6:
//   sin theta = theta (1 - z/6 + z^2/120 - z^3/5040 + ...), cos theta - 1 = -z/2 + z^2/24 - z^3/720 + ...
// Two coefficients in double-double, the tail in double. NUM-7 adds up what is dropped:
// beyond the error of theta, sin is off by 3.01 u^2 relative and cos - 1 by 0.03 u^2 absolute.
SmallAngle small_sine_cosine(DoubleDouble theta) {
  constexpr DoubleDouble sixth{-0x1.5555555555555p-3, -0x1.5555555555555p-57};
  constexpr DoubleDouble over_120{0x1.1111111111111p-7, 0x1.1111111111111p-63};
  constexpr DoubleDouble over_24{0x1.5555555555555p-5, 0x1.5555555555555p-59};
  const DoubleDouble z = multiply(theta, theta);
  const double x = z.hi;
  const double sine_tail = x * (-1.0 / 5040 + x * (1.0 / 362880 - x / 39916800));
  const double cosine_tail = x * (-1.0 / 720 + x * (1.0 / 40320 - x / 3628800));
  const DoubleDouble sine_inner = add(multiply(z, add(over_120, sine_tail)), sixth);
  const DoubleDouble cosine_inner = add(multiply(z, add(over_24, cosine_tail)), DoubleDouble{-0.5, 0});
  return {add(theta, multiply(theta, multiply(z, sine_inner))), multiply(z, cosine_inner)};
}

// A signed angle in units of 2^-128 turn, |value| <= 2^117, in radians: 7.01 u^2 relative.
DoubleDouble radians(Turn angle) {
  const auto high = std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(angle >> 64));  // |high| <= 2^53
  const auto low = static_cast<std::uint64_t>(angle);
  const double upper = static_cast<double>(high) * 0x1p64;
  const double middle = static_cast<double>(low >> 11) * 2048;  // 53 bits: exact
  const double lower = static_cast<double>(low & 2047);
  const DoubleDouble s = two_sum(upper, middle);
  const DoubleDouble turns = fast_two_sum(s.hi, s.lo + lower);  // dropped: at most 2 u^2 of the whole
  const DoubleDouble scaled{turns.hi * 0x1p-128, turns.lo * 0x1p-128};
  return multiply(scaled, two_pi);
}

Ball enclosure(DoubleDouble value, double radius) { return {value.hi, value.lo, radius * widened}; }

}  // namespace

SinusoidalOracle::SinusoidalOracle(std::int64_t d, double base) {
  if (d < 2 || d % 2 != 0)
    throw std::domain_error("a sinusoidal code pairs its columns: d must be even and positive");
  if (!std::isfinite(base) || base < 0x1p-1000)
    throw std::domain_error("the base must be finite and positive");
  // 128 fractional bits of w_r / 2 pi are needed; 2^1000 bounds w_r where the base is below 1.
  const mpfr_prec_t precision = 320 + (base < 1 ? 1024 : 0);
  MpfrNumber slope(precision), w(precision), turns(precision), two_pi_long(precision);
  mpfr_const_pi(two_pi_long.get(), MPFR_RNDN);
  mpfr_mul_2ui(two_pi_long.get(), two_pi_long.get(), 1, MPFR_RNDN);
  mpfr_set_d(slope.get(), base, MPFR_RNDN);
  mpfr_log(slope.get(), slope.get(), MPFR_RNDN);
  mpfr_mul_si(slope.get(), slope.get(), -2, MPFR_RNDN);
  frequencies_.reserve(static_cast<std::size_t>(d / 2));
  for (std::int64_t r = 0; r < d / 2; ++r) {
    mpfr_mul_si(w.get(), slope.get(), static_cast<long>(r), MPFR_RNDN);
    mpfr_div_si(w.get(), w.get(), static_cast<long>(d), MPFR_RNDN);
    mpfr_exp(w.get(), w.get(), MPFR_RNDN);
    mpfr_div(turns.get(), w.get(), two_pi_long.get(), MPFR_RNDN);
    Frequency frequency{};
    frequency.high = next_64_bits(turns.get());
    frequency.low = next_64_bits(turns.get());
    frequency.value = take_double_double(w.get());
    frequencies_.push_back(frequency);
  }
}

Ball SinusoidalOracle::frequency(std::int64_t r) const {
  if (r == 0) return Ball::exact(1);
  const DoubleDouble w = frequencies_[static_cast<std::size_t>(r)].value;
  return enclosure(w, unit_squared * w.hi + 0x1p-1074);
}

SinusoidalOracle::Pair SinusoidalOracle::at(std::int64_t pos, std::int64_t r) const {
  if (pos == 0) return {Ball::exact(0), Ball::exact(1)};
  if (pos < 0) {
    const Pair mirrored = at(-pos, r);
    return {{-mirrored.sine.hi, -mirrored.sine.lo, mirrored.sine.radius}, mirrored.cosine};
  }
  const Frequency& frequency = frequencies_[static_cast<std::size_t>(r)];
  const auto position = static_cast<double>(pos);

  if (frequency.value.hi * position < small_angle) {
    const SmallAngle small = small_sine_cosine(multiply(frequency.value, position));
    const DoubleDouble cosine = add(small.cosine_less_one, 1.0);
    // The second term: low parts lost to underflow, where the angle is below 2^-900.
    const double lost = small.sine.hi < 0x1p-900 ? (position + 8) * 0x1p-1074 : 0;
    return {enclosure(small.sine, 7 * unit_squared * small.sine.hi + lost),
            enclosure(cosine, 3 * unit_squared)};
  }

  const Turn w = (static_cast<Turn>(frequency.high) << 64) | frequency.low;
  const Turn angle = w * static_cast<Turn>(static_cast<std::uint64_t>(pos));
  const Turn half_step = static_cast<Turn>(1) << (127 - table_bits);
  const auto k = static_cast<std::uint64_t>((angle + half_step) >> (128 - table_bits));
  const SmallAngle small = small_sine_cosine(radians(angle - (static_cast<Turn>(k) << (128 - table_bits))));
  const TableEntry& entry = table_entry(k);

  // sin(a + b) = S + (S (cos b - 1) + C sin b), cos(a + b) = C + (C (cos b - 1) - S sin b).
  const DoubleDouble sine =
      add(entry.sine, add(multiply(entry.sine, small.cosine_less_one), multiply(entry.cosine, small.sine)));
  const DoubleDouble negated{-small.sine.hi, -small.sine.lo};
  const DoubleDouble cosine =
      add(entry.cosine, add(multiply(entry.cosine, small.cosine_less_one), multiply(entry.sine, negated)));
  const double reduction = 6.2832 * position * 0x1p-128;
  const auto radius = [reduction](DoubleDouble y, double t) {
    return unit_squared * (3.1 * std::fabs(y.hi) + 1.1 * std::fabs(t) + 0.1) + reduction;
  };
  return {enclosure(sine, radius(sine, entry.sine.hi)), enclosure(cosine, radius(cosine, entry.cosine.hi))};
}

}  // namespace etalon::oracle
