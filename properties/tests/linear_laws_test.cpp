// The laws of the matrix product: honest subjects pass every one of them, and for every law there is a
// faulty subject that it refutes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "properties/linear_problem.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

double rounded_to(Dtype dtype, double value) {
  return decode(format_of(dtype), encode(format_of(dtype), value));
}

// What a subject may do other than the plain loop. The defaults are honest.
struct Habits {
  bool ignores_transpose_a = false;
  bool ignores_transpose_b = false;
  bool takes_width_for_stride = false;
  bool multiplies_c_by_zero = false;
  bool reads_operands_for_alpha_zero = false;
  bool skips_empty_sums = false;
  bool refuses_empty_results = false;
  bool writes_on_empty_results = false;
  bool ignores_beta = false;
  bool adds_alpha_c = false;
  bool drops_nan = false;
  bool swaps_flags_when_both = false;
  bool writes_the_gap = false;
  bool backwards = false;    // sums from the last term: as honest as the other way
  bool alpha_first = false;  // scales a before the sum: honest
  bool bias_by_row = false;  // takes c(j, i) for c(i, j) where that exists
  bool declines_other_layouts = false;
  std::int64_t tile = 1;           // terms beyond a multiple of the tile are lost
  std::int64_t column_tile = 1;    // columns likewise stay as they were
  std::int64_t stale_column = -1;  // this column of b is taken for its neighbour
  std::function<double(double)> operand = [](double x) { return x; };
  std::function<double(double)> partial_sum = [](double x) { return x; };
};

template <typename Real>
class Loop {
 public:
  Loop(const Habits& habits, const Call& call) : habits_(habits), call_(call), c_(call.tensor("c")) {
    alpha_ = call.attribute("alpha");
    beta_ = call.attribute("beta");
    transpose_a_ = call.attribute("transpose_a") == 1 && !habits.ignores_transpose_a;
    transpose_b_ = call.attribute("transpose_b") == 1 && !habits.ignores_transpose_b;
    if (habits.swaps_flags_when_both && transpose_a_ && transpose_b_) transpose_b_ = false;
  }

  Status run() {
    const std::int64_t m = c_.shape[0];
    const std::int64_t n = c_.shape[1];
    if (m == 0 || n == 0) return empty();
    const View& a = call_.tensor("a");
    const std::int64_t k = a.shape[call_.attribute("transpose_a") == 1 ? 0 : 1];
    if (k == 0 && habits_.skips_empty_sums) return Status::ok;
    std::vector<double> result(static_cast<std::size_t>(m * n));
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) result[static_cast<std::size_t>(i * n + j)] = entry(i, j, k);
    }
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n / habits_.column_tile * habits_.column_tile; ++j) {
        store(c_, i, j, result[static_cast<std::size_t>(i * n + j)]);
      }
    }
    if (habits_.writes_the_gap) store(c_, 0, n, 0);
    return Status::ok;
  }

 private:
  Status empty() const {
    if (habits_.writes_on_empty_results) store(c_, 0, 0, 1);
    return habits_.refuses_empty_results ? Status::invalid_argument : Status::ok;
  }

  double entry(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const bool reads = alpha_ != 0 || habits_.reads_operands_for_alpha_zero;
    Real sum = 0;
    for (std::int64_t step = 0; reads && step < k / habits_.tile * habits_.tile; ++step) {
      const std::int64_t l = habits_.backwards ? k - 1 - step : step;
      const Real x = static_cast<Real>(habits_.operand(load(call_.tensor("a"), i, l, transpose_a_)));
      const std::int64_t column = j == habits_.stale_column ? j - 1 : j;
      const Real y = static_cast<Real>(habits_.operand(load(call_.tensor("b"), l, column, transpose_b_)));
      const Real scaled = habits_.alpha_first ? static_cast<Real>(alpha_) * x : x;
      const Real product = scaled * y;
      if (habits_.drops_nan && std::isnan(product)) continue;
      sum = static_cast<Real>(habits_.partial_sum(static_cast<double>(sum + product)));
    }
    const Real result = habits_.alpha_first ? sum : static_cast<Real>(alpha_) * sum;
    if (habits_.ignores_beta || (beta_ == 0 && !habits_.multiplies_c_by_zero))
      return static_cast<double>(result);
    const bool mirrored = habits_.bias_by_row && j < c_.shape[0] && i < c_.shape[1];
    const Real factor = static_cast<Real>(habits_.adds_alpha_c ? alpha_ : beta_);
    return static_cast<double>(
        result + factor * static_cast<Real>(mirrored ? load(c_, j, i, false) : load(c_, i, j, false)));
  }

  // Element (i, j) of the matrix or of its transpose. Views are followed unless the width is taken for
  // the stride.
  double load(const View& view, std::int64_t i, std::int64_t j, bool transposed) const {
    if (transposed) std::swap(i, j);
    i %= view.shape[0];  // a faulty subject must not leave the memory it was given
    j %= view.shape[1];
    const std::byte* at = element(view, i, j);
    const std::size_t size = size_of(view.dtype);
    if (habits_.takes_width_for_stride && view.stride[1] == 1 && view.stride[0] > view.shape[1]) {
      at = static_cast<const std::byte*>(view.data) + static_cast<std::size_t>(i * view.shape[1] + j) * size;
    }
    return decode(format_of(view.dtype), load_bits(at, size));
  }

  static void store(const View& view, std::int64_t i, std::int64_t j, double value) {
    store_bits(element(view, i, j), encode(format_of(view.dtype), value), size_of(view.dtype));
  }

  const Habits& habits_;
  const Call& call_;
  const View& c_;
  double alpha_, beta_;
  bool transpose_a_, transpose_b_;
};

