// INP, and NUM-6 over a subject: an honest one passes in every format, and each law refutes its fault.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"inp_1_scaled_sum", "scale_missing"},
    {"inp_1_scaled_sum", "scale_on_position"},
    {"inp_1_scaled_sum", "strides_ignored"},
    {"inp_1_scaled_sum", "nan_of_x_dropped"},
    {"inp_1_scaled_sum", "combine_tail_of_8"},
    {"inp_1_scaled_sum", "writes_behind_rows"},
    {"inp_1_scaled_sum", "input_bit_flipped"},
    {"inp_1_integers_are_exact", "scale_missing"},
    {"inp_1_integers_are_exact", "scale_inverted"},
    {"inp_1_integers_are_exact", "position_next"},
    {"inp_2_scale_is_what_is_declared", "scale_missing"},
    {"inp_2_scale_is_what_is_declared", "scale_inverted"},
    {"inp_2_scale_is_what_is_declared", "scale_twice"},
    {"inp_2_scale_is_what_is_declared", "scale_root_always"},
    {"inp_3_same_type_differs_by_position", "scale_on_position"},
    {"inp_3_same_type_differs_by_position", "position_next"},
    {"inp_3_same_type_differs_exactly", "scale_on_position"},
    {"inp_3_same_type_differs_exactly", "position_next"},
    {"inp_4_zero_input_gives_position", "scale_on_position"},
    {"inp_4_zero_input_gives_position", "position_next"},
    {"inp_4_zero_position_gives_scaled_input", "scale_missing"},
    {"inp_4_zero_position_gives_scaled_input", "scale_inverted"},
    {"inp_4_zero_position_gives_scaled_input", "scale_twice"},
    {"inp_4_zero_position_gives_scaled_input", "scale_bf16"},
    {"inp_4_power_of_four_is_exact", "scale_missing"},
    {"inp_4_power_of_four_is_exact", "scale_twice"},
    {"inp_5_worked_example", "scale_missing"},
    {"inp_5_worked_example", "scale_on_position"},
    {"inp_5_same_type_twice", "scale_inverted"},
    {"inp_5_six_columns", "scale_root_always"},
    {"inp_6_position_is_shared", "position_by_batch"},
    {"inp_6_position_is_shared", "batch_ignored"},
    {"inp_6_rows_never_mix", "rows_mix"},
    {"inp_6_rows_never_mix", "position_by_batch"},
};

TEST(InputLawsTest, HonestSubjectPasses) { expect_all_pass(input_laws()); }
TEST(InputLawsTest, FaultsAreRefuted) { expect_refuted(input_laws(), refutations); }
TEST(InputLawsTest, EveryLawHasItsFault) { expect_covered(input_laws(), refutations); }

TEST(NumericsLawsTest, HonestSubjectPasses) { expect_all_pass(numerics_laws()); }
TEST(NumericsLawsTest, FaultsAreRefuted) {
  expect_refuted(numerics_laws(), {{"num_6_specials_by_class", "nan_of_x_dropped"},
                                   {"num_6_specials_by_class", "rows_mix"},
                                   {"num_6_specials_by_class", "combine_tail_of_8"}});
}

}  // namespace
}  // namespace etalon::testing
