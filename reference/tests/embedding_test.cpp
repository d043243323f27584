#include "reference/embedding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference/real.hpp"

namespace etalon {
namespace {

using Ids = std::vector<std::int64_t>;

// EMB-9: three token types, 私, 猫, 好き, with IDs 1, 2, 3, and d = 2.
template <class T>
Matrix<T> worked_table(const std::vector<T>& values) {
  return Matrix<T>(3, 2, values);
}

Matrix<Real> real_table() {
  return worked_table<Real>({Real("0.2"), Real("0.5"), Real("-0.1"), Real("0.7"), Real("0.8"), Real("-0.3")});
}

Matrix<Interval> interval_table() {
  return worked_table<Interval>({Interval("0.2"), Interval("0.5"), Interval("-0.1"), Interval("0.7"),
                                 Interval("0.8"), Interval("-0.3")});
}

Matrix<Real> sequential_table(std::int64_t V, std::int64_t d) {
  Matrix<Real> E(V, d);
  for (std::int64_t k = 1; k <= V; ++k) {
    for (std::int64_t j = 1; j <= d; ++j) E.entry(k, j) = Real(100 * k + j) / 7;
  }
  return E;
}

void expect_equal(const Matrix<Real>& got, const Matrix<Real>& want) {
  ASSERT_EQ(got.rows(), want.rows());
  ASSERT_EQ(got.columns(), want.columns());
  for (std::int64_t i = 1; i <= want.rows(); ++i) {
    for (std::int64_t j = 1; j <= want.columns(); ++j)
      EXPECT_EQ(got.entry(i, j), want.entry(i, j)) << i << ',' << j;
  }
}

TEST(Embedding, WorkedExample) {  // EMB-9
  const Matrix<Real> E = real_table();
  const Ids ids = {1, 2, 3};
  expect_equal(one_hot_row<Real>(2, 3), Matrix<Real>(1, 3, {Real(0), Real(1), Real(0)}));
  expect_equal(
      one_hot_matrix<Real>(ids, 3),
      Matrix<Real>(3, 3, {Real(1), Real(0), Real(0), Real(0), Real(1), Real(0), Real(0), Real(0), Real(1)}));
  expect_equal(embedding_row(E, 2), Matrix<Real>(1, 2, {Real("-0.1"), Real("0.7")}));
  expect_equal(product(one_hot_row<Real>(2, 3), E), embedding_row(E, 2));
  expect_equal(embed(E, ids), E);
  expect_equal(embed_by_product(E, ids), E);
}

TEST(Embedding, IntervalsEncloseTheWorkedExample) {  // EMB-9
  const Matrix<Real> real = embed_by_product(real_table(), Ids{3, 1});
  const Matrix<Interval> interval = embed_by_product(interval_table(), Ids{3, 1});
  for (std::int64_t i = 1; i <= 2; ++i) {
    for (std::int64_t j = 1; j <= 2; ++j) {
      EXPECT_TRUE(encloses(interval.entry(i, j), real.entry(i, j)));
      EXPECT_EQ(round_to(format_of(Dtype::f64), interval.entry(i, j)),
                round_to(format_of(Dtype::f64), real.entry(i, j)));
    }
  }
  EXPECT_TRUE(encloses(interval.entry(1, 1), Real("0.8")));
  EXPECT_FALSE(encloses(interval.entry(1, 1), Real("0.2"))) << "row 3 comes first";
}

TEST(Embedding, LookupAndProductAgreeAlsoForRepeatedIds) {  // EMB-3, EMB-4
  const Matrix<Real> E = sequential_table(7, 5);
  const Ids ids = {7, 1, 1, 4, 7, 2};
  const Matrix<Real> X = embed(E, ids);
  expect_equal(embed_by_product(E, ids), X);
  for (std::int64_t i = 1; i <= X.rows(); ++i) {
    const Matrix<Real> row = embedding_row(E, ids[static_cast<std::size_t>(i - 1)]);
    for (std::int64_t j = 1; j <= X.columns(); ++j) EXPECT_EQ(X.entry(i, j), row.entry(1, j));
  }
  EXPECT_NE(X.entry(1, 1), X.entry(2, 1));
}

TEST(Embedding, LookupReadsNoOtherRow) {  // EMB-3
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Matrix<double> E(2, 2, {nan, nan, -0.0, 5});
  const Matrix<double> X = embed(E, Ids{2});
  EXPECT_TRUE(std::signbit(X.entry(1, 1)));
  EXPECT_EQ(X.entry(1, 2), 5);
  EXPECT_TRUE(std::isnan(embed_by_product(E, Ids{2}).entry(1, 2)))
      << "which is why the lookup is the definition";
}

TEST(Embedding, ColumnConvention) {  // EMB-5
  const Matrix<Real> E = sequential_table(4, 3);
  for (std::int64_t k = 1; k <= 4; ++k) expect_equal(embedding_column(E, k), transpose(embedding_row(E, k)));
  EXPECT_EQ(embedding_column(E, 1).rows(), 3);
  EXPECT_EQ(embedding_column(E, 1).columns(), 1);
}

TEST(Embedding, RelabellingLeavesEveryEmbedding) {  // EMB-6
  const Matrix<Real> E = sequential_table(4, 3);
  const Ids p = {3, 1, 4, 2};
  const Matrix<Real> relabelled = relabelled_table(E, p);
  const Ids ids = {1, 2, 3, 4, 2};
  Ids renamed;
  for (const std::int64_t k : ids) renamed.push_back(p[static_cast<std::size_t>(k - 1)]);
  expect_equal(embed(relabelled, renamed), embed(E, ids));
  EXPECT_NE(relabelled.entry(1, 1), E.entry(1, 1));
}

TEST(Embedding, OnlyPermutationsRelabel) {  // VOC-5
  const Matrix<Real> E = sequential_table(3, 1);
  EXPECT_THROW(relabelled_table(E, Ids{1, 2}), std::invalid_argument);
  EXPECT_THROW(relabelled_table(E, Ids{1, 2, 2}), std::invalid_argument);
  EXPECT_THROW(relabelled_table(E, Ids{0, 1, 2}), std::out_of_range);
  EXPECT_THROW(relabelled_table(E, Ids{2, 3, 4}), std::out_of_range);
}

TEST(Embedding, IdsOutsideTheTableAreRefused) {  // EMB-8
  const Matrix<Real> E = sequential_table(3, 2);
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t k : {lowest, std::int64_t{-1}, std::int64_t{0}, std::int64_t{4}, highest}) {
    EXPECT_THROW(embedding_row(E, k), std::out_of_range) << k;
    EXPECT_THROW(embed(E, Ids{1, k}), std::out_of_range) << k;
    EXPECT_THROW(one_hot_row<Real>(k, 3), std::out_of_range) << k;
    EXPECT_THROW(one_hot_matrix<Real>(Ids{k}, 3), std::out_of_range) << k;
  }
}

TEST(Embedding, SmallestSizes) {  // EMB-8, TOK-3
  const Matrix<Real> nothing = embed(sequential_table(3, 2), Ids{});
  EXPECT_EQ(nothing.rows(), 0);
  EXPECT_EQ(nothing.columns(), 2);
  EXPECT_EQ(embed_by_product(sequential_table(3, 2), Ids{}).rows(), 0);
  expect_equal(embed(sequential_table(1, 1), Ids{1}), sequential_table(1, 1));
  EXPECT_THROW(embedding_row(Matrix<Real>(0, 2), 1), std::out_of_range);
}

TEST(Matrix, CountsFromOneAndFromZero) {  // IDX-1
  const Matrix<double> A(2, 3, {11, 12, 13, 21, 22, 23});
  EXPECT_EQ(A.entry(1, 1), A(0, 0));
  EXPECT_EQ(A.entry(2, 3), 23);
  EXPECT_EQ(A(1, 2), 23);
  EXPECT_THROW(A.entry(0, 1), std::out_of_range);
  EXPECT_THROW(A.entry(1, 4), std::out_of_range);
  EXPECT_THROW(A(2, 0), std::out_of_range);
  EXPECT_THROW(A(0, -1), std::out_of_range);
  EXPECT_THROW(Matrix<double>(2, 2, {1, 2, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace etalon
