// alpha, beta and c: factors lost or applied twice, matrices read that must not be, sizes of 0, the bias.
#include "properties/mutants/linear_parts.hpp"

namespace etalon::multiplying {
namespace {

using enum Frequency;

using FactorOfSum = double (*)(double alpha, double beta);
using FactorOfC = double (*)(double alpha, double beta, std::int64_t i);

template <FactorOfSum factor>
std::function<std::unique_ptr<Subject>()> sum_times() {
  return spoiled([](Habits& h) { h.factor_of_sum = factor; });
}
template <FactorOfC factor>
std::function<std::unique_ptr<Subject>()> c_times() {
  return spoiled([](Habits& h) { h.factor_of_c = factor; });
}

double one(double, double) { return 1; }
double alpha_squared(double alpha, double) { return alpha * alpha; }
double alpha_bf16(double alpha, double) { return rounded_to(Dtype::bf16, alpha); }
double alpha_f32(double alpha, double) { return rounded_to(Dtype::f32, alpha); }
double sum_times_beta(double alpha, double beta) { return beta == 0 ? alpha : alpha * beta; }
double without_sign(double alpha, double) { return std::fabs(alpha); }

double nothing(double, double, std::int64_t) { return 0; }
double alpha_for_beta(double alpha, double, std::int64_t) { return alpha; }
double alpha_beta(double alpha, double beta, std::int64_t) { return alpha * beta; }
double beta_squared(double, double beta, std::int64_t) { return beta * beta; }
double overwrites(double, double beta, std::int64_t) { return beta == 1 ? 0 : beta; }
double adds(double, double beta, std::int64_t) { return beta == 0 ? 0 : 1; }
double beta_bf16(double, double beta, std::int64_t) { return rounded_to(Dtype::bf16, beta); }
double unless_alpha_zero(double alpha, double beta, std::int64_t) { return alpha == 0 ? 0 : beta; }
double first_row_alone(double, double beta, std::int64_t i) { return i == 0 ? beta : 0; }
double all_but_first(double, double beta, std::int64_t i) { return i == 0 ? 0 : beta; }

std::vector<Mutant> factors() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_alpha_forgotten", "alpha and beta", "LIN-1", common, "alpha is taken to be 1.", matmul, floats,
       sum_times<one>()},
      {"matmul_alpha_squared", "alpha and beta", "LIN-3", common, "alpha is applied to a and to the sum.",
       matmul, floats, sum_times<alpha_squared>()},
      {"matmul_alpha_size", "alpha and beta", "LIN-3", rare, "alpha loses its sign.", matmul, floats,
       sum_times<without_sign>()},
      {"matmul_alpha_bf16", "alpha and beta", "LIN-1", occasional, "alpha is rounded to bf16.", matmul,
       floats, sum_times<alpha_bf16>()},
      {"matmul_alpha_f32",
       "alpha and beta",
       "LIN-1",
       occasional,
       "alpha is rounded to f32 in a product in f64.",
       matmul,
       {Dtype::f64},
       sum_times<alpha_f32>(),
       {{Dtype::f32, "alpha in the declared accumulator"},
        {Dtype::bf16, "alpha in the declared accumulator"},
        {Dtype::f16, "alpha in the declared accumulator"}}},
      {"matmul_sum_times_beta", "alpha and beta", "LIN-1", occasional,
       "beta multiplies the sum as well as c.", matmul, floats, sum_times<sum_times_beta>()},
      {"matmul_beta_ignored", "alpha and beta", "LIN-5", common, "c is overwritten whatever beta is.", matmul,
       floats, c_times<nothing>()},
      {"matmul_alpha_for_beta", "alpha and beta", "LIN-1", common, "c is multiplied by alpha.", matmul,
       floats, c_times<alpha_for_beta>()},
      {"matmul_alpha_beta_c", "alpha and beta", "LIN-3", common,
       "alpha multiplies beta c as well as the sum.", matmul, floats, c_times<alpha_beta>()},
      {"matmul_beta_squared", "alpha and beta", "LIN-3", occasional, "beta is applied to c twice.", matmul,
       floats, c_times<beta_squared>()},
      {"matmul_beta_one_overwrites", "alpha and beta", "LIN-4", common, "beta = 1 is taken for beta = 0.",
       matmul, floats, c_times<overwrites>()},
      {"matmul_beta_adds", "alpha and beta", "LIN-3", common, "Any beta but 0 is taken for 1.", matmul,
       floats, c_times<adds>()},
      {"matmul_beta_bf16", "alpha and beta", "LIN-1", occasional, "beta is rounded to bf16.", matmul, floats,
       c_times<beta_bf16>()},
  };
}

std::vector<Mutant> unread() {
  const std::vector<std::string_view> matmul = {"matmul"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"matmul_c_times_zero", "alpha and beta", "LIN-2", common,
       "beta = 0 multiplies c instead of not reading it.", matmul, floats,
       spoiled([](Habits& h) { h.multiplies_c_by_zero = true; })},
      {"matmul_operands_times_zero", "alpha and beta", "LIN-2", common, "alpha = 0 multiplies a and b.",
       matmul, floats, spoiled([](Habits& h) { h.reads_operands_for_alpha_zero = true; })},
      {"matmul_alpha_zero_clears", "alpha and beta", "LIN-2", occasional, "alpha = 0 clears c.", matmul,
       floats, c_times<unless_alpha_zero>()},

      {"matmul_empty_sum_skipped", "empty sizes", "LIN-2", common, "k = 0 leaves c as it was.", matmul,
       floats, spoiled([](Habits& h) { h.skips_empty_sums = true; })},
      {"matmul_empty_sum_clears", "empty sizes", "LIN-2", common, "k = 0 clears c whatever beta is.", matmul,
       floats, spoiled([](Habits& h) { h.clears_empty_sums = true; })},
      {"matmul_empty_sum_refused", "contract", "LIN-2", common, "k = 0 is refused.", matmul, floats,
       spoiled([](Habits& h) { h.refuses_empty_sums = true; })},
      {"matmul_empty_result_refused", "contract", "LIN-2", common, "m = 0 and n = 0 are refused.", matmul,
       floats, spoiled([](Habits& h) { h.refuses_empty_results = true; })},
      {"matmul_empty_result_written", "empty sizes", "LIN-2", rare,
       "m = 0 or n = 0 writes an element all the same.", matmul, floats,
       spoiled([](Habits& h) { h.writes_on_empty_results = true; })},

      {"matmul_bias_by_row", "broadcast", "LIN-4", common, "The bias of column j is added to row j.", matmul,
       floats, spoiled([](Habits& h) { h.bias_by_row = true; })},
      {"matmul_bias_first_row", "broadcast", "LIN-4", common, "The bias is added to the first row alone.",
       matmul, floats, c_times<first_row_alone>()},
      {"matmul_bias_not_first_row", "broadcast", "LIN-4", rare,
       "The bias is added to every row but the first.", matmul, floats, c_times<all_but_first>()},
  };
}

}  // namespace

std::vector<Mutant> scaling_mutants() { return joined({factors, unread}); }

}  // namespace etalon::multiplying
