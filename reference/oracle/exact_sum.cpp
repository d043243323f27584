#include "reference/oracle/exact_sum.hpp"

namespace etalon::oracle {

ExactSum::ExactSum() { mpfr_set_zero(sum_.get(), 1); }

void ExactSum::add_product(double a, double b) {
  mpfr_set_d(term_.get(), a, MPFR_RNDN);
  mpfr_mul_d(term_.get(), term_.get(), b, MPFR_RNDN);  // 106 bits hold it
  mpfr_add(sum_.get(), sum_.get(), term_.get(), MPFR_RNDN);
}

void ExactSum::scale(double factor) { mpfr_mul_d(sum_.get(), sum_.get(), factor, MPFR_RNDN); }

int ExactSum::sign() {
  const int sign = mpfr_sgn(sum_.get());
  return (sign > 0) - (sign < 0);
}

Ball ExactSum::ball() {
  MpfrNumber rest(precision);
  mpfr_set(rest.get(), sum_.get(), MPFR_RNDN);
  const DoubleDouble value = take_double_double(rest.get());
  if (!std::isfinite(value.hi)) return Ball::exact(value.hi);
  mpfr_abs(rest.get(), rest.get(), MPFR_RNDN);
  return {value.hi, value.lo, mpfr_get_d(rest.get(), MPFR_RNDU)};
}

}  // namespace etalon::oracle
