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
  double largest() const {
    const double stored = stores_narrower() ? storage.largest_finite() : infinity;
    return std::min({accumulator.largest_finite(), product_input.largest_finite(), stored});
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
  const double distance = std::fabs((nearest - c.hi) - c.lo) + c.radius;
  return distance < most * (1 - 0x1p-6) ? distance : std::max(distance, most * (1 + 0x1p-6));
}

double constant_error(const Path& path, const Ball& c) {
  const double error = constant_error(path.accumulator, path.model.rounding, c);
  if (contains(path.product_input, path.accumulator) || representable(path.product_input, c)) return error;
  return error + rounding_error(path.product_input, path.model.rounding, magnitude(c) + error);
}

// Roundings of x on its way into the product, and DAZ.
double operand_error(const Path& path, double x, bool product) {
  double error = 0;
  if (!representable(path.accumulator, x))
    error += rounding_error(path.accumulator, path.model.rounding, std::fabs(x));
  if (product && !representable(path.product_input, x)) {
    error += rounding_error(path.product_input, path.model.rounding, std::fabs(x) + error);
  }
  const double tiny = std::max(path.accumulator.smallest_normal(), path.out.smallest_normal());
  if (path.model.flushes_subnormals && std::fabs(x) < tiny) error += std::fabs(x);
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
  if (path.model.flushes_subnormals && size - error < path.last().smallest_normal()) {
    error += std::min(size + error, path.last().smallest_normal());
  }
  return error;
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
  const double largest = path.largest();
  expected.overflow_allowed = product_finite && (product_size + product_error > largest ||
                                                 magnitude(c) + c_error > largest || std::fabs(x) > largest);
  // p itself may become an infinity, and meet another.
  expected.overflow_allowed = expected.overflow_allowed || (std::isfinite(p) && std::fabs(p) > largest);
  if (!product_finite || !std::isfinite(p)) return expected;

  const double z_size = magnitude(z);
  double error = after_operation(path, z_size, product_error + operand_error(path, p, false), &z);
  expected.overflow_allowed =
      expected.overflow_allowed || (!contains(path.last(), out) && z_size + error > largest);
  if (!contains(out, path.last())) {
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
