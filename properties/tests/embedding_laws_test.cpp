// EMB: an honest subject passes every law in every format, and each law refutes the fault it is for.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"emb_1_row_of_id", Fault::next_row},
    {"emb_1_row_of_id", Fault::through_narrow},
    {"emb_1_row_of_id", Fault::tail_unwritten},
    {"emb_2_one_at_its_place", Fault::next_row},
    {"emb_2_one_at_its_place", Fault::minus_zero},
    {"emb_2_one_at_its_place", Fault::strides_ignored},
    {"emb_2_rows_sum_to_one", Fault::hot_twice},
    {"emb_3_product_selects_row", Fault::next_row},
    {"emb_3_product_selects_row", Fault::drops_product_bits},
    {"emb_3_product_selects_row", Fault::through_narrow},
    {"emb_3_product_selects_row", Fault::flushes},
    {"emb_3_product_selects_row", Fault::strides_ignored},
    {"emb_3_lookup_ignores_unused_rows", Fault::product_lookup},
    {"emb_3_one_hot_matmul_selects_rows", Fault::through_narrow},
    {"emb_3_one_hot_matmul_selects_rows", Fault::drops_product_bits},
    {"emb_4_sequence_stacks_rows", Fault::next_row},
    {"emb_4_sequence_stacks_rows", Fault::row_by_place},
    {"emb_4_sequence_stacks_rows", Fault::strides_ignored},
    {"emb_4_sequence_stacks_rows", Fault::writes_gap},
    {"emb_4_sequence_stacks_rows", Fault::tail_unwritten},
    {"emb_4_sequence_stacks_rows", Fault::changes_input},
    {"emb_4_permutation_permutes_rows", Fault::row_by_place},
    {"emb_4_permutation_permutes_rows", Fault::previous_token},
    {"emb_4_concatenation_stacks", Fault::previous_token},
    {"emb_4_concatenation_stacks", Fault::last_token_lost},
    {"emb_4_subsequence_gives_subrows", Fault::last_token_lost},
    {"emb_4_subsequence_gives_subrows", Fault::row_by_place},
    {"emb_4_repeated_id_repeats_row", Fault::row_by_place},
    {"emb_5_column_convention", Fault::through_narrow},
    {"emb_5_column_convention", Fault::drops_product_bits},
    {"emb_6_relabelling_changes_nothing", Fault::next_row},
    {"emb_6_relabelling_changes_nothing", Fault::row_by_place},
    {"emb_7_copy_is_exact", Fault::through_narrow},
    {"emb_7_copy_is_exact", Fault::quiets_nan},
    {"emb_7_copy_is_exact", Fault::flushes},
    {"emb_7_copy_is_exact", Fault::product_lookup},
    {"emb_8_bad_id_is_refused", Fault::clamps_id},
    {"emb_8_bad_id_is_refused", Fault::wraps_id},
    {"emb_8_bad_id_is_refused", Fault::zero_row},
    {"emb_8_bad_id_is_refused", Fault::writes_then_refuses},
    {"emb_8_bad_id_is_refused", Fault::id_32_bits},
    {"emb_8_bad_id_in_product_is_refused", Fault::clamps_id},
    {"emb_8_bad_id_in_product_is_refused", Fault::id_32_bits},
    {"emb_8_bad_id_in_one_hot_is_refused", Fault::wraps_id},
    {"emb_8_bad_id_in_one_hot_is_refused", Fault::zero_row},
    {"emb_8_every_size_works", Fault::no_tokens_refused},
    {"emb_8_every_size_works", Fault::tail_unwritten},
    {"emb_8_ids_are_not_narrowed", Fault::id_16_bits},
    {"emb_8_ids_are_not_narrowed", Fault::id_f32},
    {"emb_8_offsets_do_not_overflow", Fault::offset_32_bits},
    {"emb_9_worked_example", Fault::next_row},
    {"emb_9_one_hot_example", Fault::next_row},
    {"emb_9_product_example", Fault::next_row},
};

TEST(EmbeddingLawsTest, HonestSubjectPasses) { expect_all_pass(embedding_laws()); }
TEST(EmbeddingLawsTest, FaultsAreRefuted) { expect_refuted(embedding_laws(), refutations); }
TEST(EmbeddingLawsTest, EveryLawHasItsFault) { expect_covered(embedding_laws(), refutations); }

}  // namespace
}  // namespace etalon::testing
