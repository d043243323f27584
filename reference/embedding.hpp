// EMB: the embedding of tokens, over any number type T. Token IDs count from 1 here (IDX-1): row k
// of E belongs to ID k. Interfaces pass the 0-based row k - 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "reference/linear.hpp"
#include "reference/matrix.hpp"

namespace etalon {

// EMB-8: an ID outside 1..V has no embedding.
inline void require_token_id(std::int64_t k, std::int64_t V) {
  if (k < 1 || k > V) throw std::out_of_range("a token ID lies in 1..V");
}

// EMB-1: Emb(tau) = E_{k,:} with k = iota(tau); 1 x d. The lookup is the definition: no other row
// is read.
template <class T>
Matrix<T> embedding_row(const Matrix<T>& E, std::int64_t k) {
  require_token_id(k, E.rows());
  Matrix<T> row(1, E.columns());
  for (std::int64_t j = 1; j <= E.columns(); ++j) row.entry(1, j) = E.entry(k, j);
  return row;
}

// EMB-4: X has row i = E_{k_i,:}; n x d.
template <class T>
Matrix<T> embed(const Matrix<T>& E, std::span<const std::int64_t> ids) {
  Matrix<T> X(static_cast<std::int64_t>(ids.size()), E.columns());
  for (std::int64_t i = 1; i <= X.rows(); ++i) {
    const std::int64_t k = ids[static_cast<std::size_t>(i - 1)];
    require_token_id(k, E.rows());
    for (std::int64_t j = 1; j <= E.columns(); ++j) X.entry(i, j) = E.entry(k, j);
  }
  return X;
}

// EMB-2: the one-hot row u_k: (u_k)_r = 1 if r = k, else 0; 1 x V.
template <class T>
Matrix<T> one_hot_row(std::int64_t k, std::int64_t V) {
  require_token_id(k, V);
  Matrix<T> u(1, V);
  u.entry(1, k) = T(1);
  return u;
}

// EMB-2: T stacks the rows u_{k_i}; n x V.
template <class T>
Matrix<T> one_hot_matrix(std::span<const std::int64_t> ids, std::int64_t V) {
  Matrix<T> stacked(static_cast<std::int64_t>(ids.size()), V);
  for (std::int64_t i = 1; i <= stacked.rows(); ++i) {
    const std::int64_t k = ids[static_cast<std::size_t>(i - 1)];
    require_token_id(k, V);
    stacked.entry(i, k) = T(1);
  }
  return stacked;
}

// EMB-3, EMB-4: X = T E.
template <class T>
Matrix<T> embed_by_product(const Matrix<T>& E, std::span<const std::int64_t> ids) {
  return product(one_hot_matrix<T>(ids, E.rows()), E);
}

// EMB-5: in the column convention the embedding is E^T e_k = (u_k E)^T; d x 1.
template <class T>
Matrix<T> embedding_column(const Matrix<T>& E, std::int64_t k) {
  const Matrix<T> e = transpose(one_hot_row<T>(k, E.rows()));
  return product(transpose(E), e);
}

// EMB-6, VOC-5: the table after the IDs were relabelled by the permutation p of 1..V, given as
// p(1), ..., p(V): what was row k is now row p(k). Throws where p is no permutation.
template <class T>
Matrix<T> relabelled_table(const Matrix<T>& E, std::span<const std::int64_t> p) {
  if (static_cast<std::int64_t>(p.size()) != E.rows()) throw std::invalid_argument("p permutes 1..V");
  std::vector<bool> taken(p.size(), false);
  Matrix<T> result(E.rows(), E.columns());
  for (std::int64_t k = 1; k <= E.rows(); ++k) {
    const std::int64_t image = p[static_cast<std::size_t>(k - 1)];
    require_token_id(image, E.rows());
    if (taken[static_cast<std::size_t>(image - 1)]) throw std::invalid_argument("p takes a value twice");
    taken[static_cast<std::size_t>(image - 1)] = true;
    for (std::int64_t j = 1; j <= E.columns(); ++j) result.entry(image, j) = E.entry(k, j);
  }
  return result;
}

}  // namespace etalon
