// INP: the input representation Z = c X + P, over any number type T.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "reference/matrix.hpp"

namespace etalon {

// INP-2: which c.
enum class ScaleKind : int { one = 0, root = 1, value = 2 };  // 1, sqrt(d), a declared number

// INP-2: c for a width d; `value` counts only for ScaleKind::value.
template <class T>
T scale_factor(ScaleKind kind, std::int64_t d, double value) {
  if (d < 1) throw std::invalid_argument("the width is at least 1");
  if (kind == ScaleKind::one) return T(1);
  if (kind == ScaleKind::root) return sqrt(T(d));
  return T(value);
}

// INP-1: one entry, c x + p.
template <class T>
T combine(const T& c, const T& x, const T& p) {
  return c * x + p;
}

// INP-1: Z_{i,:} = c X_{i,:} + P_{i,:}; all n x d.
template <class T>
Matrix<T> input_representation(const T& c, const Matrix<T>& X, const Matrix<T>& P) {
  if (X.rows() != P.rows() || X.columns() != P.columns()) {
    throw std::invalid_argument("X and P have one shape");
  }
  Matrix<T> Z(X.rows(), X.columns());
  for (std::int64_t i = 1; i <= X.rows(); ++i) {
    for (std::int64_t j = 1; j <= X.columns(); ++j) {
      Z.entry(i, j) = combine(c, X.entry(i, j), P.entry(i, j));
    }
  }
  return Z;
}

// INP-6: the same P for every member of a batch.
template <class T>
std::vector<Matrix<T>> input_representation(const T& c, const std::vector<Matrix<T>>& batch,
                                            const Matrix<T>& P) {
  std::vector<Matrix<T>> result;
  result.reserve(batch.size());
  for (const Matrix<T>& X : batch) result.push_back(input_representation(c, X, P));
  return result;
}

}  // namespace etalon
