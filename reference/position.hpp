// POS: position codes, over any number type T. Positions, pairs and columns count from 0 here, as
// in PE(pos, 2r), PE(pos, 2r+1); row i of the mathematics has pos = i - 1 (IDX-1).
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "reference/matrix.hpp"

namespace etalon {

// POS-2: where the sine and the cosine of pair r stand in a row of d columns. `interleaved` is the
// definition (2r and 2r + 1), `halves` the declared variant (r and d/2 + r).
enum class PairLayout : int { interleaved = 0, halves = 1 };

// POS-11: columns come in pairs.
inline void require_pairs(std::int64_t d) {
  if (d < 2 || d % 2 != 0) throw std::invalid_argument("the width of a position code is even and at least 2");
}

// A base is an exact double; with base > 1 the wavelengths grow.
inline void require_base(double base) {
  if (!(base > 1) || std::isinf(base)) throw std::invalid_argument("the base is finite and above 1");
}

// POS-2: the pair and the function of a column.
struct PairColumn {
  std::int64_t r;
  bool is_sine;
};

inline PairColumn pair_of_column(std::int64_t column, std::int64_t d, PairLayout layout) {
  require_pairs(d);
  if (column < 0 || column >= d) throw std::out_of_range("no such column of a position code");
  if (layout == PairLayout::interleaved) return {column / 2, column % 2 == 0};
  return {column % (d / 2), column < d / 2};
}

// POS-2: w_r = base^(-2r/d), r = 0..d/2-1.
template <class T>
T frequency(std::int64_t r, std::int64_t d, double base) {
  require_pairs(d);
  require_base(base);
  if (r < 0 || r >= d / 2) throw std::out_of_range("no such pair of columns");
  return pow(T(base), T(-2 * r) / T(d));
}

// The angle of the pair r at a position: pos w_r, in radians.
template <class T>
T angle(std::int64_t pos, std::int64_t r, std::int64_t d, double base) {
  return T(pos) * frequency<T>(r, d, base);
}

// POS-2: PE(pos, 2r) = sin(pos w_r), PE(pos, 2r+1) = cos(pos w_r).
template <class T>
T sinusoidal(std::int64_t pos, std::int64_t column, std::int64_t d, double base,
             PairLayout layout = PairLayout::interleaved) {
  const PairColumn pair = pair_of_column(column, d, layout);
  const T theta = angle<T>(pos, pair.r, d, base);
  return pair.is_sine ? sin(theta) : cos(theta);
}

// POS-2, POS-10: rows first, ..., first + n - 1; n x d.
template <class T>
Matrix<T> sinusoidal_table(std::int64_t first, std::int64_t n, std::int64_t d, double base,
                           PairLayout layout = PairLayout::interleaved) {
  require_pairs(d);
  Matrix<T> P(n, d);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < d; ++j) P(i, j) = sinusoidal<T>(first + i, j, d, base, layout);
  }
  return P;
}

// POS-4, POS-5: R(k), d x d, with PE(pos + k) = R(k) PE(pos) for columns in the interleaved layout:
// on the diagonal the blocks [[cos k w_r, sin k w_r], [-sin k w_r, cos k w_r]].
template <class T>
Matrix<T> rotation(std::int64_t k, std::int64_t d, double base) {
  require_pairs(d);
  Matrix<T> R(d, d);
  for (std::int64_t r = 0; r < d / 2; ++r) {
    const T theta = angle<T>(k, r, d, base);
    R(2 * r, 2 * r) = cos(theta);
    R(2 * r, 2 * r + 1) = sin(theta);
    R(2 * r + 1, 2 * r) = -sin(theta);
    R(2 * r + 1, 2 * r + 1) = cos(theta);
  }
  return R;
}

// POS-7: PE(p) . PE(q) = sum over r of cos((p - q) w_r).
template <class T>
T position_product(std::int64_t p, std::int64_t q, std::int64_t d, double base) {
  require_pairs(d);
  T sum(0);
  for (std::int64_t r = 0; r < d / 2; ++r) sum += cos(angle<T>(p - q, r, d, base));
  return sum;
}

// POS-8: the wavelength of the pair r, 2 pi / w_r positions.
template <class T>
T wavelength(std::int64_t r, std::int64_t d, double base) {
  const T pi = acos(T(-1));
  return T(2) * pi / frequency<T>(r, d, base);
}

// POS-1: a learned code is a lookup by position: rows first, ..., first + n - 1 of the table.
template <class T>
Matrix<T> learned_positions(const Matrix<T>& table, std::int64_t first, std::int64_t n) {
  if (first < 0 || n < 0 || n > table.rows() || first > table.rows() - n) {
    throw std::out_of_range("a learned position code ends with its table");
  }
  Matrix<T> P(n, table.columns());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < table.columns(); ++j) P(i, j) = table(first + i, j);
  }
  return P;
}

}  // namespace etalon