class Multiplier final : public Subject {
 public:
  explicit Multiplier(Habits habits) : habits_(std::move(habits)) {
    for (const Dtype dtype : float_dtypes()) models_[static_cast<std::size_t>(dtype)] = Model::common(dtype);
  }
  Model& declared(Dtype dtype) { return models_[static_cast<std::size_t>(dtype)]; }

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return operation == "matmul" && is_float(dtype) ? &models_[static_cast<std::size_t>(dtype)] : nullptr;
  }
  Status run(const Call& call) override {
    if (habits_.declines_other_layouts) {
      for (const auto& [tensor, view] : call.tensors) {
        if (view.stride[1] != 1 || view.stride[0] < view.shape[1]) return Status::unsupported;
      }
    }
    return call.tensor("c").dtype == Dtype::f64 ? Loop<double>(habits_, call).run()
                                                : Loop<float>(habits_, call).run();
  }

 private:
  std::string name_ = "multiplier";
  Habits habits_;
  std::array<Model, 8> models_;
};

const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = linear_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range(std::string(name));
  return *found;
}

void expect_all_pass(const Habits& habits) {
  Multiplier subject(habits);
  for (const Law& law : linear_laws()) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = run_law(law, dtype, subject, {Level::standard, 0});
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(dtype) << ": " << result.worst_case << " "
          << result.outcome.witness.reason << " margin " << result.outcome.worst_margin;
      EXPECT_GT(result.cases, 0U) << law.name;
    }
  }
}

TEST(LinearLaws, ThePlainLoopPasses) { expect_all_pass({}); }

TEST(LinearLaws, OtherHonestLoopsPass) {
  Habits habits;
  habits.backwards = true;
  habits.alpha_first = true;
  habits.declines_other_layouts = true;
  expect_all_pass(habits);
}

TEST(LinearLaws, TheReferencePasses) {
  const auto subject = reference_subject()();
  for (const Law& law : linear_laws()) {
    for (const Dtype dtype : {Dtype::f64, Dtype::bf16}) {
      const LawResult result = run_law(law, dtype, *subject, {Level::smoke, 0});
      if (result.cases == 0) continue;  // no case at this level
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
    }
  }
}

