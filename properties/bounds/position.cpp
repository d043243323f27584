// POS-2: bound of the sinusoidal code. Derivation: spec/numerics.md, NUM-7.
#include "properties/bounds/position.hpp"

#include <algorithm>
#include <cmath>

#include "properties/bounds/arithmetic.hpp"

namespace etalon::bounds {
namespace {

// The format in which pos * w_r is formed, or none where it is exact.
const Format* angle_format(const Model& model) {
  if (model.angle == Angle::exact) return nullptr;
  return model.angle == Angle::in_double ? &format_of(Dtype::f64) : &format_of(model.accumulator);
}

// |angle^ / angle - 1|: the worst of the admitted ways to a frequency.
//   exponent  e = 2r/d: the quotient; 2r and d themselves where the format is narrow.
//   by exp    e^(-e ln b): ln b is off by 2L u, its product with e by u: l (2L + 2) u in the exponent, and
//             2L u of exp. exp2(-e log2 b) has the same relative errors in the exponent.
//   by pow    b^(-e): l u from the quotient, 2L u of pow: covered by the former.
//   base      1/b rounded, b rounded to the format: (2 u) e <= 2 u.
//   then      reciprocal and product, or one division: 2 u; pos itself where it has too many bits.
double angle_error(const Model& model, const Format& format, double position, double log_frequency) {
  const double u = unit(format, model.rounding);
  const double elementary = 2 * std::max(model.power_ulp, 0.5) * format.unit_roundoff();
  const double integers = format.precision < 24 ? 2 * u : 0;
  const double in_exponent = log_frequency * gamma_of(elementary + 2 * u + integers);
  const double pos_rounding = representable(format, position) ? 0 : u;
  return gamma_of(in_exponent + elementary + 4 * u + pos_rounding);
}

// Frequency, its reciprocal and position must be normal numbers of the format, with a factor e to spare.
bool in_range(const Format& format, double position, double log_frequency) {
  const double limit = std::min(std::log(format.largest_finite()), -std::log(format.smallest_normal())) - 1;
  return log_frequency < limit && position < format.largest_finite() / 4;
}

// The frequency's three or so roundings in the exponent, three or so outside.
double angle_deviation(const Format& format, double angle, double log_frequency) {
  return angle * format.unit_roundoff() * std::sqrt(mean_square * (3 * square(log_frequency) + 3));
}

}  // namespace

Expected sinusoidal_expected(const Model& model, const Format& out, double position,
                             double log_inverse_frequency, const Ball& y, const Ball& cofunction) {
  Expected expected{y, no_bound, 0, false};
  const double size = std::fabs(position);
  const double log_frequency = std::fabs(log_inverse_frequency);
  const Format& accumulator = format_of(model.accumulator);
  const Format& wide = format_of(Dtype::f64);
  const double y_size = magnitude(y);
  double error = 0;
  double variance = 0;

  if (const Format* format = angle_format(model); format != nullptr && size > 0) {
    if (!in_range(*format, size, log_frequency)) return expected;
    const double angle = size * std::exp(-log_inverse_frequency);
    const double turned = angle * angle_error(model, *format, size, log_frequency);
    // sin(a + t) - sin a = cos a sin t - sin a (1 - cos t)
    error = std::min({2.0, turned, magnitude(cofunction) * turned + turned * turned / 2});
    variance = square(std::min(1.0, magnitude(cofunction) * angle_deviation(*format, angle, log_frequency)));
  }

  // sin and cos in the accumulator's format, or in binary64 and rounded to it.
  const double direct = model.sine_ulp * ulp(accumulator, y_size + error);
  const double through_double = model.angle == Angle::exact
                                    ? 0
                                    : model.sine_ulp * ulp(wide, y_size + error) +
                                          rounding_error(accumulator, model.rounding, y_size + error);
  error += std::max(direct, through_double) + flush_error(model, accumulator);
  variance += square(rounding_deviation(accumulator, y_size));
  if (!contains(out, accumulator)) {
    error += rounding_error(out, model.rounding, y_size + error) + flush_error(model, out);
    variance += square(rounding_deviation(out, y_size));
  }
  expected.bound = inflate(error);
  expected.sigma = std::sqrt(variance);
  return expected;
}

}  // namespace etalon::bounds
