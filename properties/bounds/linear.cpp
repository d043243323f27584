// LIN-1: bound of a matrix product. Derivation: spec/numerics.md, NUM-8.
#include "properties/bounds/linear.hpp"

#include <algorithm>
#include <cmath>

#include "properties/bounds/arithmetic.hpp"

namespace etalon::bounds {
namespace {

// Multiplying by it is exact, underflow and overflow aside.
bool power_of_two(double x) {
  int exponent = 0;
  return std::isfinite(x) && std::fabs(std::frexp(x, &exponent)) == 0.5;
}

// alpha or beta as the accumulator's format has it: relative rounding errors are only claimed for these.
bool usable(const Format& format, double factor) {
  const double size = std::fabs(factor);
  return factor == 0 || (size >= format.smallest_normal() && size <= format.largest_finite());
}

struct Chain {
  Chain(const Model& declared, const Formats& formats, const Format& output, std::int64_t terms,
        double alpha_factor, double beta_factor)
      : model(declared),
        out(output),
        accumulator(formats.accumulator),
        storage(formats.storage),
        product_input(formats.product_input),
        count(alpha_factor == 0 ? 0 : terms),
        alpha(count == 0 ? 1 : alpha_factor),
        beta(beta_factor) {}

  bool stores_narrower() const { return !contains(storage, accumulator); }
  const Format& last() const { return stores_narrower() ? storage : accumulator; }
  bool converts() const { return !contains(accumulator, out); }
  bool narrows_operands() const { return !contains(product_input, out); }
  // What is stored in fewer bits than the operands have is rounded even where the multiplication is exact.
  bool stores_operands_narrower() const { return stores_narrower() && !contains(storage, out); }
  bool scales() const { return !power_of_two(alpha) || stores_operands_narrower(); }

  // FTZ, DAZ: what an operand or a result may lose.
  double flushed() const {
    if (!model.flushes_subnormals) return 0;
    return std::max({accumulator.smallest_normal(), out.smallest_normal(), last().smallest_normal(),
                     product_input.smallest_normal()});
  }

  // One operation of the sum: rounded to the accumulator's format, then perhaps to the storage's.
  double step() const {
    const double u = unit(accumulator, model.rounding);
    return stores_narrower() ? compose(u, unit(storage, model.rounding)) : u;
  }

  // Two operands' significands fit the accumulator, and nothing is multiplied into them before.
  bool exact_products() const {
    const int bits = std::min(out.precision, product_input.precision);
    return !scales() && !stores_narrower() && 2 * bits <= accumulator.precision;
  }

  // Additions on the longest path of a product: a tree of `count` leaves, one more for beta c.
  std::int64_t additions() const {
    const std::int64_t any_order = std::max<std::int64_t>(count - 1, 0);
    const std::int64_t declared = model.height > 0 ? std::min(any_order, model.height) : any_order;
    return declared + (beta != 0 && count > 0 ? 1 : 0);
  }

  // What the path of one product a_i b_i multiplies it by, less 1.
  double product_growth() const {
    const std::int64_t conversions =
        (scales() && !representable(accumulator, alpha) ? 1 : 0) + (converts() ? 2 : 0);
    const std::int64_t products = (exact_products() ? 0 : 1) + (scales() ? 1 : 0);
    double result = compose(growth(additions() + products, step()),
                            growth(conversions, unit(accumulator, model.rounding)));
    // alpha a_i may itself be rounded to the format of the operands.
    const std::int64_t narrowings =
        (narrows_operands() ? 2 : 0) + (scales() && !contains(product_input, accumulator) ? 1 : 0);
    if (narrowings > 0) result = compose(result, growth(narrowings, unit(product_input, model.rounding)));
    return result;
  }

  // The same for an operand and alpha before they are narrowed a last time.
  double operand_growth() const {
    const double converted =
        growth((converts() ? 1 : 0) + (alpha == 1 ? 0 : 2), unit(accumulator, model.rounding));
    if (alpha == 1) return converted;
    const double stored = stores_narrower() ? unit(storage, model.rounding) : 0;
    const double narrowed = contains(product_input, accumulator) ? 0 : unit(product_input, model.rounding);
    return compose(compose(converted, stored), narrowed);
  }

