// Products of other matrices than those asked for: transposed, read with another stride, or from another
// call.
#include "properties/mutants/linear_parts.hpp"

namespace etalon::multiplying {

std::vector<Mutant> operand_mutants() {
  using enum Frequency;
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_flag_of_a_ignored", "operand order", "LIN-1", common, "a is never transposed.", matmul, floats,
       spoiled([](Habits& h) { h.ignores_transpose_a = true; })},
      {"matmul_flag_of_b_ignored", "operand order", "LIN-4", common, "b is never transposed.", matmul, floats,
       spoiled([](Habits& h) { h.ignores_transpose_b = true; })},
      {"matmul_flags_at_once", "operand order", "LIN-5", occasional,
       "Where both flags are set, that of b is forgotten.", matmul, floats,
       spoiled([](Habits& h) { h.swaps_flags_when_both = true; })},
      {"matmul_one_flag", "operand order", "LIN-1", occasional, "The flag of a stands for both.", matmul,
       floats, spoiled([](Habits& h) { h.flag_of_a_for_both = true; })},
      {"matmul_operands_exchanged", "operand order", "LIN-3", common, "b a for a b, where both are square.",
       matmul, floats, spoiled([](Habits& h) { h.exchanges_square_operands = true; })},
      {"matmul_result_transposed", "operand order", "LIN-3", common,
       "A square result is given as its transpose.", matmul, floats,
       spoiled([](Habits& h) { h.transposes_square_results = true; })},

      {"matmul_width_for_stride", "strides", "LIN-1", common,
       "The width of a matrix is taken for its leading dimension.", matmul, floats,
       spoiled([](Habits& h) { h.takes_width_for_stride = true; })},
      {"matmul_stride_of_a_for_b", "strides", "LIN-1", occasional,
       "The leading dimension of a stands for that of b where it is smaller.", matmul, floats,
       spoiled([](Habits& h) { h.leading_dimension_of_a_for_b = true; })},

      {"matmul_gap_written", "memory", "LIN-1", occasional,
       "The element after the first row of c is cleared.", matmul, floats,
       spoiled([](Habits& h) { h.writes_the_gap = true; })},
      {"matmul_gap_read", "memory", "LIN-1", common,
       "k is rounded up to a multiple of 4: what lies behind a row of a is multiplied by zero.", matmul,
       floats, spoiled([](Habits& h) { h.reads_the_gap = true; })},

      {"matmul_rows_scaled_together", "shared state", "LIN-5", occasional,
       "a is kept in 16 bits with one scale: what a row gives depends on the other rows.", matmul, floats,
       spoiled([](Habits& h) { h.scales_rows_together = true; })},
      {"matmul_work_not_cleared", "shared state", "LIN-1", common,
       "A work buffer is cleared when it grows: smaller results are added to those of the call before.",
       matmul, floats, spoiled([](Habits& h) { h.clears_work_when_it_grows = true; })},
      {"matmul_weights_kept", "shared state", "LIN-5", occasional,
       "The first b of a shape is kept and stands for every other of that shape.", matmul, floats,
       spoiled([](Habits& h) { h.keeps_weights = true; })},
  };
}

}  // namespace etalon::multiplying
