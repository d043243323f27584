#include "reference/witness/witness.hpp"

#include <arb.h>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace etalon::witness {
namespace {

// 63 bits of a position, 11 of the exponent of a power, and 128 to keep.
constexpr slong kPrecision = 320;
// Any sum of products of three doubles is exact: exponents from -3222 to 3072, and the carries.
constexpr slong kExact = 6500;

// Arb keeps constants per thread.
struct Cleanup {
  Cleanup() = default;
  Cleanup(const Cleanup&) = delete;
  Cleanup& operator=(const Cleanup&) = delete;
  ~Cleanup() { flint_cleanup(); }
};

class Arb {
 public:
  Arb() {
    thread_local const Cleanup cleanup;
    arb_init(value_);
  }
  explicit Arb(double x) : Arb() { arb_set_d(value_, x); }
  ~Arb() { arb_clear(value_); }
  Arb(const Arb&) = delete;
  Arb& operator=(const Arb&) = delete;
  operator arb_ptr() { return value_; }

 private:
  arb_t value_;
};

class Arf {
 public:
  Arf() { arf_init(value_); }
  ~Arf() { arf_clear(value_); }
  Arf(const Arf&) = delete;
  Arf& operator=(const Arf&) = delete;
  operator arf_ptr() { return value_; }

 private:
  arf_t value_;
};

// |rest| + radius, rounded up.
double radius_up(arf_ptr rest, arb_ptr x) {
  Arf radius;
  arf_set_mag(radius, arb_radref(x));
  arf_abs(rest, rest);
  arf_add(radius, radius, rest, 64, ARF_RND_UP);
  return arf_get_d(radius, ARF_RND_UP);
}

Ball to_ball(arb_ptr x) {
  if (arf_is_nan(arb_midref(x))) return Ball::exact(std::numeric_limits<double>::quiet_NaN());
  const double hi = arf_get_d(arb_midref(x), ARF_RND_NEAR);
  if (std::isinf(hi)) return Ball::exact(hi);
  Arf part;
  Arf rest;
  arf_set_d(part, hi);
  arf_sub(rest, arb_midref(x), part, ARF_PREC_EXACT, ARF_RND_DOWN);
  const double lo = arf_get_d(rest, ARF_RND_NEAR);
  arf_set_d(part, lo);
  arf_sub(rest, rest, part, ARF_PREC_EXACT, ARF_RND_DOWN);
  return {hi, lo, radius_up(rest, x)};
}

void set_frequency(arb_ptr w, std::int64_t r, std::int64_t d, double base) {
  arb_set_d(w, base);
  arb_pow_ui(w, w, static_cast<ulong>(2 * r), kPrecision);
  arb_root_ui(w, w, static_cast<ulong>(d), kPrecision);
  arb_inv(w, w, kPrecision);
}

}  // namespace

Ball frequency(std::int64_t r, std::int64_t d, double base) {
  Arb w;
  set_frequency(w, r, d, base);
  return to_ball(w);
}

Ball sinusoidal(std::int64_t pos, std::int64_t column, std::int64_t d, double base, bool halves) {
  const std::int64_t half = d / 2;
  const std::int64_t r = halves ? column - (column >= half ? half : 0) : column >> 1;
  const bool cosine = halves ? column >= half : (column & 1) == 1;
  Arb turns;
  Arb pi;
  set_frequency(turns, r, d, base);
  arb_mul_si(turns, turns, static_cast<slong>(pos), kPrecision);
  arb_const_pi(pi, kPrecision);
  arb_div(turns, turns, pi, kPrecision);
  Arb sine;
  Arb cosine_value;
  arb_sin_cos_pi(sine, cosine_value, turns, kPrecision);
  return cosine ? to_ball(cosine_value) : to_ball(sine);
}

Ball square_root(double x) {
  if (x == 0) return Ball::exact(0);
  Arb value(x);
  Arb reciprocal;
  arb_rsqrt(reciprocal, value, kPrecision);
  arb_mul(value, value, reciprocal, kPrecision);
  return to_ball(value);
}

Ball combine_with_root(std::int64_t d, double x, double p) {
  Arb square(x);
  arb_mul(square, square, square, kExact);
  arb_mul_si(square, square, static_cast<slong>(d), kExact);
  arb_sqrt(square, square, kExact);
  if (std::signbit(x)) arb_neg(square, square);
  Arb addend(p);
  arb_add(square, square, addend, kExact);
  return to_ball(square);
}

Ball combine_with_value(double c, double x, double p) {
  Arb factor(c);
  Arb operand(x);
  Arb sum(p);
  arb_addmul(sum, factor, operand, kExact);
  return to_ball(sum);
}

Ball matmul_entry(double alpha, std::span<const double> a, std::span<const double> b, double beta, double c) {
  const slong n = static_cast<slong>(a.size());
  arb_ptr left = _arb_vec_init(n);
  arb_ptr right = _arb_vec_init(n);
  for (slong r = 0; r < n; ++r) {
    arb_set_d(left + r, a[static_cast<std::size_t>(r)]);
    arb_set_d(right + r, b[static_cast<std::size_t>(r)]);
  }
  Arb sum;
  arb_dot(sum, nullptr, 0, left, 1, right, 1, n, kExact);
  _arb_vec_clear(left, n);
  _arb_vec_clear(right, n);

  Arb factor(alpha);
  arb_mul(sum, sum, factor, kExact);
  Arb scale(beta);
  Arb addend(c);
  arb_addmul(sum, scale, addend, kExact);
  return to_ball(sum);
}

}  // namespace etalon::witness
