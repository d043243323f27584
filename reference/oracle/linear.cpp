// LIN-1 on the certified fast path (spec/numerics.md, NUM-8).
#include "reference/oracle/linear.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "reference/oracle/double_double.hpp"
#include "reference/oracle/exact_sum.hpp"

namespace etalon::oracle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t lanes = 8;
constexpr std::size_t block = 128;  // a multiple of `lanes`
constexpr double widened = 1 + 0x1p-40;

using Lanes = std::array<double, lanes>;

// What the lanes gather. Sum of the products = sum(high) + sum(low) up to an error that `dropped` bounds.
struct Partial {
  Lanes high{}, low{}, dropped{}, magnitude{}, operands{}, energy{};
  bool underflow = false;  // a product may have lost its low part
};

struct Block {
  std::array<double, block> a{}, b{};
  bool narrow = true;       // every operand is a binary32 value: products are exact doubles
  double least = infinity;  // least |a| times least |b|, over the non-zero ones
};

// Copies up to `block` terms and fills up with zeros, so that the lanes run over contiguous memory.
Block gather(const double* a, std::ptrdiff_t stride_a, const double* b, std::ptrdiff_t stride_b,
             std::size_t count) {
  Block result;
  double least_a = infinity;
  double least_b = infinity;
  for (std::size_t i = 0; i < count; ++i) {
    const double x = a[static_cast<std::ptrdiff_t>(i) * stride_a];
    const double y = b[static_cast<std::ptrdiff_t>(i) * stride_b];
    result.a[i] = x;
    result.b[i] = y;
    result.narrow = result.narrow && static_cast<double>(static_cast<float>(x)) == x &&
                    static_cast<double>(static_cast<float>(y)) == y;
    least_a = x == 0 ? least_a : std::min(least_a, std::fabs(x));
    least_b = y == 0 ? least_b : std::min(least_b, std::fabs(y));
  }
  result.least = least_a * least_b;
  return result;
}

// One pass of Dot2 (Ogita, Rump, Oishi 2005) in parallel lanes: the product and the running sum are split
// without error; only the sums of the error terms themselves are rounded.
template <bool exact_products>
void accumulate(const Block& terms, std::size_t count, Partial& partial) {
  for (std::size_t i = 0; i < count; i += lanes) {
    for (std::size_t j = 0; j < lanes; ++j) {
      const double x = terms.a[i + j];
      const double y = terms.b[i + j];
      const double product = x * y;
      const double tail = exact_products ? 0 : std::fma(x, y, -product);
      const DoubleDouble s = two_sum(partial.high[j], product);
      partial.high[j] = s.hi;
      partial.low[j] += s.lo + tail;
      partial.dropped[j] += std::fabs(s.lo) + std::fabs(tail);
      partial.magnitude[j] += std::fabs(product);
      partial.operands[j] += std::fabs(x) + std::fabs(y);
      partial.energy[j] += product * product;
    }
  }
}

