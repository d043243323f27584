// The laws of the matrix product: for every law there is a faulty subject that it refutes.
#include <gtest/gtest.h>

#include <set>

#include "properties/mutants/linear_subject.hpp"

namespace etalon::multiplying {
namespace {

struct Fault {
  std::string_view name;
  std::string_view law;
  void (*spoil)(Habits&);
  Dtype dtype = Dtype::f32;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.law << "/" << fault.name;
}

void narrow_operands(Habits& habits) {
  habits.operand = [](double x) { return rounded_to(Dtype::bf16, x); };
}
void half_operands(Habits& habits) {
  habits.operand = [](double x) { return rounded_to(Dtype::f16, x); };
}
void float_operands(Habits& habits) {
  habits.operand = [](double x) { return rounded_to(Dtype::f32, x); };
}
// Eleven bits of significand, the exponents of f32.
void tf32_operands(Habits& habits) {
  habits.operand = [](double x) {
    int exponent = 0;
    const double fraction = std::frexp(x, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 11)), exponent - 11);
  };
}
void narrow_sum(Habits& habits) {
  habits.partial_sum = [](double x) { return rounded_to(Dtype::bf16, x); };
}
void half_sum(Habits& habits) {
  habits.partial_sum = [](double x) { return rounded_to(Dtype::f16, x); };
}
void float_sum(Habits& habits) {
  habits.partial_sum = [](double x) { return rounded_to(Dtype::f32, x); };
}

std::vector<Fault> faults() {
  return {
      {"flag of a ignored", "lin_1_product", [](Habits& h) { h.ignores_transpose_a = true; }},
      {"flag of b ignored", "lin_1_product", [](Habits& h) { h.ignores_transpose_b = true; }},
      {"width for stride", "lin_1_product", [](Habits& h) { h.takes_width_for_stride = true; }},
      {"gap written", "lin_1_product", [](Habits& h) { h.writes_the_gap = true; }},
      {"alpha for beta", "lin_1_product", [](Habits& h) { h.adds_alpha_c = true; }},
      {"beta ignored", "lin_1_product", [](Habits& h) { h.ignores_beta = true; }},
      {"NaN dropped", "lin_1_product", [](Habits& h) { h.drops_nan = true; }},
      {"tail of k lost", "lin_1_product", [](Habits& h) { h.tile = 4; }},
      {"tail of n lost", "lin_1_product", [](Habits& h) { h.column_tile = 4; }},
      {"bf16 operands", "lin_1_product", narrow_operands},
      {"bf16 operands", "lin_1_product_128", narrow_operands},
      {"bf16 sum", "lin_1_product_long_sum", narrow_sum},
      {"bf16 sum", "lin_1_product_long_sum", narrow_sum, Dtype::bf16},
      {"bf16 operands", "lin_1_narrow_product", narrow_operands},
      {"fp16 operands", "lin_1_narrow_product", half_operands},
      {"tf32 operands", "lin_1_narrow_product", tf32_operands},
      {"f32 operands", "lin_1_narrow_product", float_operands, Dtype::f64},
      {"c times zero", "lin_2_beta_zero", [](Habits& h) { h.multiplies_c_by_zero = true; }},
      {"operands read", "lin_2_alpha_zero", [](Habits& h) { h.reads_operands_for_alpha_zero = true; }},
      {"empty sum skipped", "lin_2_empty_sum", [](Habits& h) { h.skips_empty_sums = true; }},
      {"empty result refused", "lin_2_empty_result", [](Habits& h) { h.refuses_empty_results = true; }},
      {"empty result written", "lin_2_empty_result", [](Habits& h) { h.writes_on_empty_results = true; }},
      {"bf16 operands", "lin_3_exact_product", narrow_operands},
      {"bf16 operands", "lin_3_exact_product", narrow_operands, Dtype::f16},
      {"tf32 operands", "lin_3_exact_product", tf32_operands},
      {"f32 operands", "lin_3_exact_product", float_operands, Dtype::f64},
      {"f32 sum", "lin_3_exact_product", float_sum, Dtype::f64},
      {"bf16 sum", "lin_3_exact_product", narrow_sum},
      {"bf16 sum", "lin_3_exact_product", narrow_sum, Dtype::bf16},
      {"fp16 sum", "lin_3_exact_product", half_sum},
      {"fp16 sum", "lin_3_exact_product", half_sum, Dtype::f16},
      {"tail of k lost", "lin_3_exact_product", [](Habits& h) { h.tile = 16; }},
      {"column exchanged", "lin_3_exact_product", [](Habits& h) { h.stale_column = 32; }},
      {"tail of a large tile of k lost", "lin_3_exact_beyond_tiles", [](Habits& h) { h.tile = 64; }},
      {"tail of a large tile of n lost", "lin_3_exact_beyond_tiles", [](Habits& h) { h.column_tile = 64; }},
      {"both flags at once", "lin_3_exact_beyond_tiles", [](Habits& h) { h.swaps_flags_when_both = true; }},
      {"tf32 operands", "lin_3_exact_long_sum", tf32_operands},
      {"fp16 sum", "lin_3_exact_long_sum", half_sum},
      {"bf16 sum", "lin_3_exact_long_sum", narrow_sum, Dtype::bf16},
      {"f32 sum", "lin_3_exact_long_sum", float_sum, Dtype::f64},
      {"bias dropped", "lin_4_linear_map", [](Habits& h) { h.ignores_beta = true; }},
      {"bias by row", "lin_4_linear_map", [](Habits& h) { h.bias_by_row = true; }},
      {"W transposed", "lin_4_linear_map", [](Habits& h) { h.ignores_transpose_b = true; }},
      {"bf16 operands", "lin_5_identity", narrow_operands},
      {"column exchanged", "lin_5_identity", [](Habits& h) { h.stale_column = 16; }},
      {"beta ignored", "lin_5_distributivity", [](Habits& h) { h.ignores_beta = true; }},
      {"bf16 operands", "lin_5_distributivity", narrow_operands},
      {"both flags at once", "lin_5_transposition", [](Habits& h) { h.swaps_flags_when_both = true; }},
  };
}

class LinearFaults : public testing::TestWithParam<Fault> {};

TEST_P(LinearFaults, AreRefuted) {
  const Fault& fault = GetParam();
  Habits habits;
  fault.spoil(habits);
  Multiplier subject(habits);
  const LawResult result = run_law(law_named(fault.law), fault.dtype, subject, {Level::standard, 0});
  EXPECT_EQ(result.outcome.verdict, Verdict::fail)
      << result.outcome.witness.reason << " in " << result.worst_case;
  EXPECT_FALSE(result.worst_case.empty());
}

INSTANTIATE_TEST_SUITE_P(EveryLaw, LinearFaults, testing::ValuesIn(faults()));

TEST(LinearFaultList, NamesEveryLaw) {
  std::set<std::string_view> refuted;
  for (const Fault& fault : faults()) refuted.insert(fault.law);
  for (const Law& law : linear_laws()) EXPECT_TRUE(refuted.contains(law.name)) << law.name;
}

}  // namespace
}  // namespace etalon::multiplying
