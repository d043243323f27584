// TEN-1 to TEN-10: an honest subject passes in every format, and each law refutes the fault it is for.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"ten_1_last_index_runs_fastest", Fault::strides_ignored},  // TEN-1
    {"ten_1_batch_of_one_is_the_sequence", Fault::position_by_batch},
    {"ten_2_strides_in_embed", Fault::strides_ignored},  // TEN-2
    {"ten_2_strides_in_combine", Fault::strides_ignored},
    {"ten_2_strides_in_matmul", Fault::strides_ignored},
    {"ten_3_reversed_rows_in_embed", Fault::strides_ignored},  // TEN-3
    {"ten_3_reversed_rows_in_combine", Fault::strides_ignored},
    {"ten_3_reversed_columns", Fault::strides_ignored},
    {"ten_4_one_position_row_for_all", Fault::zero_stride_refused},  // TEN-4
    {"ten_4_one_position_row_for_all", Fault::position_shifted, true},
    {"ten_4_one_number_for_all_columns", Fault::zero_stride_refused},
    {"ten_4_one_row_for_all_ids", Fault::zero_stride_refused},
    {"ten_5_embed_of_nothing", Fault::no_tokens_refused},  // TEN-5
    {"ten_5_embed_of_nothing", Fault::null_refused},
    {"ten_5_one_hot_of_nothing", Fault::no_tokens_refused},
    {"ten_5_combine_of_nothing", Fault::no_tokens_refused},
    {"ten_5_combine_of_nothing", Fault::null_refused},
    {"ten_6_gaps_stay_out", Fault::writes_gap},  // TEN-6
    {"ten_6_gaps_stay_out", Fault::strides_ignored},
    {"ten_7_combine_keeps_inputs", Fault::changes_input},  // TEN-7
    {"ten_7_refused_call_changes_nothing", Fault::writes_then_refuses},
    {"ten_7_refused_call_changes_nothing", Fault::changes_input},
    {"ten_8_inputs_may_overlap", Fault::scales_in_place},           // TEN-8
    {"ten_9_no_alignment_needed_by_embed", Fault::aligns_address},  // TEN-9
    {"ten_9_no_alignment_needed_by_combine", Fault::aligns_address},
    {"ten_10_embed_of_other_shape", Fault::shapes_unchecked},  // TEN-10
    {"ten_10_combine_of_other_shape", Fault::shapes_unchecked},
};

TEST(TensorsLawsTest, HonestSubjectPasses) { expect_all_pass(tensors_laws()); }
TEST(TensorsLawsTest, FaultsAreRefuted) { expect_refuted(tensors_laws(), refutations); }
TEST(TensorsLawsTest, EveryLawHasItsFault) { expect_covered(tensors_laws(), refutations); }

}  // namespace
}  // namespace etalon::testing
