// INP-1: bound of c x + p. Derivation: spec/numerics.md, NUM-9.
#include "properties/bounds/input.hpp"

#include <algorithm>
#include <cmath>

#include "properties/bounds/arithmetic.hpp"

namespace etalon::bounds {
namespace {

// The formats an element passes through.
struct Path {
  Path(const Model& declared, const Formats& formats, const Format& output)
      : model(declared),
        out(output),
        accumulator(formats.accumulator),
        storage(formats.storage),
        product_input(formats.product_input) {}

  bool stores_narrower() const { return !contains(storage, accumulator); }
  const Format& last() const { return stores_narrower() ? storage : accumulator; }
  // Of c and x, and of what operations return.
  double largest_factor() const {
    return std::min(accumulator.largest_finite(), product_input.largest_finite());
  }
  double largest() const { return std::min(accumulator.largest_finite(), last().largest_finite()); }
  // What the least normal number of a format flushes; a factor of the product passes one format more.
  double flushed_below(bool factor) const {
    if (!model.flushes_subnormals) return 0;
    const double operand = std::max(accumulator.smallest_normal(), out.smallest_normal());
    return factor ? std::max(operand, product_input.smallest_normal()) : operand;
  }

  const Model& model;
  const Format& out;
  const Format& accumulator;
  const Format& storage;
  const Format& product_input;
};

// c rounded to nearest is off by its actual distance; near a midpoint by up to half an ulp and a little
// more, whichever neighbour a detour through a wider format may choose (8 bits more: 2^-8 of a half ulp).
double constant_error(const Format& format, Rounding rounding, const Ball& c) {
  if (representable(format, c)) return 0;
  const double most = rounding_error(format, rounding, magnitude(c));
  if (rounding != Rounding::nearest) return most;
  const double nearest = decode(format, encode(format, c.hi));
  if (!std::isfinite(nearest)) return most;  // overflow, no error
  const double distance = std::fabs((nearest - c.hi) - c.lo) + c.radius;
  return distance < most * (1 - 0x1p-6) ? distance : std::max(distance, most * (1 + 0x1p-6));
}

// What the accumulator's format leaves of a product operand's value is a product operand's value still: on a
// coarser grid it has no more bits. But where it is cut to the largest number of that format, it has all of
// them.
bool kept(const Path& path, double size, bool is_product_input) {
  return is_product_input && size <= path.accumulator.largest_finite();
}

double constant_error(const Path& path, const Ball& c) {
  double error = constant_error(path.accumulator, path.model.rounding, c);
  const bool unchanged = kept(path, magnitude(c), representable(path.product_input, c));
  if (!contains(path.product_input, path.accumulator) && !unchanged)
    error += rounding_error(path.product_input, path.model.rounding, magnitude(c) + error);
  if (magnitude(c) - error < path.flushed_below(true)) error += magnitude(c);
  return error;
}

// Roundings of x on its way into the product, and DAZ.
double operand_error(const Path& path, double x, bool product) {
  double error = 0;
  if (!representable(path.accumulator, x))
    error += rounding_error(path.accumulator, path.model.rounding, std::fabs(x));
  if (product && !kept(path, std::fabs(x), representable(path.product_input, x))) {
    error += rounding_error(path.product_input, path.model.rounding, std::fabs(x) + error);
  }
  if (std::fabs(x) < path.flushed_below(product)) error += std::fabs(x);
  return error;
}

// A value known to `error` is rounded to the accumulator's format, and to the storage's if that is
// narrower. `exact`: the value itself, where it is a known number of the format: then nothing is rounded.
double after_operation(const Path& path, double size, double error, const Ball* exact) {
  const auto round = [&](const Format& format) {
    if (error == 0 && exact != nullptr && representable(format, *exact)) return;
    error += rounding_error(format, path.model.rounding, size + error);
  };
  round(path.accumulator);
  if (path.stores_narrower()) round(path.storage);
  const double least = std::max(path.accumulator.smallest_normal(), path.last().smallest_normal());
  if (path.model.flushes_subnormals && size - error < least) error += std::min(size + error, least);
  return error;
}

// Inf times a c that honestly became zero is NaN.
bool may_vanish(const Path& path, const Ball& c) {
  return magnitude(c) > 0 && constant_error(path, c) >= magnitude(c);
}

}  // namespace

Expected combine_expected(const Model& model, const Format& out, const Ball& c, double x, double p,
                          const Ball& z) {
  return combine_expected(model, formats_of(model), out, c, x, p, z);
}

Expected combine_expected(const Model& model, const Formats& formats, const Format& out, const Ball& c,
                          double x, double p, const Ball& z) {
  const Path path(model, formats, out);
  Expected expected{z, 0, 0, false};
  const bool product_finite = c.finite() && std::isfinite(x);
  const double c_error = product_finite ? constant_error(path, c) : 0;
  const double x_error = product_finite ? operand_error(path, x, true) : 0;
  const double product_size = product_finite && x != 0 ? magnitude(c) * std::fabs(x) : 0;

  // The product, rounded unless it is one operation with the sum; exact where it is representable.
  const double from_operands =
      x == 0 ? 0 : std::fabs(x) * c_error + magnitude(c) * x_error + c_error * x_error;
  const Ball product{c.hi * x, std::fma(c.hi, x, -(c.hi * x)), c.lo == 0 ? c.radius : 1.0};
  const bool exact_product = std::fabs(product.hi) > 0x1p-900 || c.hi == 0;  // its low part too
  const double product_error =
      x == 0 ? 0 : after_operation(path, product_size, from_operands, exact_product ? &product : nullptr);
  const double p_error = std::isfinite(p) ? operand_error(path, p, false) : 0;
  // c, x, p or c x may become an infinity, and meet another or a zero.
  const double largest = path.largest();
  const bool product_overflows =
      product_finite && (product_size + product_error > largest ||
                         std::max(magnitude(c) + c_error, std::fabs(x) + x_error) > path.largest_factor());
  expected.overflow_allowed = product_overflows || (std::isfinite(p) && std::fabs(p) + p_error > largest) ||
                              (std::isinf(x) && may_vanish(path, c));
  if (!product_finite || !std::isfinite(p)) return expected;

  // The judges measure from the largest binary64 number what lies beyond it.
  const double z_size = std::min(magnitude(z), std::numeric_limits<double>::max());
  double error = after_operation(path, z_size, product_error + p_error, &z);
  // Overflow of the output itself is for the judges to weigh.
  const bool sum_overflows = largest < out.largest_finite() && z_size + error > largest;
  expected.overflow_allowed = expected.overflow_allowed || sum_overflows;
  if (rounds_output(out, path.accumulator, path.last(), z_size + error)) {
    const bool exact = error == 0 && representable(out, z);
    // A subnormal of the output may be flushed even where it is exact.
    if (model.flushes_subnormals && z_size - error < out.smallest_normal()) error += flush_error(model, out);
    if (!exact) error += rounding_error(out, model.rounding, z_size + error);
  }
  expected.bound = inflate(error);
  if (z.finite() && error > 0 && error < infinity) {
    double variance = square(rounding_deviation(path.last(), z_size)) + square(std::fabs(x) * c_error);
    if (product_error > from_operands) variance += square(rounding_deviation(path.last(), product_size));
    if (!contains(out, path.last())) variance += square(rounding_deviation(out, z_size));
    expected.sigma = std::sqrt(variance);
  }
  return expected;
}

}  // namespace etalon::bounds
