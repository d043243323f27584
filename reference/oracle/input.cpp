// INP-1 on the certified fast path (spec/numerics.md, NUM-9).
#include "reference/oracle/input.hpp"

#include <array>
#include <cmath>
#include <stdexcept>

#include "reference/oracle/double_double.hpp"
#include "reference/oracle/exact_sum.hpp"

namespace etalon::oracle {
namespace {

// The class of c x + p by IEEE rules where an operand is not finite. A finite product is no infinity
// here, however large: the definition is about real numbers.
Ball special_sum(double c, double x, double p) {
  if (std::isfinite(c) && std::isfinite(x)) return Ball::exact(p);
  return Ball::exact(c * x + (std::isfinite(p) ? 0 : p));
}

// The product a b has both of its parts exactly and is far from overflow.
bool exact_product(double a, double b) {
  const double size = std::fabs(a * b);
  return a == 0 || b == 0 || (size > 0x1p-900 && size < 0x1p1000);
}

}  // namespace

// With s = RN(sqrt(d)) and the exact residual e = d - s^2, sqrt(d) = s + e/(2s) - (sqrt(d) - s)^2/(2s).
// The dropped term is at most u^2 s / 2, the two roundings of e/(2s) at most 2u |e/(2s)| <= 2 u^2 s (1 + u).
Ball square_root(std::int64_t d) {
  if (d < 0) throw std::domain_error("the square root of a negative number");
  if (d == 0) return Ball::exact(0);
  const auto high = static_cast<double>(d & ~std::int64_t{2047});  // 53 bits: exact
  const auto low = static_cast<double>(d & 2047);
  const double root = std::sqrt(high + low);
  const DoubleDouble square = two_product(root, root);
  const Ball residual = distil(std::array{high, -square.hi, low, -square.lo}, 0.0);
  if (residual.hi == 0) return Ball::exact(root);
  const DoubleDouble sum = fast_two_sum(root, residual.hi / (2 * root));
  return {sum.hi, sum.lo, 3 * unit_squared * root};
}

Ball scaled_sum(const Ball& c, double x, double p) {
  if (!c.finite() || !std::isfinite(x) || !std::isfinite(p)) return special_sum(c.hi, x, p);
  const double spread = c.radius == 0 || x == 0 ? 0 : c.radius * std::fabs(x) * (1 + 0x1p-50) + 0x1p-1074;
  if (!exact_product(c.hi, x) || !exact_product(c.lo, x) || std::fabs(p) > 0x1p1000) {
    ExactSum sum;
    sum.add_product(c.hi, x);
    sum.add_product(c.lo, x);
    sum.add_product(p, 1);
    Ball ball = sum.ball();
    if (ball.finite() && spread > 0) ball.radius = (ball.radius + spread) * (1 + 0x1p-40);
    return ball;
  }
  const DoubleDouble product = two_product(c.hi, x);
  const DoubleDouble correction = two_product(c.lo, x);
  return distil(std::array{p, product.hi, product.lo, correction.hi, correction.lo}, spread);
}

}  // namespace etalon::oracle
