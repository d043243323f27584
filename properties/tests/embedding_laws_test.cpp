// EMB: an honest subject passes every law in every format, and each law refutes the fault it is for.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"emb_1_row_of_id", "next_row"},
    {"emb_1_row_of_id", "through_bf16"},
    {"emb_1_row_of_id", "tail_of_4"},
    {"emb_2_one_at_its_place", "one_hot_counts_from_one"},
    {"emb_2_one_at_its_place", "one_hot_minus_zero"},
    {"emb_2_one_at_its_place", "strides_ignored"},
    {"emb_2_rows_sum_to_one", "one_hot_twice"},
    {"emb_3_product_selects_row", "product_next_row"},
    {"emb_3_product_selects_row", "product_last_bit"},
    {"emb_3_product_selects_row", "product_operands_bf16"},
    {"emb_3_product_selects_row", "product_flushes"},
    {"emb_3_product_selects_row", "strides_ignored"},
    {"emb_3_lookup_ignores_unused_rows", "lookup_by_product"},
    {"emb_3_one_hot_matmul_selects_rows", "product_operands_bf16"},
    {"emb_3_one_hot_matmul_selects_rows", "product_last_bit"},
    {"emb_4_sequence_stacks_rows", "next_row"},
    {"emb_4_sequence_stacks_rows", "row_by_place"},
    {"emb_4_sequence_stacks_rows", "strides_ignored"},
    {"emb_4_sequence_stacks_rows", "writes_behind_rows"},
    {"emb_4_sequence_stacks_rows", "tail_of_4"},
    {"emb_4_sequence_stacks_rows", "input_bit_flipped"},
    {"emb_4_permutation_permutes_rows", "row_by_place"},
    {"emb_4_permutation_permutes_rows", "previous_token"},
    {"emb_4_concatenation_stacks", "previous_token"},
    {"emb_4_concatenation_stacks", "last_token_lost"},
    {"emb_4_subsequence_gives_subrows", "last_token_lost"},
    {"emb_4_subsequence_gives_subrows", "row_by_place"},
    {"emb_4_repeated_id_repeats_row", "row_by_place"},
    {"emb_5_column_convention", "product_operands_bf16"},
    {"emb_5_column_convention", "product_last_bit"},
    {"emb_6_relabelling_changes_nothing", "next_row"},
    {"emb_6_relabelling_changes_nothing", "row_by_place"},
    {"emb_7_copy_is_exact", "through_bf16"},
    {"emb_7_copy_is_exact", "quiets_nan"},
    {"emb_7_copy_is_exact", "copy_flushes"},
    {"emb_7_copy_is_exact", "lookup_by_product"},
    {"emb_8_bad_id_is_refused", "clamps_id"},
    {"emb_8_bad_id_is_refused", "wraps_id"},
    {"emb_8_bad_id_is_refused", "zero_row"},
    {"emb_8_bad_id_is_refused", "writes_then_refuses"},
    {"emb_8_bad_id_is_refused", "id_32_bits"},
    {"emb_8_bad_id_in_product_is_refused", "clamps_id"},
    {"emb_8_bad_id_in_product_is_refused", "id_32_bits"},
    {"emb_8_bad_id_in_one_hot_is_refused", "wraps_id"},
    {"emb_8_bad_id_in_one_hot_is_refused", "zero_row"},
    {"emb_8_every_size_works", "no_ids_refused"},
    {"emb_8_every_size_works", "tail_of_4"},
    {"emb_8_ids_are_not_narrowed", "id_16_bits"},
    {"emb_8_ids_are_not_narrowed", "id_f32"},
    {"emb_8_offsets_do_not_overflow", "offset_32_bits"},
    {"emb_9_worked_example", "next_row"},
    {"emb_9_one_hot_example", "one_hot_counts_from_one"},
    {"emb_9_product_example", "product_next_row"},
};

TEST(EmbeddingLawsTest, HonestSubjectPasses) { expect_all_pass(embedding_laws()); }
TEST(EmbeddingLawsTest, FaultsAreRefuted) { expect_refuted(embedding_laws(), refutations); }
TEST(EmbeddingLawsTest, EveryLawHasItsFault) { expect_covered(embedding_laws(), refutations); }

}  // namespace
}  // namespace etalon::testing