  // The same for beta c, which may be the first term and pass every addition.
  double beta_growth() const {
    const std::int64_t passed = model.height > 0 ? std::min(count, model.height + 1) : count;
    const std::int64_t conversions = (representable(accumulator, beta) ? 0 : 1) + (converts() ? 1 : 0);
    const bool exact_factor = power_of_two(beta) && !stores_operands_narrower();
    return compose(growth(passed + (exact_factor ? 0 : 1), step()),
                   growth(conversions, unit(accumulator, model.rounding)));
  }

  const Model& model;
  const Format& out;
  const Format& accumulator;
  const Format& storage;
  const Format& product_input;
  std::int64_t count;
  double alpha, beta;
};

// What an operation costs below the normal range of the formats it rounds to.
struct Underflow {
  explicit Underflow(const Chain& chain) : Underflow(chain, std::fabs(chain.alpha), std::fabs(chain.beta)) {}

  double leaf;     // a product; or a sum that is stored: both of its terms may be off the storage's grid
  double operand;  // a_i or b_i, converted and narrowed
  double scaled;   // the operand that alpha is multiplied into
  double scaling;  // alpha times a product, or times a partial sum
  double last;     // beta c, and c on its way into it

 private:
  Underflow(const Chain& chain, double alpha, double beta) {
    const auto least = [&](const Format& format) { return rounding_error(format, chain.model.rounding, 0); };
    const double accumulated = least(chain.accumulator);
    const double stored = chain.stores_narrower() ? least(chain.storage) : 0;
    const bool stores_copies = chain.stores_operands_narrower();
    // factor x: exact for +-1, but for what does not fit the storage.
    const auto multiplied = [&](double factor) {
      return (factor == 1 ? 0 : accumulated) + (factor == 1 && !stores_copies ? 0 : stored);
    };
    const double converted = chain.converts() ? accumulated : 0;
    leaf = accumulated + stored;
    operand = converted + (chain.narrows_operands() ? least(chain.product_input) : 0);
    scaling = chain.alpha == 1 ? 0 : multiplied(alpha);
    const bool narrows_scaled = alpha != 1 && !contains(chain.product_input, chain.accumulator);
    scaled = std::max(1.0, alpha) * operand + scaling + (narrows_scaled ? least(chain.product_input) : 0);
    last = beta == 0 ? 0 : beta * converted + multiplied(beta);
  }
};

// U of NUM-8. `operands` is sum |a_i| + |b_i|.
double underflow_error(const Chain& chain, double operands) {
  const double n = static_cast<double>(chain.count);
  // each (sum |a_i| + |b_i|); the sum alone may leave the range of binary64, and is at most 2 n Omega.
  const auto per_operand = [&](double each) {
    return operands < infinity ? each * operands : each * chain.out.largest_finite() * (2 * n);
  };
  const double scale = std::max(1.0, std::fabs(chain.alpha));
  const Underflow each(chain);
  double error = n * (scale * each.leaf + each.scaling) + each.last + per_operand(each.scaled) +
                 n * each.scaled * each.operand;
  if (const double least = chain.flushed(); least > 0) {
    // Operands before and after alpha; products, sums and scaled sums; both operands of a product at once.
    error += scale * (2 * per_operand(least) + least * (3 * n + 4)) + least * std::fabs(chain.beta);
    error += n * (2 * scale * least + each.scaled) * (least + each.operand);
  }
  return error;
}

// An intermediate result may leave the range: a partial sum, before or after alpha; alpha a_i; an operand.
bool may_overflow(const Chain& chain, const oracle::Dot& dot, double c, double amplification) {
  const double alpha = std::fabs(chain.alpha);
  const double largest = std::min(chain.accumulator.largest_finite(), chain.last().largest_finite());
  const double unscaled = dot.magnitude / std::min(1.0, alpha);
  const double exact = unscaled + std::fabs(chain.beta * c) + underflow_error(chain, dot.operands);
  const double operand = dot.operands * std::max(1.0, alpha) * (1 + chain.operand_growth());
  const bool operand_overflow = operand > chain.product_input.largest_finite() || operand > largest;
  const bool matters =
      chain.narrows_operands() || chain.stores_operands_narrower() || alpha > 1 || chain.converts();
  const bool c_overflow = chain.converts() && std::fabs(c) > chain.accumulator.largest_finite();
  return !(exact * (1 + amplification) <= largest) || (matters && operand_overflow) || c_overflow;
}

// An infinity may meet a finite factor that honestly became zero, and that is NaN: what the factor, times
// alpha or narrowed, keeps of its size may be no more than what it loses below the normal range.
bool may_vanish(const Chain& chain, const oracle::Dot& dot) {
  const double factor = dot.partner * std::min(1.0, std::fabs(chain.alpha));
  const double narrowed = chain.narrows_operands() ? unit(chain.product_input, chain.model.rounding) : 0;
  const double kept = factor * (1 - compose(chain.operand_growth(), narrowed));
  return kept <= Underflow(chain).scaled + chain.flushed();
}

// Random orders, independent roundings: E sum s_k^2 over partial sums of k of n terms, from the sum s and
// the sum of squares Q of the terms.
double deviation(const Chain& chain, const oracle::Dot& dot, double beta_c) {
  const double n = static_cast<double>(chain.count);
  const double sum = std::fabs(dot.value.hi) + beta_c;
  const double u = unit(chain.last(), chain.model.rounding);
  double squares = chain.exact_products() ? 0 : dot.energy;
  if (chain.count > 1) {
    squares +=
        dot.energy * ((n * (n + 1) / 2 - 1) / n) + std::max(0.0, square(sum) - dot.energy) * ((n + 1) / 3);
  }
  if (chain.scales()) squares += square(sum);
  if (beta_c != 0) squares += square(dot.value.hi) + square(beta_c);
  double variance = mean_square * u * u * squares;
  // Below the normal range errors are absolute: of every product, or of alpha a_i and then times b_i.
  const double reach = n + 1 + (chain.scales() ? dot.operands : 0);
  variance += square(rounding_deviation(chain.last(), 0) * reach);
  if (!contains(chain.out, chain.last()))
    variance += square(rounding_deviation(chain.out, std::fabs(dot.value.hi)));
  return variance < infinity ? std::sqrt(variance) : 0;
}

}  // namespace

Expected matmul_expected(const Model& model, const Format& out, std::int64_t k, double alpha,
                         const oracle::Dot& dot, double beta, double c) {
  return matmul_expected(model, formats_of(model), out, k, alpha, dot, beta, c);
}

Expected matmul_expected(const Model& model, const Formats& formats, const Format& out, std::int64_t k,
                         double alpha, const oracle::Dot& dot, double beta, double c) {
  const Chain chain(model, formats, out, k, alpha, beta);
  Expected expected{dot.value, no_bound, 0, false};
  const double read = beta == 0 || !std::isfinite(c) ? 0 : c;
  const double term = std::fabs(beta * read);
  if (!usable(chain.accumulator, chain.alpha) || !usable(chain.accumulator, beta)) return expected;

  const double products = chain.product_growth();
  const double last = beta == 0 ? 0 : chain.beta_growth();
  expected.overflow_allowed = may_overflow(chain, dot, read, std::max(products, last));
  if (dot.special) {
    expected.bound = 0;
    expected.overflow_allowed = expected.overflow_allowed || may_vanish(chain, dot);
    return expected;
  }

  // Where every product is zero, and c is 0 or copied, nothing is ever rounded.
  const bool copied = read == 0 || (std::fabs(beta) == 1 && contains(chain.last(), out) && !chain.converts());
  double error = 0;
  if (dot.magnitude > 0 || !copied) {
    error = dot.magnitude * products + term * last +
            underflow_error(chain, dot.operands) * (1 + std::max(products, last));
  } else {
    error = std::min(term, chain.flushed());
  }
  const double size = magnitude(dot.value);
  const bool rounded = rounds_output(out, chain.accumulator, chain.last(), size + error);
  if (rounded && !(error == 0 && representable(out, dot.value))) {
    error += rounding_error(out, model.rounding, size + error) + flush_error(model, out);
  }
  // Partial sums that saturate at the largest number obey no relative bound.
  if (expected.overflow_allowed && model.rounding == Rounding::faithful) error = infinity;
  expected.bound = inflate(error);
  if (error > 0 && error < infinity && dot.value.finite()) expected.sigma = deviation(chain, dot, term);
  return expected;
}

}  // namespace etalon::bounds
