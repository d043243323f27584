// INP, and NUM-6 over a subject: an honest one passes in every format, and each law refutes its fault.
#include <gtest/gtest.h>

#include "properties/tests/law_table.hpp"

namespace etalon::testing {
namespace {

const std::vector<Refutation> refutations = {
    {"inp_1_scaled_sum", Fault::scale_missing},
    {"inp_1_scaled_sum", Fault::scale_on_position},
    {"inp_1_scaled_sum", Fault::strides_ignored},
    {"inp_1_scaled_sum", Fault::drops_nan},
    {"inp_1_scaled_sum", Fault::tail_unwritten},
    {"inp_1_scaled_sum", Fault::writes_gap},
    {"inp_1_scaled_sum", Fault::changes_input},
    {"inp_1_integers_are_exact", Fault::scale_missing},
    {"inp_1_integers_are_exact", Fault::scale_inverted},
    {"inp_1_integers_are_exact", Fault::position_shifted},
    {"inp_2_scale_is_what_is_declared", Fault::scale_missing},
    {"inp_2_scale_is_what_is_declared", Fault::scale_inverted},
    {"inp_2_scale_is_what_is_declared", Fault::scale_twice},
    {"inp_2_scale_is_what_is_declared", Fault::scale_always_root},
    {"inp_3_same_type_differs_by_position", Fault::scale_on_position},
    {"inp_3_same_type_differs_by_position", Fault::position_shifted},
    {"inp_3_same_type_differs_exactly", Fault::scale_on_position},
    {"inp_3_same_type_differs_exactly", Fault::position_shifted},
    {"inp_4_zero_input_gives_position", Fault::scale_on_position},
    {"inp_4_zero_input_gives_position", Fault::position_shifted},
    {"inp_4_zero_position_gives_scaled_input", Fault::scale_missing},
    {"inp_4_zero_position_gives_scaled_input", Fault::scale_inverted},
    {"inp_4_zero_position_gives_scaled_input", Fault::scale_twice},
    {"inp_4_zero_position_gives_scaled_input", Fault::scale_bf16},
    {"inp_4_power_of_four_is_exact", Fault::scale_missing},
    {"inp_4_power_of_four_is_exact", Fault::scale_twice},
    {"inp_5_worked_example", Fault::scale_missing},
    {"inp_5_worked_example", Fault::scale_on_position},
    {"inp_5_same_type_twice", Fault::scale_inverted},
    {"inp_5_six_columns", Fault::scale_always_root},
    {"inp_6_position_is_shared", Fault::position_by_batch},
    {"inp_6_position_is_shared", Fault::batch_ignored},
    {"inp_6_rows_never_mix", Fault::mixes_rows},
    {"inp_6_rows_never_mix", Fault::position_by_batch},
};

TEST(InputLawsTest, HonestSubjectPasses) { expect_all_pass(input_laws()); }
TEST(InputLawsTest, FaultsAreRefuted) { expect_refuted(input_laws(), refutations); }
TEST(InputLawsTest, EveryLawHasItsFault) { expect_covered(input_laws(), refutations); }

TEST(NumericsLawsTest, HonestSubjectPasses) { expect_all_pass(numerics_laws()); }
TEST(NumericsLawsTest, FaultsAreRefuted) {
  expect_refuted(numerics_laws(), {{"num_6_specials_by_class", Fault::drops_nan},
                                   {"num_6_specials_by_class", Fault::mixes_rows},
                                   {"num_6_specials_by_class", Fault::tail_unwritten}});
}

}  // namespace
}  // namespace etalon::testing
