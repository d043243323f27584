// A dense matrix of numbers, for the definitions only: no strides, no views, no speed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

namespace etalon {

template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), values_(static_cast<std::size_t>(rows * columns), T(0)) {}
  Matrix(std::int64_t rows, std::int64_t columns, std::vector<T> values_row_by_row)
      : rows_(rows), columns_(columns), values_(std::move(values_row_by_row)) {
    if (values_.size() != static_cast<std::size_t>(rows * columns)) {
      throw std::invalid_argument("a matrix needs rows * columns values");
    }
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  // IDX-1: the entry A_{i,j} as the mathematics writes it, counted from 1. Throws std::out_of_range.
  T& entry(std::int64_t i, std::int64_t j) { return values_[offset(i - 1, j - 1)]; }
  const T& entry(std::int64_t i, std::int64_t j) const { return values_[offset(i - 1, j - 1)]; }

  // IDX-1: the same storage as interfaces and memory see it, counted from 0. Throws std::out_of_range.
  T& operator()(std::int64_t row, std::int64_t column) { return values_[offset(row, column)]; }
  const T& operator()(std::int64_t row, std::int64_t column) const { return values_[offset(row, column)]; }

  const std::vector<T>& values() const { return values_; }  // row by row

 private:
  std::size_t offset(std::int64_t row, std::int64_t column) const {
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_) {
      throw std::out_of_range("no such entry of a matrix");
    }
    return static_cast<std::size_t>(row * columns_ + column);
  }

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<T> values_;
};

}  // namespace etalon