// A subject that says it multiplies in bf16 is held to that, and no longer passes as one that does not.
TEST(LinearLaws, NarrowProductsPassWhereDeclared) {
  Habits habits;
  habits.operand = [](double x) { return rounded_to(Dtype::bf16, x); };
  Multiplier subject(habits);
  subject.declared(Dtype::f32).product_input = Dtype::bf16;
  for (const Law& law : linear_laws()) {
    const LawResult result = run_law(law, Dtype::f32, subject, {Level::standard, 0});
    EXPECT_EQ(result.outcome.verdict, Verdict::pass)
        << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
  }
}

// No exact sum of 1024 terms fits the eight bits of a bf16 accumulator: the case says so.
TEST(LinearLaws, ExactSumsBeyondTheAccumulatorAreMistrusted) {
  Multiplier subject({});
  subject.declared(Dtype::bf16).accumulator = Dtype::bf16;
  const Case test_case{&law_named("lin_3_exact_long_sum"), Dtype::bf16, {}, 0};
  EXPECT_EQ(run_case(test_case, subject).verdict, Verdict::mistrusted);
}

TEST(LinearLaws, UnofferedProductsAreUnsupported) {
  class Nothing final : public Subject {
   public:
    const std::string& name() const override { return name_; }
    const Model* model(std::string_view, Dtype) const override { return nullptr; }
    Status run(const Call&) override { return Status::unsupported; }

   private:
    std::string name_ = "nothing";
  };
  Nothing subject;
  for (const Law& law : linear_laws()) {
    std::vector<std::int64_t> lows;
    for (const Parameter& parameter : law.parameters) lows.push_back(parameter.low);
    const Case test_case{&law, Dtype::f32, lows, 0};
    EXPECT_EQ(run_case(test_case, subject).verdict, Verdict::unsupported) << law.name;
  }
}

// LIN-3: the operands of exact cases need the bits they are said to need, and the sums fit.
TEST(LinearLaws, ExactOperandsAreWideAndTheirSumsFit) {
  Multiplier subject({});
  for (const Dtype dtype : float_dtypes()) {
    for (const std::int64_t k : {1, 2, 33, 1024}) {
      const Case test_case{&law_named("lin_3_exact_long_sum"), dtype, {}, 0};
      Trial trial(test_case, subject);
      linear::Problem problem;
      problem.k = k;
      ASSERT_TRUE(linear::fill_exact(trial, problem));
      double sum = 0;
      int wide = 0;
      for (std::int64_t l = 0; l < k; ++l) {
        const double x = problem.a.value(l) * 0x1p5;
        const double y = problem.b.value(l) * 0x1p5;
        ASSERT_EQ(x, std::nearbyint(x));
        ASSERT_NE(x * y, 0);
        sum += std::fabs(x * y);
        const auto narrow = dtype == Dtype::f64 ? Dtype::f32 : Dtype::bf16;
        if (rounded_to(narrow, x) != x || rounded_to(narrow, y) != y) ++wide;
      }
      const int precision = format_of(subject.declared(dtype).accumulator).precision;
      EXPECT_LE(sum, std::ldexp(1, precision - 2));
      if (dtype != Dtype::bf16) {
        EXPECT_GT(wide, 0) << name_of(dtype) << " k = " << k;
      }
    }
  }
}

TEST(LinearLaws, NamesAndClausesAgree) {
  std::set<std::string_view> clauses;
  for (const Law& law : linear_laws()) {
    EXPECT_TRUE(law.name.starts_with("lin_" + std::string(law.clause.substr(4)) + "_")) << law.name;
    clauses.insert(law.clause);
    for (const Example& example : law.examples) {
      ASSERT_EQ(example.values.size(), law.parameters.size()) << law.name;
      for (std::size_t i = 0; i < example.values.size(); ++i) {
        EXPECT_GE(example.values[i], law.parameters[i].low) << law.name << " " << law.parameters[i].name;
        EXPECT_LE(example.values[i], law.parameters[i].high) << law.name << " " << law.parameters[i].name;
      }
    }
  }
  EXPECT_EQ(clauses.size(), 5U);
}

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
}  // namespace etalon
