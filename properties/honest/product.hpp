// LIN-1, LIN-2: the frame of every honest matrix product. It checks shapes, gathers the operands by their
// strides, and leaves to the variant how an entry, or a sum, comes about.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "properties/honest/arithmetic.hpp"
#include "properties/honest/frame.hpp"

namespace etalon::honest {

// The operands as numbers. Where alpha = 0 the sum has no terms, and where beta = 0 c is not read (LIN-2).
template <typename Number>
struct Product {
  std::int64_t m, n, k;
  Number alpha, beta;
  bool adds_c;
  const Format& format;
  std::vector<Number> a;       // m rows of k
  std::vector<Number> b;       // n columns of k
  std::vector<Number> c;       // m rows of n
  std::vector<Number> result;  // likewise
};

// One row of a and one column of b.
template <typename Number>
struct Terms {
  using Real = Number;
  const Number* a;
  const Number* b;
  std::int64_t k;
  const Format& format;  // of the operands in memory
  std::uint64_t entry;   // which entry of c

  Real product(std::int64_t l) const { return a[l] * b[l]; }
  // The terms from `first` on, `count` of them.
  Terms part(std::int64_t first, std::int64_t count) const {
    return {a + first, b + first, count, format, entry};
  }
};

template <typename Number>
struct Factors {
  Number alpha, beta, c;
  bool adds_c;

  // alpha sum + beta c, c last.
  Number applied(Number sum) const {
    const Number scaled = alpha * sum;
    return adds_c ? scaled + beta * c : scaled;
  }
  // Where alpha has been multiplied in already.
  Number added(Number sum) const { return adds_c ? sum + beta * c : sum; }
  Number first() const { return adds_c ? beta * c : Number(0); }
};

template <typename Number>
std::vector<Number> gather(const View& view, bool transposed) {
  std::vector<Number> values;
  const std::int64_t rows = view.shape[transposed ? 1 : 0];
  const std::int64_t columns = view.shape[transposed ? 0 : 1];
  values.reserve(static_cast<std::size_t>(rows * columns));
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j)
      values.push_back(static_cast<Number>(transposed ? read(view, j, i) : read(view, i, j)));
  }
  return values;
}

template <typename Number>
Terms<Number> terms_of(const Product<Number>& problem, std::int64_t i, std::int64_t j) {
  return {problem.a.data() + i * problem.k, problem.b.data() + j * problem.k, problem.k, problem.format,
          static_cast<std::uint64_t>(i * problem.n + j)};
}

template <typename Number>
Factors<Number> factors_of(const Product<Number>& problem, std::int64_t i, std::int64_t j) {
  const Number c = problem.adds_c ? problem.c[static_cast<std::size_t>(i * problem.n + j)] : Number(0);
  return {problem.alpha, problem.beta, c, problem.adds_c};
}

template <typename Number, typename Whole>
Status multiply(const Call& call, const Whole& whole) {
  const View& a = call.tensor("a");
  const View& b = call.tensor("b");
  const View& c = call.tensor("c");
  if (!is_matrix(a) || !is_matrix(b) || !is_matrix(c) || a.dtype != c.dtype || b.dtype != c.dtype)
    return Status::invalid_argument;
  const bool ta = call.attribute("transpose_a") != 0;
  const bool tb = call.attribute("transpose_b") != 0;
  const std::int64_t k = a.shape[ta ? 0 : 1];
  const bool fits =
      b.shape[tb ? 1 : 0] == k && a.shape[ta ? 1 : 0] == c.shape[0] && b.shape[tb ? 0 : 1] == c.shape[1];
  if (!fits) return Status::invalid_argument;
  const double alpha = call.attribute("alpha");
  const double beta = call.attribute("beta");
  Product<Number> problem{c.shape[0],
                          c.shape[1],
                          alpha == 0 ? 0 : k,
                          static_cast<Number>(alpha),
                          static_cast<Number>(beta),
                          beta != 0,
                          format_of(c.dtype),
                          {},
                          {},
                          {},
                          {}};
  if (alpha != 0) {
    problem.a = gather<Number>(a, ta);
    problem.b = gather<Number>(b, !tb);
  }
  if (beta != 0) problem.c = gather<Number>(c, false);
  problem.result.resize(static_cast<std::size_t>(problem.m * problem.n));
  whole(problem);
  for (std::int64_t i = 0; i < problem.m; ++i) {
    for (std::int64_t j = 0; j < problem.n; ++j)
      write(c, stored(problem.format, problem.result[static_cast<std::size_t>(i * problem.n + j)]), i, j);
  }
  return Status::ok;
}

// The whole product by one function of the problem, which fills in the result.
template <typename Arithmetic, typename Whole>
Compute whole_product(Whole whole) {
  return [whole](const Call& call) {
    return call.tensor("c").dtype == Dtype::f64 ? multiply<typename Arithmetic::Wide>(call, whole)
                                                : multiply<typename Arithmetic::Narrow>(call, whole);
  };
}

// The rows [begin, end), entry by entry: a function of terms and factors.
template <typename Number, typename Entry>
void fill_rows(Product<Number>& problem, std::int64_t begin, std::int64_t end, const Entry& entry) {
  for (std::int64_t i = begin; i < end; ++i) {
    for (std::int64_t j = 0; j < problem.n; ++j) {
      problem.result[static_cast<std::size_t>(i * problem.n + j)] =
          entry(terms_of(problem, i, j), factors_of(problem, i, j));
    }
  }
}

template <typename Arithmetic, typename Entry>
Compute each_entry(Entry entry) {
  return whole_product<Arithmetic>([entry](auto& problem) { fill_rows(problem, 0, problem.m, entry); });
}

// alpha sum + beta c, the sum by a function of the terms.
template <typename Arithmetic, typename Sum>
Compute each_sum(Sum sum) {
  return each_entry<Arithmetic>(
      [sum](const auto& terms, const auto& factors) { return factors.applied(sum(terms)); });
}

}  // namespace etalon::honest
