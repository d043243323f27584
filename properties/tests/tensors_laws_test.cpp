// TEN-1 to TEN-10: an honest subject passes in every format, and each law refutes the fault it is for.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"ten_1_last_index_runs_fastest", "strides_ignored"},  // TEN-1
    {"ten_1_batch_of_one_is_the_sequence", "position_by_batch"},
    {"ten_2_strides_in_embed", "strides_ignored"},  // TEN-2
    {"ten_2_strides_in_combine", "strides_ignored"},
    {"ten_2_strides_in_matmul", "strides_ignored"},
    {"ten_3_reversed_rows_in_embed", "strides_ignored"},  // TEN-3
    {"ten_3_reversed_rows_in_combine", "strides_ignored"},
    {"ten_3_reversed_columns", "strides_ignored"},
    {"ten_4_one_position_row_for_all", "zero_stride_refused"},  // TEN-4
    {"ten_4_one_position_row_for_all", "position_next", true},
    {"ten_4_one_number_for_all_columns", "zero_stride_refused"},
    {"ten_4_one_row_for_all_ids", "zero_stride_refused"},
    {"ten_5_embed_of_nothing", "empty_refused"},  // TEN-5
    {"ten_5_embed_of_nothing", "null_refused"},
    {"ten_5_one_hot_of_nothing", "empty_refused"},
    {"ten_5_combine_of_nothing", "no_tokens_refused"},
    {"ten_5_combine_of_nothing", "null_refused"},
    {"ten_6_gaps_stay_out", "writes_behind_rows"},  // TEN-6
    {"ten_6_gaps_stay_out", "strides_ignored"},
    {"ten_6_nothing_around_is_written", "writes_behind_end"},
    {"ten_7_combine_keeps_inputs", "input_bit_flipped"},  // TEN-7
    {"ten_7_refused_call_changes_nothing", "writes_then_refuses"},
    {"ten_7_refused_call_changes_nothing", "input_bit_flipped"},
    {"ten_8_inputs_may_overlap", "overlap_scaled"},           // TEN-8
    {"ten_9_no_alignment_needed_by_embed", "aligned_to_64"},  // TEN-9
    {"ten_9_no_alignment_needed_by_combine", "aligned_to_64"},
    {"ten_10_embed_of_other_shape", "common_part"},  // TEN-10
    {"ten_10_combine_of_other_shape", "position_spread"},
};

TEST(TensorsLawsTest, HonestSubjectPasses) { expect_all_pass(tensors_laws()); }
TEST(TensorsLawsTest, FaultsAreRefuted) { expect_refuted(tensors_laws(), refutations); }
TEST(TensorsLawsTest, EveryLawHasItsFault) { expect_covered(tensors_laws(), refutations); }

}  // namespace
}  // namespace etalon::testing
