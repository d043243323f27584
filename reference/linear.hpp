// LIN: products of matrices, over any number type T (Real, Interval, double).
#pragma once

#include <cstdint>
#include <stdexcept>

#include "reference/matrix.hpp"

namespace etalon {

enum class Transposed : int { no = 0, yes = 1 };

// op(A): A or its transpose.
template <class T>
Matrix<T> transpose(const Matrix<T>& a) {
  Matrix<T> result(a.columns(), a.rows());
  for (std::int64_t i = 1; i <= a.rows(); ++i) {
    for (std::int64_t j = 1; j <= a.columns(); ++j) result.entry(j, i) = a.entry(i, j);
  }
  return result;
}

// (A B)_{i,j} = sum over r = 1..k of A_{i,r} B_{r,j}; A is m x k, B is k x n. The empty sum is 0.
template <class T>
Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
  if (a.columns() != b.rows()) throw std::invalid_argument("A B needs as many rows of B as columns of A");
  Matrix<T> result(a.rows(), b.columns());
  for (std::int64_t i = 1; i <= a.rows(); ++i) {
    for (std::int64_t j = 1; j <= b.columns(); ++j) {
      T sum(0);
      for (std::int64_t r = 1; r <= a.columns(); ++r) sum += a.entry(i, r) * b.entry(r, j);
      result.entry(i, j) = sum;
    }
  }
  return result;
}

// LIN-1: Y = alpha op(A) op(B) + beta C.
// LIN-2: alpha = 0 does not read A and B (their shapes still count); beta = 0 does not read C.
// The factors are exact doubles, so the two branches ask nothing of T.
template <class T>
Matrix<T> matmul(double alpha, Transposed op_a, const Matrix<T>& a, Transposed op_b, const Matrix<T>& b,
                 double beta, const Matrix<T>& c) {
  const Matrix<T> left = op_a == Transposed::yes ? transpose(a) : a;
  const Matrix<T> right = op_b == Transposed::yes ? transpose(b) : b;
  if (left.columns() != right.rows() || left.rows() != c.rows() || right.columns() != c.columns()) {
    throw std::invalid_argument("the shapes of op(A), op(B) and C do not fit");
  }
  const Matrix<T> ab = alpha == 0 ? Matrix<T>(c.rows(), c.columns()) : product(left, right);
  Matrix<T> result(c.rows(), c.columns());
  for (std::int64_t i = 1; i <= c.rows(); ++i) {
    for (std::int64_t j = 1; j <= c.columns(); ++j) {
      if (alpha != 0) result.entry(i, j) += T(alpha) * ab.entry(i, j);
      if (beta != 0) result.entry(i, j) += T(beta) * c.entry(i, j);
    }
  }
  return result;
}

// LIN-4: x W + b, the row b added to every row; x is n x k, W is k x m, b is 1 x m.
template <class T>
Matrix<T> linear_map(const Matrix<T>& x, const Matrix<T>& w, const Matrix<T>& b) {
  if (b.rows() != 1 || b.columns() != w.columns()) throw std::invalid_argument("b is one row, as wide as W");
  Matrix<T> result = product(x, w);
  for (std::int64_t i = 1; i <= result.rows(); ++i) {
    for (std::int64_t j = 1; j <= result.columns(); ++j) result.entry(i, j) += b.entry(1, j);
  }
  return result;
}

}  // namespace etalon
