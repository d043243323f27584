// The machinery that runs laws: names that select, inputs that depend on the name alone, shrinking,
// and every way in which a call can go wrong around its result.
#include "properties/runner.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "properties/trial.hpp"

namespace etalon {
namespace {

// A subject whose single operation "embed" is whatever the test says.
class Scripted final : public Subject {
 public:
  using Script = std::function<Status(const Call&)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return operation == "embed" && dtype == Dtype::f32 ? &model_ : nullptr;
  }
  Status run(const Call& call) override { return script_(call); }
  std::string last_error() const override { return "scripted"; }

 private:
  std::string name_ = "scripted";
  Model model_ = Model::common(Dtype::f32);
  Script script_;
};

void store(const View& view, std::int64_t i, float value) {
  std::memcpy(element(view, i), &value, sizeof value);
}

// Doubles its input: right iff out[i] = 2 table[i], by bits.
void doubling(Trial& trial) {
  Tensor table = trial.input("table", {trial["n"]}, Pattern::unit, static_cast<Layout>(trial["layout"]));
  Tensor out = trial.output({trial["n"]}, static_cast<Layout>(trial["layout"]));
  if (!trial.call("embed", {{"table", &table}, {"out", &out}}, {"out"})) return;
  trial.judge_bits("out", out, [&](std::int64_t i) { return encode(trial.format(), 2 * table.value(i)); });
}

const Law& doubling_law() {
  static const Law law{
      "emb_0_doubling",
      "EMB-0",
      "doubles",
      {"embed"},
      {Dtype::f32},
      {Parameter::range("n", 0, 64, {0, 1, 33}),
       Parameter::choice("layout", {"dense", "padded", "transposed", "reversed", "unaligned"})},
      {{Level::smoke, {5, 0}}, {Level::standard, {64, 1}}},
      doubling};
  return law;
}

Status honest(const Call& call) {
  const View& table = call.tensor("table");
  for (std::int64_t i = 0; i < table.shape[0]; ++i) {
    float value = 0;
    std::memcpy(&value, element(table, i), sizeof value);
    store(call.tensor("out"), i, 2 * value);
  }
  return Status::ok;
}

LawResult run_with(Scripted::Script script, Level level = Level::standard) {
  Scripted subject(std::move(script));
  return run_law(doubling_law(), Dtype::f32, subject, {level, 0});
}

TEST(RunnerTest, AnHonestSubjectPassesEveryCase) {
  const LawResult result = run_with(honest);
  EXPECT_EQ(result.outcome.verdict, Verdict::pass) << result.outcome.witness.reason;
  EXPECT_EQ(result.cases, 34U);
  EXPECT_GT(result.outcome.elements, 100U);
  EXPECT_EQ(result.outcome.grade, Grade::exact);
}

TEST(RunnerTest, AFailureIsShrunkToTheSmallestCaseThatShowsIt) {
  const LawResult result = run_with([](const Call& call) {
    const Status status = honest(call);
    if (call.tensor("out").shape[0] >= 4) store(call.tensor("out"), 3, -77);  // wrong from n = 4 on
    return status;
  });
  EXPECT_EQ(result.outcome.verdict, Verdict::fail);
  EXPECT_EQ(result.worst_case, "emb_0_doubling/f32/n=4,layout=dense");
  EXPECT_EQ(result.outcome.witness.index, 3);
}

TEST(RunnerTest, ALawThatJudgedNoElementDoesNotPass) {
  Law empty = doubling_law();
  empty.examples = {{Level::smoke, {0, 0}}};
  empty.draws = false;
  Scripted subject(honest);
  const LawResult result = run_law(empty, Dtype::f32, subject, {Level::standard, 0});
  EXPECT_EQ(result.cases, 1U);
  EXPECT_EQ(result.outcome.verdict, Verdict::mistrusted);
}

TEST(RunnerTest, TheCaseNamedIsTheOneThatDecides) {
  Law law = doubling_law();
  law.draws = false;
  law.examples = {{Level::smoke, {5, 0}}, {Level::smoke, {6, 0}}, {Level::smoke, {7, 0}}};
  law.check = [](Trial& trial) {
    doubling(trial);
    if (trial["n"] == 6) trial.settle(Verdict::no_bound, "none");
  };
  Scripted subject(honest);
  const LawResult result = run_law(law, Dtype::f32, subject, {Level::standard, 0});
  EXPECT_EQ(result.outcome.verdict, Verdict::no_bound);
  EXPECT_EQ(result.worst_case, "emb_0_doubling/f32/n=6,layout=dense");
}

TEST(RunnerTest, SurroundingsAreJudgedToo) {
  struct {
    Scripted::Script script;
    std::string_view reason;
  } const faults[] = {
      {[](const Call& call) {
         honest(call);
         store(call.tensor("out"), call.tensor("out").shape[0], 1);
         return Status::ok;
       },
       "wrote outside"},
      {[](const Call& call) {
         honest(call);
         if (call.tensor("table").shape[0] > 0) store(call.tensor("table"), 0, 9);
         return Status::ok;
       },
       "changed its input table"},
      {[](const Call& call) {
         honest(call);
         if (call.tensor("out").shape[0] > 2) std::memset(element(call.tensor("out"), 2), 0xA5, 4);
         return Status::ok;
       },
       "other bits than the exact result"},
      {[](const Call&) { return Status::ok; }, "left element (0) of out unwritten"},
      {[](const Call&) { return Status::internal; }, "embed answered INTERNAL: scripted"},
      {[](const Call&) { return Status::invalid_argument; }, "INVALID_ARGUMENT"},
  };
  for (const auto& fault : faults) {
    const LawResult result = run_with(fault.script, Level::smoke);
    EXPECT_EQ(result.outcome.verdict, Verdict::fail);
    EXPECT_NE(result.outcome.witness.reason.find(fault.reason), std::string::npos)
        << result.outcome.witness.reason;
  }
}

TEST(RunnerTest, DecliningIsNoVerdict) {
  const LawResult declined = run_with([](const Call&) { return Status::unsupported; }, Level::smoke);
  EXPECT_EQ(declined.outcome.verdict, Verdict::unsupported);
  EXPECT_EQ(declined.cases, 0U);
  Scripted subject(honest);
  const LawResult not_offered = run_law(doubling_law(), Dtype::f16, subject, {});
  EXPECT_EQ(not_offered.outcome.verdict, Verdict::unsupported);
}

TEST(RunnerTest, AFaultOfALawIsNeverAVerdictOnTheSubject) {
  Law broken = doubling_law();
  broken.check = [](Trial& trial) { trial.expect(trial["nonsense"] == 0, "unreachable"); };
  Scripted subject(honest);
  const Outcome outcome = run_case({&broken, Dtype::f32, {1, 0}, 0}, subject);
  EXPECT_EQ(outcome.verdict, Verdict::inconclusive);
  EXPECT_NE(outcome.witness.reason.find("nonsense"), std::string::npos);
}

TEST(RunnerTest, EqualSeedsGiveEqualRunsAndOthersDiffer) {
  const auto drawn = [](std::uint64_t seed) {
    std::vector<std::int64_t> sizes;
    Scripted subject([&](const Call& call) {
      sizes.push_back(call.tensor("table").shape[0]);
      return honest(call);
    });
    run_law(doubling_law(), Dtype::f32, subject, {Level::standard, seed});
    return sizes;
  };
  EXPECT_EQ(drawn(0), drawn(0));
  EXPECT_NE(drawn(0), drawn(1));
}

TEST(CaseTest, NamesRoundTripForEveryExampleOfEveryLaw) {
  std::set<std::string_view> names;
  for (const Law& law : all_laws()) {
    EXPECT_TRUE(names.insert(law.name).second) << law.name << " twice";
    for (const Dtype dtype : dtypes_of(law)) {
      for (const Example& example : law.examples) {
        ASSERT_EQ(example.values.size(), law.parameters.size()) << law.name;
        const Case original{&law, dtype, example.values, 11};
        std::string error;
        const auto parsed = case_named(original.name(), error);
        ASSERT_TRUE(parsed) << original.name() << ": " << error;
        EXPECT_EQ(parsed->name(), original.name());
        EXPECT_EQ(parsed->values, example.values);
      }
    }
  }
}

TEST(CaseTest, DamagedNamesGetOneClearLine) {
  for (const std::string_view name :
       {"", "/", "nonsense", "pos_2_nonsense/f32/n=1", "@", "@@", "a/b/c/d=e,f"}) {
    std::string error;
    EXPECT_FALSE(case_named(name, error)) << name;
    EXPECT_FALSE(error.empty());
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  const Law& law = all_laws().back();
  for (const std::string_view tail :
       {"/f8/", "/f32", "/f32/n", "/f32/n=", "/f32/n=x", "/f32/n=99999999999999999999@", "/-/@-1"}) {
    std::string error;
    const auto parsed = case_named(std::string(law.name) + std::string(tail), error);
    if (tail.find("=x") != tail.npos || tail.find("f8") != tail.npos) {
      EXPECT_FALSE(parsed) << tail;
    }
    EXPECT_NE(parsed.has_value(), !error.empty()) << tail;
  }
}

TEST(LawTest, NamesBeginWithTheirClause) {
  for (const Law& law : all_laws()) {
    std::string prefix;
    for (const char c : law.clause) prefix += c == '-' ? '_' : static_cast<char>(std::tolower(c));
    EXPECT_EQ(law.name.substr(0, prefix.size() + 1), prefix + "_");
    EXPECT_FALSE(law.intent.empty()) << law.name;
    EXPECT_NE(law.check, nullptr) << law.name;
  }
}

}  // namespace
}  // namespace etalon