double total(const Lanes& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

// The exact sum as a ball. Each term enters `low` through at most two rounded additions per step, so the
// error of low is at most gamma_{steps + 1} of the sum of |s.lo| + |tail|, itself computed to gamma_{steps}.
Ball collect(const Partial& partial, std::int64_t k) {
  const double steps = static_cast<double>(k) / static_cast<double>(lanes) + 4;
  const double lost = total(partial.dropped);
  const double radius = lost == 0 ? 0 : lost * (steps * unit * 1.001);
  std::array<double, 2 * lanes> terms{};
  std::copy(partial.high.begin(), partial.high.end(), terms.begin());
  if (lost == 0) return distil(partial.high, radius);
  std::copy(partial.low.begin(), partial.low.end(), terms.begin() + lanes);
  return distil(terms, radius);
}

struct Terms {
  double alpha;
  const double* a;
  std::ptrdiff_t stride_a;
  const double* b;
  std::ptrdiff_t stride_b;
  std::int64_t k;  // 0 where a and b are not read
  double beta;
  double c;  // 0 where it is not read

  double left(std::int64_t i) const { return a[static_cast<std::ptrdiff_t>(i) * stride_a]; }
  double right(std::int64_t i) const { return b[static_cast<std::ptrdiff_t>(i) * stride_b]; }
};

// The magnitudes with plain loops, over the finite terms; infinite where they overflow.
void measure(const Terms& terms, Dot& dot) {
  for (std::int64_t i = 0; i < terms.k; ++i) {
    const double x = terms.left(i);
    const double y = terms.right(i);
    if (!std::isfinite(x) || !std::isfinite(y)) continue;
    dot.magnitude += std::fabs(x * y) + (x == 0 || y == 0 ? 0 : 0x1p-1074);
    dot.operands += std::fabs(x) + std::fabs(y);
    dot.energy += x * y * (x * y);
  }
  const double inflation = 1 + (static_cast<double>(terms.k) + 32) * 0x1p-52;
  const double factor = std::isfinite(terms.alpha) ? std::fabs(terms.alpha) : 1;
  dot.magnitude *= inflation;
  dot.operands *= inflation;
  if (factor != 1 && dot.magnitude > 0) dot.magnitude = dot.magnitude * factor * inflation + 0x1p-1074;
  dot.energy *= factor * factor;
}

// Every product and sum without error.
Dot exactly(const Terms& terms) {
  Dot dot;
  measure(terms, dot);
  ExactSum sum;
  for (std::int64_t i = 0; i < terms.k; ++i) sum.add_product(terms.left(i), terms.right(i));
  sum.scale(terms.alpha);
  sum.add_product(terms.beta, terms.c);
  dot.value = sum.ball();
  return dot;
}

// Some operand is not finite. Finite products stay finite, whatever their size: only the operands' own
// infinities and NaNs decide the class.
Dot by_class(const Terms& terms) {
  Dot dot;
  dot.special = true;
  measure(terms, dot);
  ExactSum finite;
  double special = 0;
  for (std::int64_t i = 0; i < terms.k; ++i) {
    const double x = terms.left(i);
    const double y = terms.right(i);
    if (std::isfinite(x) && std::isfinite(y)) {
      finite.add_product(x, y);
    } else {
      special += x * y;
      if (std::isinf(x) && y != 0) dot.partner = std::fmin(dot.partner, std::fabs(y));
      if (std::isinf(y) && x != 0) dot.partner = std::fmin(dot.partner, std::fabs(x));
    }
  }
  const bool decided = !std::isfinite(special);
  const double sum = decided ? special : finite.sign();
  const bool scaled = terms.k > 0 && (decided || !std::isfinite(terms.alpha));
  const double first = scaled ? terms.alpha * sum : 0;
  const double second = std::isfinite(terms.beta) && std::isfinite(terms.c) ? 0 : terms.beta * terms.c;
  dot.value = Ball::exact(first + second);
  return dot;
}

// alpha (hi + lo) + beta c from the ball of the sum; every product is split without error.
Ball combine(const Ball& sum, double alpha, double beta, double c) {
  if (alpha == 1 && (beta == 0 || c == 0)) return sum;
  const DoubleDouble high = two_product(alpha, sum.hi);
  const DoubleDouble low = two_product(alpha, sum.lo);
  const DoubleDouble last = two_product(beta, c);
  return distil(std::array{high.hi, last.hi, high.lo, last.lo, low.hi, low.lo},
                sum.radius == 0 ? 0 : std::fabs(alpha) * sum.radius * widened + 0x1p-1074);
}

// The factors leave room for every product of combine() to be split without error.
bool moderate(double x, double y) {
  const double size = std::fabs(x * y);
  return x == 0 || y == 0 || (size > 0x1p-900 && size < 0x1p1000);
}

bool all_finite(const Terms& terms) {
  if (!std::isfinite(terms.alpha) || !std::isfinite(terms.beta) || !std::isfinite(terms.c)) return false;
  for (std::int64_t i = 0; i < terms.k; ++i) {
    if (!std::isfinite(terms.left(i)) || !std::isfinite(terms.right(i))) return false;
  }
  return true;
}

Dot slowly(const Terms& terms) { return all_finite(terms) ? exactly(terms) : by_class(terms); }

}  // namespace

Dot gemm_entry(double alpha, const double* a, std::ptrdiff_t stride_a, const double* b,
               std::ptrdiff_t stride_b, std::int64_t k, double beta, double c) {
  const std::int64_t read = alpha == 0 ? 0 : k;  // LIN-2
  const Terms terms{read == 0 ? 1 : alpha, a, stride_a, b, stride_b, read, beta, beta == 0 ? 0 : c};
  Partial partial;
  for (std::int64_t i = 0; i < terms.k; i += static_cast<std::int64_t>(block)) {
    const auto count = static_cast<std::size_t>(std::min(terms.k - i, static_cast<std::int64_t>(block)));
    const Block now = gather(a + static_cast<std::ptrdiff_t>(i) * stride_a, stride_a,
                             b + static_cast<std::ptrdiff_t>(i) * stride_b, stride_b, count);
    if (now.narrow) {
      accumulate<true>(now, count, partial);
    } else {
      accumulate<false>(now, count, partial);
      partial.underflow = partial.underflow || now.least < 0x1p-960;
    }
  }
  Dot dot;
  dot.magnitude = total(partial.magnitude);
  dot.operands = total(partial.operands);
  const bool in_range = dot.magnitude < 0x1p1000 && dot.operands < infinity && std::isfinite(beta) &&
                        std::isfinite(terms.c) && std::isfinite(terms.alpha);
  if (!in_range || partial.underflow) return slowly(terms);

  const Ball sum = terms.k == 0 ? Ball::exact(0) : collect(partial, terms.k);
  const bool plain = terms.alpha == 1 && (beta == 0 || terms.c == 0);
  if (!plain &&
      !(moderate(terms.alpha, sum.hi) && moderate(terms.alpha, sum.lo) && moderate(beta, terms.c))) {
    return slowly(terms);
  }
  dot.value = combine(sum, terms.alpha, beta, terms.c);
  const double inflation = 1 + (static_cast<double>(terms.k) / lanes + 32) * 0x1p-52;
  dot.magnitude *= std::fabs(terms.alpha) * inflation;
  dot.operands *= inflation;
  dot.energy = terms.alpha * terms.alpha * total(partial.energy);
  return dot;
}

}  // namespace etalon::oracle
