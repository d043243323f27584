// NUM-3, NUM-4: the pieces every bound is made of. All quantities are absolute values; all sums are of
// non-negative terms, so evaluating them in binary64 costs less than the factor 1 + 2^-40 of inflate().
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "properties/model.hpp"
#include "reference/numerics.hpp"
#include "reference/oracle/ball.hpp"

namespace etalon::bounds {

// The formats a model names. The bounds take them apart from the model, so that their derivations can be
// checked exhaustively on formats of a few bits.
struct Formats {
  Format accumulator, product_input, storage;
};

inline Formats formats_of(const Model& model) {
  return {format_of(model.accumulator), format_of(model.product_input), format_of(model.storage)};
}

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double no_bound = std::numeric_limits<double>::quiet_NaN();

// Mean square of the relative rounding error, in u^2, for significands spread log-uniformly:
// (1/3) (3/4) / (2 ln 2).
inline constexpr double mean_square = 0.18033688011112042;

// u~ of model (M1): one basic operation is exact times (1 + delta), |delta| <= u~.
inline double unit(const Format& format, Rounding rounding) {
  return (rounding == Rounding::nearest ? 1 : 2) * format.unit_roundoff();
}

// (1 + a)(1 + b) - 1
inline double compose(double a, double b) { return a + b + a * b; }

// (1 + u)^count - 1, an upper bound of |(1 + d_1) ... (1 + d_count) - 1| for |d_i| <= u. Valid for
// every count, where gamma_count = count u / (1 - count u) needs count u < 1; never above gamma_count.
inline double growth(std::int64_t count, double u) {
  return std::expm1(static_cast<double>(count) * std::log1p(u));
}

// s / (1 - s): bounds a product of factors (1 + d_i)^(+-1) and exp(e_j) where sum |d_i| + sum |e_j| <= s.
inline double gamma_of(double s) { return s < 1 ? s / (1 - s) : infinity; }

// Error of one rounding of any real of magnitude <= size into the format: half an ulp to nearest, one
// ulp faithfully; subnormals included. Half the least subnormal of binary64 is no double: it becomes one.
// Beyond the largest number Omega, faithful rounding may saturate at it; overflow is the judges' business.
inline double rounding_error(const Format& format, Rounding rounding, double size) {
  const double spacing = ulp(format, size);
  if (rounding == Rounding::nearest) return std::max(spacing / 2, 0x1p-1074);
  return spacing + std::max(0.0, size - format.largest_finite());
}

// What flushing one subnormal result or operand of the format to zero may change.
inline double flush_error(const Model& model, const Format& format) {
  return model.flushes_subnormals ? format.smallest_normal() : 0;
}

// Every value of `inner` is one of `outer`.
inline bool contains(const Format& outer, const Format& inner) {
  return outer.precision >= inner.precision && outer.emax >= inner.emax &&
         outer.emin - outer.precision <= inner.emin - inner.precision;
}

// A number of the format: an infinity is none, nothing is known of the value that it stands for.
inline bool representable(const Format& format, double value) {
  return std::isfinite(value) && decode(format, encode(format, value)) == value;
}

inline bool representable(const Format& format, const Ball& ball) {
  return ball.is_exact() && ball.lo == 0 && representable(format, ball.hi);
}

// A result of magnitude `size` at most, held in `last`, or in the accumulator where it does not fit that, is
// rounded once more to be an element of `out`.
inline bool rounds_output(const Format& out, const Format& accumulator, const Format& last, double size) {
  return !contains(out, last) || (!contains(out, accumulator) && size > last.largest_finite());
}

// The largest magnitude of the enclosure.
inline double magnitude(const Ball& ball) { return std::fabs(ball.hi) + std::fabs(ball.lo) + ball.radius; }

inline double inflate(double bound) {
  return bound == 0 || !(bound < infinity) ? bound : std::nextafter(bound * (1 + 0x1p-40), infinity);
}

inline double square(double x) { return x * x; }

// Standard deviation of the rounding error of a value of known magnitude: ulp / sqrt(12).
inline double rounding_deviation(const Format& format, double size) {
  return ulp(format, size) * 0.28867513459481287;
}

}  // namespace etalon::bounds
