#include "reference/definitions.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "reference/linear.hpp"

namespace etalon {
namespace {

constexpr int kPositionPrecision = 256;

// NUM-6: the part that infinities and NaNs play in a sum of products. Products of finite operands
// are finite real numbers, which no infinity and no NaN takes notice of.
class NonFiniteSum {
 public:
  void add_product(double x, double y) {
    if (!std::isfinite(x) || !std::isfinite(y)) sum_ += x * y;
  }
  void scale(double factor) {
    if (!finite()) sum_ *= factor;
  }
  bool finite() const { return std::isfinite(sum_); }
  double value() const { return sum_; }

 private:
  double sum_ = 0;
};

Matrix<Interval> row_of(std::span<const double> values) {
  Matrix<Interval> row(1, static_cast<std::int64_t>(values.size()));
  for (std::size_t r = 0; r < values.size(); ++r) {
    row(0, static_cast<std::int64_t>(r)) = Interval(values[r]);
  }
  return row;
}

double plain_scale(ScaleKind kind, std::int64_t d, double value) {
  if (kind == ScaleKind::value) return value;
  return kind == ScaleKind::one ? 1 : std::sqrt(static_cast<double>(d));
}

}  // namespace

// POS-2
Interval frequency_enclosure(std::int64_t r, std::int64_t d, double base) {
  const WorkingPrecision scope(std::max(WorkingPrecision::bits(), kPositionPrecision));
  return frequency<Interval>(r, d, base);
}

// POS-2
Interval sinusoidal_enclosure(std::int64_t pos, std::int64_t column, std::int64_t d, double base,
                              PairLayout layout) {
  const WorkingPrecision scope(std::max(WorkingPrecision::bits(), kPositionPrecision));
  return sinusoidal<Interval>(pos, column, d, base, layout);
}

Interval square_root_enclosure(double x) {
  if (!(x >= 0)) throw std::invalid_argument("the square root of a negative number");
  return sqrt(Interval(x));
}

// INP-2
Interval scale_enclosure(ScaleKind kind, std::int64_t d, double value) {
  return scale_factor<Interval>(kind, d, value);
}

// INP-1
Interval combine_enclosure(ScaleKind kind, std::int64_t d, double value, double x, double p) {
  const Interval c = scale_enclosure(kind, d, value);
  NonFiniteSum special;
  special.add_product(plain_scale(kind, d, value), x);
  special.add_product(1, p);
  if (!special.finite()) return Interval(special.value());
  return combine(c, Interval(x), Interval(p));
}

// LIN-1, LIN-2
Interval matmul_entry_enclosure(double alpha, std::span<const double> a, std::span<const double> b,
                                double beta, double c) {
  if (a.size() != b.size()) throw std::invalid_argument("a row and a column of one length");
  if (!std::isfinite(alpha) || !std::isfinite(beta)) throw std::invalid_argument("alpha and beta are finite");
  NonFiniteSum special;
  if (alpha != 0) {
    for (std::size_t r = 0; r < a.size(); ++r) special.add_product(a[r], b[r]);
    special.scale(alpha);
  }
  if (beta != 0) special.add_product(beta, c);
  if (!special.finite()) return Interval(special.value());

  const Matrix<Interval> column = transpose(row_of(b));
  const Matrix<Interval> entry(1, 1, {Interval(c)});
  return matmul(alpha, Transposed::no, row_of(a), Transposed::no, column, beta, entry)(0, 0);
}

// NUM-1
std::optional<std::uint64_t> round_sinusoidal(const Format& format, std::int64_t pos, std::int64_t column,
                                              std::int64_t d, double base, PairLayout layout) {
  return round_correctly(format, [&] { return sinusoidal_enclosure(pos, column, d, base, layout); });
}

std::optional<std::uint64_t> round_combine(const Format& format, ScaleKind kind, std::int64_t d, double value,
                                           double x, double p) {
  return round_correctly(format, [&] { return combine_enclosure(kind, d, value, x, p); });
}

std::optional<std::uint64_t> round_matmul_entry(const Format& format, double alpha, std::span<const double> a,
                                                std::span<const double> b, double beta, double c) {
  return round_correctly(format, [&] { return matmul_entry_enclosure(alpha, a, b, beta, c); });
}

}  // namespace etalon
