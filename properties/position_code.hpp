// What the laws of position codes share: asking a subject for rows, the truth and the bound of an
// entry, and certified sums of products for the identities among entries.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "properties/trial.hpp"
#include "reference/oracle/position.hpp"

namespace etalon::position {

// Bases as the laws draw them: the paper's, one for long contexts, and two that are quickly verified.
inline constexpr std::int64_t largest_position = 2147483647;  // POS-10: 2^31 - 1
std::vector<std::int64_t> base_values();
std::vector<std::int64_t> telling_positions();  // each shows a kind of fault that its neighbours hide

// The two entries of one column pair at one position.
struct Pair {
  Expected sine;
  Expected cosine;
};

// One width, base and column order, on one trial: the subject's rows and what they must be.
class Code {
 public:
  Code(Trial& trial, std::int64_t width, double base, bool halves = false);

  std::int64_t width() const { return width_; }
  std::int64_t pairs() const { return width_ / 2; }
  // Rows of the positions first .. first + out.shape()[0] - 1. False once the case is settled.
  bool ask(Tensor& out, std::int64_t first) const;
  // POS-2: truth and bound of pair r at a position. Precondition: the operation is offered.
  Pair pair(std::int64_t position, std::int64_t r) const;
  Expected entry(std::int64_t position, std::int64_t column) const;
  Ball frequency(std::int64_t r) const { return oracle_.frequency(r); }
  const oracle::SinusoidalOracle& oracle() const { return oracle_; }

  std::int64_t sine_column(std::int64_t r) const { return halves_ ? r : 2 * r; }
  std::int64_t cosine_column(std::int64_t r) const { return halves_ ? pairs() + r : 2 * r + 1; }
  double sine(const Tensor& rows, std::int64_t i, std::int64_t r) const {
    return rows.value(i * width_ + sine_column(r));
  }
  double cosine(const Tensor& rows, std::int64_t i, std::int64_t r) const {
    return rows.value(i * width_ + cosine_column(r));
  }

 private:
  Trial& trial_;
  std::int64_t width_;
  double base_;
  bool halves_;
  oracle::SinusoidalOracle oracle_;
};

// A sum of products x y of an enclosed x and an exact y.
struct Product {
  Ball x;
  double y;
};
Ball sum_of_products(const std::vector<Product>& products);
Ball exact_sum(const std::vector<Ball>& terms);

// |fl(x) fl(y) - x y| for |fl(x) - x| <= ex, |fl(y) - y| <= ey.
double product_error(double x, double ex, double y, double ey);

// Quantities computed from outputs (a norm, a dot product), judged in the dtype of the trial: rounding
// the quantity into it adds half an ulp, which the bound is widened by.
class Derived {
 public:
  Derived(const Trial& trial, Shape shape);
  // The computed value enclosed by `got`; its truth; how far an honest subject's may stray.
  void set(std::int64_t index, const Ball& got, const Ball& truth, double bound);
  void judge(Trial& trial, std::string_view what) const;

 private:
  const Format& format_;
  Tensor values_;
  std::vector<Expected> expected_;
};

// Every entry is a finite number: the identities below would let NaN agree with NaN.
bool all_finite(Trial& trial, const Tensor& rows);

Layout memory_of(const Trial& trial);  // the parameter "memory"
Parameter memory_parameter();

std::vector<Law> learned_laws();   // POS-1
std::vector<Law> value_laws();     // POS-2, POS-3
std::vector<Law> identity_laws();  // POS-4 .. POS-7
std::vector<Law> spectrum_laws();  // POS-8, POS-9
std::vector<Law> contract_laws();  // POS-10, POS-11, POS-12

}  // namespace etalon::position
