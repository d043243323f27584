// Products with too few bits somewhere, with terms lost, or with special values that are not those of IEEE.
#include "properties/mutants/after_call.hpp"
#include "properties/mutants/linear_parts.hpp"

namespace etalon::multiplying {
namespace {

using enum Frequency;

template <Dtype narrow>
double in(double x) {
  return rounded_to(narrow, x);
}

// `bits` bits of significand and every exponent.
template <int bits>
double with_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::isfinite(x) ? std::ldexp(std::nearbyint(std::ldexp(fraction, bits)), exponent - bits) : x;
}

// Four bits of significand, exponents -6 .. 8, subnormals, no infinity: 448 is the largest.
double in_e4m3(double x) {
  const double size = std::fabs(x);
  if (std::isnan(x)) return x;
  if (size < 0x1p-6) return std::nearbyint(x * 0x1p9) * 0x1p-9;
  return std::copysign(std::min(448.0, with_bits<4>(size)), x);
}

// An element, given by its place, is off by two units in the last place wherever there is one.
std::function<std::unique_ptr<Subject>()> one_off(std::int64_t i, std::int64_t j) {
  return after_call([=](const Call& call) {
    const View& c = call.tensor("c");
    if (i < c.shape[0] && j < c.shape[1]) nudge(c, i, j, 2);
  });
}

// The last element of every result of at least so many.
std::function<std::unique_ptr<Subject>()> last_off(std::int64_t at_least) {
  return after_call([=](const Call& call) {
    const View& c = call.tensor("c");
    if (c.shape.elements() >= at_least) nudge(c, c.shape[0] - 1, c.shape[1] - 1, 2);
  });
}

constexpr std::string_view holds_all = "the format holds every operand of this one";
constexpr std::string_view is_declared = "it is the declared accumulator";

std::vector<Mutant> narrow_operands() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_operands_bf16",
       "narrow operand",
       "LIN-1",
       common,
       "Operands are rounded to bf16.",
       matmul,
       {Dtype::f64, Dtype::f32, Dtype::f16},
       spoiled([](Habits& h) { h.operand = in<Dtype::bf16>; }),
       {{Dtype::bf16, holds_all}}},
      {"matmul_operands_f16",
       "narrow operand",
       "LIN-1",
       common,
       "Operands are rounded to fp16.",
       matmul,
       {Dtype::f64, Dtype::f32, Dtype::bf16},
       spoiled([](Habits& h) { h.operand = in<Dtype::f16>; }),
       {{Dtype::f16, holds_all}}},
      {"matmul_operands_tf32",
       "narrow operand",
       "LIN-3",
       common,
       "Operands are rounded to 11 bits.",
       matmul,
       {Dtype::f64, Dtype::f32},
       spoiled([](Habits& h) { h.operand = with_bits<11>; }),
       {{Dtype::bf16, holds_all}, {Dtype::f16, holds_all}}},
      {"matmul_operands_f32",
       "narrow operand",
       "LIN-1",
       occasional,
       "Operands in f64 are rounded to f32.",
       matmul,
       {Dtype::f64},
       spoiled([](Habits& h) { h.operand = in<Dtype::f32>; }),
       {{Dtype::f32, holds_all}, {Dtype::bf16, holds_all}, {Dtype::f16, holds_all}}},
      {"matmul_operands_e4m3", "narrow operand", "LIN-5", rare, "Operands are rounded to eight bits: e4m3.",
       matmul, floats, spoiled([](Habits& h) { h.operand = in_e4m3; })},
      {"matmul_row_narrow", "narrow operand", "LIN-1", occasional,
       "A single row is multiplied by another path, with operands in four bits.", matmul, floats,
       spoiled([](Habits& h) {
         h.narrows = [](std::int64_t m, std::int64_t) { return m == 1; };
         h.operand = with_bits<4>;
       })},
      {"matmul_large_narrow",
       "narrow operand",
       "LIN-3",
       common,
       "From 64 rows on operands are rounded to bf16.",
       matmul,
       {Dtype::f64, Dtype::f32, Dtype::f16},
       spoiled([](Habits& h) {
         h.narrows = [](std::int64_t m, std::int64_t) { return m >= 64; };
         h.operand = in<Dtype::bf16>;
       }),
       {{Dtype::bf16, holds_all}}},
      {"matmul_terms_bf16", "narrow operand", "LIN-3", occasional,
       "Every term is rounded to bf16 before it is added.", matmul, floats,
       spoiled([](Habits& h) { h.product = in<Dtype::bf16>; })},
  };
}

