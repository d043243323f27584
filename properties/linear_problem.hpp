// What the laws of the matrix product share: one call with its operands, the truth and the bound of an
// entry, and operands for which the result is exact in every order of summation.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "properties/trial.hpp"

namespace etalon::linear {

// LIN-1: c = alpha op(a) op(b) + beta c, op(a) (m,k), op(b) (k,n), c (m,n).
struct Problem {
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  bool transpose_a = false;
  bool transpose_b = false;
  double alpha = 1;
  double beta = 0;
  Layout layout = Layout::dense;  // of all three
  Tensor a, b, c;

  Shape shape_a() const { return transpose_a ? Shape{k, m} : Shape{m, k}; }
  Shape shape_b() const { return transpose_b ? Shape{n, k} : Shape{k, n}; }
  // New operands from the streams "a", "b" and "c" of the trial.
  void fill(const Trial& trial, Pattern pattern);
};

// LIN-2: fills an operand with NaN and infinities: what must not be read.
void spoil(Tensor& operand, Stream stream);

// Elements in row order.
std::vector<double> values_of(const Tensor& tensor);

// The problem as numbers, taken before the call, and its product by the oracle.
class Product {
 public:
  explicit Product(const Problem& problem);
  // Entry index = i n + j of c: truth and bound for the declared model.
  Expected expected(const Model& model, const Format& format, std::int64_t index) const;
  // The same entry where every partial sum is a binary64 value (LIN-3): summed as written.
  double exact(std::int64_t index) const;

 private:
  struct Line {
    const double* start;
    std::ptrdiff_t stride;
  };
  Line row_of_a(std::int64_t i) const;
  Line column_of_b(std::int64_t j) const;

  std::int64_t m_, n_, k_;
  bool transpose_a_, transpose_b_;
  double alpha_, beta_;
  std::vector<double> a_, b_, c_;
};

// Calls matmul; problem.c then holds the result. False once the case is settled.
bool multiply(Trial& trial, Problem& problem);

// Every value of `format` goes through products and sums unchanged: the declared formats contain it.
bool carries(const Model& model, const Format& format);

// LIN-3: fills a, b and c with multiples of a unit such that every sum in every order is exact in the
// declared accumulator, while operands and sums need more bits than any narrower format has. False, with
// the case settled as mistrusted, where the accumulator has too few bits for so long a sum.
bool fill_exact(Trial& trial, Problem& problem);

std::vector<Law> product_laws();  // LIN-1, LIN-2
std::vector<Law> exact_laws();    // LIN-3
std::vector<Law> algebra_laws();  // LIN-4, LIN-5

// Parameters that several laws take, and the problem they describe.
Parameter memory_parameter();
Problem problem_of(const Trial& trial);                  // m, n, k, ta, tb, memory
Problem problem_of(const Trial& trial, std::int64_t k);  // the same without k

}  // namespace etalon::linear
