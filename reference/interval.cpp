#include "reference/interval.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

#include "reference/oracle/ball.hpp"
#include "reference/rounding.hpp"

#define MPFR_USE_INTMAX_T  // adds mpfr_set_sj: 64-bit integers whatever the width of long
#include <mpfr.h>

namespace etalon {
namespace {

constexpr int kPrecisionOfReal = 168;

// MPFR keeps constants per thread and frees them only when asked.
struct ThreadState {
  int bits = kPrecisionOfReal;
  ThreadState() = default;
  ThreadState(const ThreadState&) = delete;
  ThreadState& operator=(const ThreadState&) = delete;
  ~ThreadState() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
};

ThreadState& thread_state() {
  thread_local ThreadState state;
  return state;
}

// A number of MPFR, freed at the end of its scope.
class Number {
 public:
  explicit Number(mpfr_prec_t bits) { mpfr_init2(value_, bits); }
  ~Number() { mpfr_clear(value_); }
  Number(const Number&) = delete;
  Number& operator=(const Number&) = delete;
  operator mpfr_ptr() { return value_; }

 private:
  mpfr_t value_;
};

Interval unary(int (*function)(mpfi_ptr, mpfi_srcptr), const Interval& a) {
  Interval result;
  function(result.raw(), a.raw());
  return result;
}

Interval binary(int (*function)(mpfi_ptr, mpfi_srcptr, mpfi_srcptr), const Interval& a, const Interval& b) {
  Interval result;
  function(result.raw(), a.raw(), b.raw());
  return result;
}

mpfr_srcptr left(const Interval& a) { return &a.raw()->left; }
mpfr_srcptr right(const Interval& a) { return &a.raw()->right; }

void set_decimal(mpfr_ptr end, const std::string& decimal, mpfr_rnd_t direction) {
  char* rest = nullptr;
  mpfr_strtofr(end, decimal.c_str(), &rest, 10, direction);
  if (decimal.empty() || *rest != '\0' || mpfr_number_p(end) == 0) {
    throw std::invalid_argument("not a decimal number: " + decimal);
  }
}

// a - b - c, rounded up.
double difference_up(mpfr_srcptr a, double b, double c) {
  Number difference(kHighestPrecision);
  mpfr_sub_d(difference, a, b, MPFR_RNDU);
  mpfr_sub_d(difference, difference, c, MPFR_RNDU);
  return mpfr_get_d(difference, MPFR_RNDU);
}

// The smallest double r found with [hi + lo - r, hi + lo + r] containing the interval.
double radius_up(const Interval& interval, double hi, double lo) {
  Number negated(mpfr_get_prec(left(interval)));
  mpfr_neg(negated, left(interval), MPFR_RNDN);
  return std::fmax(difference_up(right(interval), hi, lo), difference_up(negated, -hi, -lo));
}

}  // namespace

WorkingPrecision::WorkingPrecision(int bits) : previous_(thread_state().bits) {
  if (bits < 53 || bits > kHighestPrecision) throw std::invalid_argument("precision out of range");
  thread_state().bits = bits;
}
WorkingPrecision::~WorkingPrecision() { thread_state().bits = previous_; }
int WorkingPrecision::bits() { return thread_state().bits; }

Interval::Interval() : Interval(std::int64_t{0}) {}
Interval::Interval(int value) : Interval(std::int64_t{value}) {}

Interval::Interval(std::int64_t value) {
  mpfi_init2(value_, WorkingPrecision::bits());
  mpfr_set_sj(&value_->left, value, MPFR_RNDD);
  mpfr_set_sj(&value_->right, value, MPFR_RNDU);
}

Interval::Interval(double value) {
  mpfi_init2(value_, WorkingPrecision::bits());
  mpfi_set_d(value_, value);
}

Interval::Interval(std::string_view decimal) : Interval() {
  set_decimal(&value_->left, std::string(decimal), MPFR_RNDD);
  set_decimal(&value_->right, std::string(decimal), MPFR_RNDU);
}

Interval::Interval(const Interval& other) {
  mpfi_init2(value_, mpfr_get_prec(left(other)));
  mpfi_set(value_, other.value_);
}

Interval::Interval(Interval&& other) noexcept {
  mpfi_init2(value_, MPFR_PREC_MIN);
  mpfi_swap(value_, other.value_);
}

Interval& Interval::operator=(Interval other) noexcept {
  mpfi_swap(value_, other.value_);
  return *this;
}

Interval::~Interval() { mpfi_clear(value_); }

Interval& Interval::operator+=(const Interval& other) { return *this = *this + other; }

double Interval::lower() const { return mpfr_get_d(&value_->left, MPFR_RNDD); }
double Interval::upper() const { return mpfr_get_d(&value_->right, MPFR_RNDU); }
bool Interval::is_point() const { return mpfr_equal_p(&value_->left, &value_->right) != 0; }

bool Interval::encloses(mpfr_srcptr x) const {
  return mpfr_lessequal_p(&value_->left, x) != 0 && mpfr_lessequal_p(x, &value_->right) != 0;
}
bool Interval::encloses(const Interval& other) const {
  return mpfr_lessequal_p(&value_->left, left(other)) != 0 &&
         mpfr_lessequal_p(right(other), &value_->right) != 0;
}

Interval operator-(const Interval& a) { return unary(mpfi_neg, a); }
Interval operator+(const Interval& a, const Interval& b) { return binary(mpfi_add, a, b); }
Interval operator-(const Interval& a, const Interval& b) { return binary(mpfi_sub, a, b); }
Interval operator*(const Interval& a, const Interval& b) { return binary(mpfi_mul, a, b); }
Interval operator/(const Interval& a, const Interval& b) { return binary(mpfi_div, a, b); }

Interval sqrt(const Interval& a) { return unary(mpfi_sqrt, a); }
Interval exp(const Interval& a) { return unary(mpfi_exp, a); }
Interval log(const Interval& a) { return unary(mpfi_log, a); }
Interval pow(const Interval& base, const Interval& exponent) { return exp(exponent * log(base)); }
Interval sin(const Interval& a) { return unary(mpfi_sin, a); }
Interval cos(const Interval& a) { return unary(mpfi_cos, a); }
Interval acos(const Interval& a) { return unary(mpfi_acos, a); }

// NUM-1
std::optional<std::uint64_t> round_to(const Format& format, const Interval& interval) {
  // MPFI writes the zero at the right end as -0: here a zero end counts as +0.
  const auto rounded = [&](mpfr_srcptr end) {
    return mpfr_zero_p(end) != 0 ? std::uint64_t{0} : round_to(format, end);
  };
  const std::uint64_t low = rounded(left(interval));
  const std::uint64_t high = rounded(right(interval));
  if (low != high) return std::nullopt;
  return low;
}

Ball to_ball(const Interval& interval) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double low = mpfr_get_d(left(interval), MPFR_RNDN);
  const double high = mpfr_get_d(right(interval), MPFR_RNDN);
  if (std::isnan(low) || std::isnan(high)) return Ball::exact(std::numeric_limits<double>::quiet_NaN());
  if (std::isinf(low) && low == high) return Ball::exact(low);
  if (std::isinf(low) || std::isinf(high)) return {std::isinf(low) ? high : low, 0, infinity};

  Number middle(kHighestPrecision);
  mpfi_mid(middle, interval.raw());
  const double hi = mpfr_get_d(middle, MPFR_RNDN) + 0.0;  // a real zero is +0
  mpfr_sub_d(middle, middle, hi, MPFR_RNDN);
  const double lo = mpfr_get_d(middle, MPFR_RNDN);
  return {hi, lo, radius_up(interval, hi, lo)};
}

}  // namespace etalon