std::vector<Mutant> narrow_accumulators() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_sum_bf16", "narrow accumulator", "LIN-3", common, "The sum is kept in bf16.", matmul, floats,
       spoiled([](Habits& h) { h.partial_sum = in<Dtype::bf16>; })},
      {"matmul_sum_f16", "narrow accumulator", "LIN-3", common, "The sum is kept in fp16.", matmul, floats,
       spoiled([](Habits& h) { h.partial_sum = in<Dtype::f16>; })},
      {"matmul_sum_f32",
       "narrow accumulator",
       "LIN-3",
       common,
       "The sum of a product in f64 is kept in f32.",
       matmul,
       {Dtype::f64},
       spoiled([](Habits& h) { h.partial_sum = in<Dtype::f32>; }),
       {{Dtype::f32, is_declared}, {Dtype::bf16, is_declared}, {Dtype::f16, is_declared}}},
      {"matmul_sum_14_bits", "narrow accumulator", "LIN-1", rare, "The sum is kept in 14 bits.", matmul,
       floats, spoiled([](Habits& h) { h.partial_sum = with_bits<14>; })},
      {"matmul_result_truncated",
       "narrow accumulator",
       "LIN-3",
       common,
       "The sum is cut to the format of c, not rounded.",
       matmul,
       {Dtype::bf16, Dtype::f16},
       spoiled([](Habits& h) { h.truncates_results = true; }),
       {{Dtype::f64, is_declared}, {Dtype::f32, is_declared}}},
      {"matmul_sum_through_output",
       "narrow accumulator",
       "LIN-3",
       common,
       "Every 32 terms the sum goes through the format of c.",
       matmul,
       {Dtype::bf16, Dtype::f16},
       spoiled([](Habits& h) { h.stored_every = 32; }),
       {{Dtype::f64, is_declared}, {Dtype::f32, is_declared}}},
  };
}

std::vector<Mutant> lost_terms() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_tail_of_k_4", "tile tails", "LIN-1", common, "Terms beyond a multiple of 4 are lost.", matmul,
       floats, spoiled([](Habits& h) { h.tile = 4; })},
      {"matmul_tail_of_k_16", "tile tails", "LIN-3", common, "Terms beyond a multiple of 16 are lost.",
       matmul, floats, spoiled([](Habits& h) { h.tile = 16; })},
      {"matmul_tail_of_k_64", "tile tails", "LIN-3", occasional, "Terms beyond a multiple of 64 are lost.",
       matmul, floats, spoiled([](Habits& h) { h.tile = 64; })},
      {"matmul_tail_of_n_4", "tile tails", "LIN-4", common, "Columns beyond a multiple of 4 are left.",
       matmul, floats, spoiled([](Habits& h) { h.column_tile = 4; })},
      {"matmul_tail_of_n_64", "tile tails", "LIN-3", occasional, "Columns beyond a multiple of 64 are left.",
       matmul, floats, spoiled([](Habits& h) { h.column_tile = 64; })},
      {"matmul_tail_of_m_8", "tile tails", "LIN-5", common, "Rows beyond a multiple of 8 are left.", matmul,
       floats, spoiled([](Habits& h) { h.row_tile = 8; })},
      {"matmul_tail_of_m_64", "tile tails", "LIN-3", occasional, "Rows beyond a multiple of 64 are left.",
       matmul, floats, spoiled([](Habits& h) { h.row_tile = 64; })},
  };
}

std::vector<Mutant> odd_elements() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_column_32_stale", "single element", "LIN-3", occasional,
       "Column 31 of b stands for column 32.", matmul, floats,
       spoiled([](Habits& h) { h.stale_column = 32; })},
      {"matmul_column_16_stale", "single element", "LIN-5", occasional,
       "Column 15 of b stands for column 16.", matmul, floats,
       spoiled([](Habits& h) { h.stale_column = 16; })},
      {"matmul_one_element", "single element", "LIN-3", rare, "The element (17, 5) is two ulp off.", matmul,
       floats, one_off(17, 5)},
      {"matmul_one_of_4096", "single element", "LIN-3", rare, "The element (40, 50) is two ulp off.", matmul,
       floats, one_off(40, 50)},
      {"matmul_corner", "tile tails", "LIN-3", rare,
       "The first element beyond 64 rows and 64 columns is two ulp off.", matmul, floats, one_off(64, 64)},
      {"matmul_last_element", "single element", "LIN-3", rare,
       "The last of at least 64 elements is two ulp off.", matmul, floats, last_off(64)},

      {"matmul_nan_dropped", "special values", "LIN-1", common, "Terms that are NaN are left out.", matmul,
       floats, spoiled([](Habits& h) { h.drops_nan = true; })},
      {"matmul_zeros_skipped", "special values", "LIN-1", occasional,
       "Terms with a zero factor are left out, 0 Inf and 0 NaN among them.", matmul, floats,
       spoiled([](Habits& h) { h.skips_zero_factors = true; })},
      {"matmul_operands_flushed", "special values", "LIN-1", common,
       "Subnormal operands are zeros, and no flush is declared.", matmul, floats,
       spoiled([](Habits& h) { h.flushes_operands = true; })},
      {"matmul_results_flushed", "special values", "LIN-1", common,
       "Subnormal results are zeros, and no flush is declared.", matmul, floats,
       spoiled([](Habits& h) { h.flushes_results = true; })},
      {"matmul_saturated", "special values", "LIN-1", occasional,
       "The largest finite number stands for infinities.", matmul, floats,
       spoiled([](Habits& h) { h.saturates = true; })},
  };
}

}  // namespace

std::vector<Mutant> arithmetic_mutants() {
  return joined({narrow_operands, narrow_accumulators, lost_terms, odd_elements});
}

}  // namespace etalon::multiplying
