// The laws of position codes: honest subjects pass every one of them, and for every law there is a
// faulty subject that it refutes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>
#include <string>

#include "properties/position_code.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

double rounded_to(Dtype dtype, double value) {
  return decode(format_of(dtype), encode(format_of(dtype), value));
}

struct Request {
  double first, base;
  bool halves;
  std::int64_t n, d;
  Dtype dtype;
};

// Entry of the position's pair r: `is_cosine` picks the cosine. The value is rounded to the dtype after.
using Entry = std::function<double(const Request&, std::int64_t position, std::int64_t r, bool is_cosine)>;

double exponent_of(const Request& request, std::int64_t r) {
  return -2.0 * static_cast<double>(r) / static_cast<double>(request.d);
}

double wave(double angle, bool is_cosine) { return is_cosine ? std::cos(angle) : std::sin(angle); }

// The angle by the plain formula in binary64.
double double_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return wave(static_cast<double>(position) * std::pow(request.base, exponent_of(request, r)), is_cosine);
}

// The angle by the same formula in binary32: what a float program does.
double float_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const float frequency = std::pow(static_cast<float>(request.base),
                                   -2.0F * static_cast<float>(r) / static_cast<float>(request.d));
  const float angle = static_cast<float>(position) * frequency;
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

// The arithmetic of the dtype's own accumulator.
double working_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return (request.dtype == Dtype::f64 ? double_entry : float_entry)(request, position, r, is_cosine);
}

using Refusal = std::function<bool(const Request&)>;

bool refuses_honestly(const Request& request) {
  return request.d < 2 || request.d % 2 != 0 || !(request.first >= 0) || !(request.base > 1) ||
         !std::isfinite(request.base);
}

class Coder final : public Subject {
 public:
  Coder(Angle angle, Entry entry) : entry_(std::move(entry)) {
    for (const Dtype dtype : float_dtypes()) {
      Model& model = models_[static_cast<std::size_t>(dtype)];
      model = Model::common(dtype);
      model.angle = angle;
    }
  }

  Refusal refuses = refuses_honestly;
  bool clamps = false;            // the learned table is read at its last row beyond the end
  std::int64_t lookup_shift = 0;  // reads the learned table that many rows too far
  bool writes_before_refusing = false;
  // Row i instead of the position first + i, for subjects that walk.
  std::function<std::int64_t(const Request&, std::int64_t i)> position =
      [](const Request& request, std::int64_t i) { return static_cast<std::int64_t>(request.first) + i; };

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const bool offered = (operation == "sinusoidal" || operation == "learned_positions") && is_float(dtype);
    return offered ? &models_[static_cast<std::size_t>(dtype)] : nullptr;
  }
  Status run(const Call& call) override {
    return call.operation == "sinusoidal" ? sinusoidal(call) : learned(call);
  }

 private:
  Status sinusoidal(const Call& call) const {
    const View& out = call.tensor("out");
    const double layout = call.attribute("layout");
    const Request request{
        call.attribute("first"), call.attribute("base"), layout == 1, out.shape[0], out.shape[1], out.dtype};
    const bool refused = refuses(request) || (layout != 0 && layout != 1);
    if (refused && !writes_before_refusing) return Status::invalid_argument;
    const Format& format = format_of(out.dtype);
    for (std::int64_t i = 0; i < request.n; ++i) {
      const std::int64_t pos = position(request, i);
      for (std::int64_t c = 0; c < request.d; ++c) {
        const std::int64_t half = request.d / 2;
        const bool is_cosine = request.halves ? c >= half : c % 2 == 1;
        const std::int64_t r = request.halves ? (is_cosine ? c - half : c) : c / 2;
        store_bits(element(out, i, c), encode(format, entry_(request, pos, r, is_cosine)),
                   size_of(out.dtype));
      }
    }
    return refused ? Status::invalid_argument : Status::ok;
  }

  Status learned(const Call& call) const {
    const View& table = call.tensor("table");
    const View& out = call.tensor("out");
    const double first = call.attribute("first");
    const auto last = static_cast<double>(table.shape[0]);
    if (!clamps && (first < 0 || first + static_cast<double>(out.shape[0]) > last))
      return Status::invalid_argument;
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      const double wanted = first + static_cast<double>(i + lookup_shift);
      const auto row = static_cast<std::int64_t>(std::clamp(wanted, 0.0, last - 1));
      for (std::int64_t j = 0; j < out.shape[1]; ++j) {
        store_bits(element(out, i, j), load_bits(element(table, row, j), size_of(table.dtype)),
                   size_of(out.dtype));
      }
    }
    return Status::ok;
  }

  std::string name_ = "coder";
  Entry entry_;
  std::array<Model, 8> models_;
};

const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = position_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range(std::string(name));
  return *found;
}

LawResult run_standard(std::string_view law, Dtype dtype, Subject& subject) {
  return run_law(law_named(law), dtype, subject, {Level::standard, 0});
}

void expect_all_pass(Coder& subject) {
  for (const Law& law : position_laws()) {
    for (const Dtype dtype : dtypes_of(law)) {
      const LawResult result = run_standard(law.name, dtype, subject);
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << " " << name_of(dtype) << ": " << result.worst_case << " "
          << result.outcome.witness.reason << " margin " << result.outcome.worst_margin;
      EXPECT_GT(result.cases, 0U) << law.name;
    }
  }
}

TEST(PositionLaws, FloatAnglesPassWhereDeclared) {
  Coder subject(Angle::working, working_entry);
  expect_all_pass(subject);
}

TEST(PositionLaws, DoubleAnglesPassWhereDeclared) {
  Coder subject(Angle::in_double, double_entry);
  expect_all_pass(subject);
}

TEST(PositionLaws, TheReferencePasses) {
  const auto subject = reference_subject()();
  for (const Law& law : position_laws()) {
    for (const Dtype dtype : {Dtype::f32, Dtype::f16}) {
      const LawResult result = run_law(law, dtype, *subject, {Level::smoke, 0});
      if (result.cases == 0) continue;  // no case at this level
      EXPECT_EQ(result.outcome.verdict, Verdict::pass)
          << law.name << ": " << result.worst_case << " " << result.outcome.witness.reason;
    }
  }
}

TEST(PositionLaws, NamesAndClausesAgree) {
  std::set<std::string_view> clauses;
  for (const Law& law : position_laws()) {
    const std::string number(law.clause.substr(4));
    EXPECT_TRUE(law.name.starts_with("pos_" + number + "_")) << law.name;
    clauses.insert(law.clause);
    for (const Example& example : law.examples) {
      ASSERT_EQ(example.values.size(), law.parameters.size()) << law.name;
      for (std::size_t i = 0; i < example.values.size(); ++i) {
        EXPECT_GE(example.values[i], law.parameters[i].low) << law.name << " " << law.parameters[i].name;
        EXPECT_LE(example.values[i], law.parameters[i].high) << law.name << " " << law.parameters[i].name;
      }
    }
  }
  EXPECT_EQ(clauses.size(), 12U);
}

// The frequency by exp, the other formula that float programs use: the longer way to the angle.
double float_entry_by_exp(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const float exponent = -2.0F * static_cast<float>(r) * std::log(static_cast<float>(request.base));
  const float angle = static_cast<float>(position) * std::exp(exponent / static_cast<float>(request.d));
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

// What a whole table shows: d = 64, positions 0 .. 4095, base 10000, in f32.
struct Survey {
  double error = 0;         // largest |got - truth|
  double margin = 0;        // largest error in units of the bound
  double steep_margin = 0;  // the same over the entries of at least 1/2 in size
};

Survey survey(Angle angle, Entry entry) {
  Coder subject(angle, std::move(entry));
  const Case test_case{&law_named("pos_2_last_rows"), Dtype::f32, {}, 0};
  Trial trial(test_case, subject);
  const position::Code code(trial, 64, 10000);
  Tensor out = trial.output({4096, 64});
  EXPECT_TRUE(code.ask(out, 0));
  Survey found;
  for (std::int64_t i = 0; i < out.elements(); ++i) {
    const Expected expected = code.entry(i / 64, i % 64);
    const double error = std::fabs((out.value(i) - expected.truth.hi) - expected.truth.lo);
    if (error == 0) continue;
    found.error = std::max(found.error, error);
    found.margin = std::max(found.margin, error / expected.bound);
    if (std::fabs(expected.truth.hi) >= 0.5)
      found.steep_margin = std::max(found.steep_margin, error / expected.bound);
  }
  return found;
}

// POS-2: the bound of the working-format angle is about twice to five times what float programs do,
// and the largest error is near 2^-12.
TEST(PositionLaws, MarginsOfFloatAnglesLieWhereTheModelPutsThem) {
  for (const Entry& entry : {Entry(float_entry), Entry(float_entry_by_exp)}) {
    const Survey declared = survey(Angle::working, entry);
    EXPECT_GT(declared.margin, 0.2);
    EXPECT_LT(declared.margin, 0.55);
    EXPECT_GT(declared.error, 0x1p-13);
    EXPECT_LT(declared.error, 0x1p-11);
  }
}

// The same programs against the bound of an exact angle, an ulp or two: thousands of times too far off,
// and more where the truth is near a zero.
TEST(PositionLaws, FloatAnglesFailWhereExactOnesAreDeclared) {
  const Survey boasted = survey(Angle::exact, float_entry);
  EXPECT_GT(boasted.steep_margin, 500);
  EXPECT_LT(boasted.steep_margin, 8000);
  EXPECT_GT(boasted.margin, boasted.steep_margin);
  Coder honest(Angle::working, float_entry);
  Coder boasting(Angle::exact, float_entry);
  for (const std::string_view law : {"pos_2_definition", "pos_2_table_512x512", "pos_2_table_from_2_20"}) {
    EXPECT_EQ(run_standard(law, Dtype::f32, honest).outcome.verdict, Verdict::pass) << law;
    EXPECT_EQ(run_standard(law, Dtype::f32, boasting).outcome.verdict, Verdict::fail) << law;
  }
}

// Angles in binary64, rounded once at the end: half an ulp of f32 and a trifle.
TEST(PositionLaws, DoubleAnglesAreWithinHalfAnUlp) {
  const Survey found = survey(Angle::in_double, double_entry);
  EXPECT_LT(found.error, 0x1.0001p-25);
  EXPECT_LE(found.margin, 1);
}

struct Fault {
  std::string_view name;
  std::string_view law;
  Entry entry;
  std::function<void(Coder&)> alter = [](Coder&) {};
  Dtype dtype = Dtype::f32;
  Angle angle = Angle::in_double;
};

std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.law << "/" << fault.name;
}

double with_exponent(const Request& request, std::int64_t position, double exponent, bool is_cosine) {
  return wave(static_cast<double>(position) * std::pow(request.base, exponent), is_cosine);
}

// The exponent r/(d/2 - 1): the last wavelength is 2 pi base.
double wrong_divisor(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double last = std::max(1.0, static_cast<double>(request.d / 2 - 1));
  return with_exponent(request, position, -static_cast<double>(r) / last, is_cosine);
}

double per_column(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double column = static_cast<double>(2 * r + (is_cosine ? 1 : 0));
  return with_exponent(request, position, -2 * column / static_cast<double>(request.d), is_cosine);
}

double other_base(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  Request changed = request;
  changed.base = request.base * 1.01;
  return double_entry(changed, position, r, is_cosine);
}

double by_wavelength(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return with_exponent(request, position, -exponent_of(request, r), is_cosine);
}

double from_one(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position + 1, r, is_cosine);
}

double swapped(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position, r, !is_cosine);
}

// Sines in the first half of the row whatever was asked for.
double in_halves(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  if (request.halves) return double_entry(request, position, r, is_cosine);
  const std::int64_t column = 2 * r + (is_cosine ? 1 : 0);
  return double_entry(request, position, column % (request.d / 2), column >= request.d / 2);
}

double halves_ignored(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  if (!request.halves) return double_entry(request, position, r, is_cosine);
  const std::int64_t column = r + (is_cosine ? request.d / 2 : 0);
  return double_entry(request, position, column / 2, column % 2 == 1);
}

Entry position_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double seen = rounded_to(narrow, static_cast<double>(position));
    return std::isfinite(seen) ? double_entry(request, static_cast<std::int64_t>(seen), r, is_cosine) : 0;
  };
}

Entry frequency_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double frequency = rounded_to(narrow, std::pow(request.base, exponent_of(request, r)));
    return wave(static_cast<double>(position) * frequency, is_cosine);
  };
}

Entry angle_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double angle = static_cast<double>(position) * std::pow(request.base, exponent_of(request, r));
    const double seen = rounded_to(narrow, angle);
    return std::isfinite(seen) ? wave(seen, is_cosine) : 0;
  };
}

Entry stored_in(Dtype narrow) {
  return [narrow](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    return rounded_to(narrow, double_entry(request, position, r, is_cosine));
  };
}

// Reduces the angle by one float constant for 2 pi.
double poor_reduction(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double angle = static_cast<double>(position) * std::pow(request.base, exponent_of(request, r));
  const double turn = static_cast<double>(2 * std::numbers::pi_v<float>);
  return wave(angle - turn * std::floor(angle / turn), is_cosine);
}

// The frequency by repeated multiplication in float.
double drifting_frequency(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const auto ratio = static_cast<float>(std::pow(request.base, exponent_of(request, 1)));
  float frequency = 1;
  for (std::int64_t i = 0; i < r; ++i) frequency *= ratio;
  return wave(static_cast<double>(position) * static_cast<double>(frequency), is_cosine);
}

// The angle by adding the frequency once a row: the error of an addition for each, all in one direction.
double drifting_row(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double walked = static_cast<double>(position) - request.first;
  const double frequency = std::pow(request.base, exponent_of(request, r));
  return wave((request.first + walked) * frequency * (1 + walked * 0x1p-40), is_cosine);
}

Entry scaled(double factor) {
  return [factor](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    return factor * double_entry(request, position, r, is_cosine);
  };
}

Entry one_wrong(std::int64_t row, std::int64_t pair) {
  return [=](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const bool hit = position == row && r == pair && is_cosine;
    return double_entry(request, position, r, is_cosine) * (hit ? 1 + 0x1p-20 : 1);
  };
}

// Cosines near 1 are given as 1.
double flat_top(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return is_cosine && value > 1 - 4e-5 ? 1 : value;
}

double depends_on_length(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return request.n > 4 ? std::nextafter(static_cast<float>(value), 2.0F) : value;
}

double negative_zero(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return value == 0 ? -0.0 : value;
}

double nan_beyond_first(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return position > 0 ? std::nan("") : double_entry(request, position, r, is_cosine);
}

std::vector<Fault> faults() {
  const auto accepts = [](Coder& subject) { subject.refuses = [](const Request&) { return false; }; };
  const auto accepts_negative = [](Coder& subject) {
    subject.refuses = [](const Request& request) { return request.d % 2 != 0 || request.d < 2; };
  };
  return {
      {"clamped", "pos_1_learned_beyond_table", double_entry, [](Coder& subject) { subject.clamps = true; }},
      {"next row", "pos_1_learned_lookup", double_entry, [](Coder& subject) { subject.lookup_shift = 1; }},
      {"halves for interleaved", "pos_2_definition", in_halves},
      {"interleaved for halves", "pos_2_definition", halves_ignored},
      {"sine and cosine exchanged", "pos_2_definition", swapped},
      {"divisor d/2 - 1", "pos_2_definition", wrong_divisor},
      {"exponent per column", "pos_2_definition", per_column},
      {"other base", "pos_2_definition", other_base},
      {"times the wavelength", "pos_2_definition", by_wavelength},
      {"from 1", "pos_2_definition", from_one},
      {"position in bf16", "pos_2_definition", position_in(Dtype::bf16)},
      {"position in fp16", "pos_2_definition", position_in(Dtype::f16)},
      {"position in f32", "pos_2_definition", position_in(Dtype::f32)},
      {"position in bf16", "pos_2_definition", position_in(Dtype::bf16), {}, Dtype::bf16},
      {"frequency in bf16", "pos_2_definition", frequency_in(Dtype::bf16)},
      {"frequency in fp16", "pos_2_definition", frequency_in(Dtype::f16), {}, Dtype::f16},
      {"angle in fp16", "pos_2_definition", angle_in(Dtype::f16)},
      {"angle in bf16", "pos_2_definition", angle_in(Dtype::bf16), {}, Dtype::bf16, Angle::working},
      {"angle in fp16", "pos_2_definition", angle_in(Dtype::f16), {}, Dtype::f32, Angle::working},
      {"table in fp16", "pos_2_definition", stored_in(Dtype::f16), {}, Dtype::f32, Angle::working},
      {"table in f32", "pos_2_definition", stored_in(Dtype::f32), {}, Dtype::f64},
      {"poor reduction", "pos_2_definition", poor_reduction},
      {"NaN", "pos_2_definition", nan_beyond_first},
      {"one entry", "pos_2_table_512x512", one_wrong(300, 77)},
      {"poor reduction", "pos_2_table_from_2_20", poor_reduction},
      {"frequency walks", "pos_2_last_rows", drifting_frequency},
      {"rows walk", "pos_2_last_rows", drifting_row},
      {"negative zero", "pos_3_row_zero", negative_zero},
      {"from 1", "pos_3_row_zero", from_one},
      {"other base", "pos_4_rotation_identity", other_base},
      {"position in bf16", "pos_4_rotation_identity", position_in(Dtype::bf16)},
      {"NaN", "pos_4_rotation_identity", nan_beyond_first},
      {"from 1", "pos_5_rotation_group", from_one},
      {"position in bf16", "pos_5_rotation_group", position_in(Dtype::bf16)},
      {"amplitude", "pos_6_unit_circle", scaled(1 + 0x1p-18)},
      {"table in fp16", "pos_6_unit_circle", stored_in(Dtype::f16)},
      {"position in bf16", "pos_7_relative_position", position_in(Dtype::bf16)},
      {"divisor d/2 - 1", "pos_7_relative_position", wrong_divisor},
      {"divisor d/2 - 1", "pos_8_wavelengths", wrong_divisor},
      {"other base", "pos_8_wavelengths", other_base, {}, Dtype::f16},
      {"position in bf16", "pos_9_distinct_rows", position_in(Dtype::bf16)},
      {"modulo 8", "pos_9_distinct_rows", double_entry,
       [](Coder& subject) {
         subject.position = [](const Request& request, std::int64_t i) {
           return (static_cast<std::int64_t>(request.first) + i) % 8;
         };
       },
       Dtype::bf16},
      {"rows walk", "pos_10_random_access", drifting_row},
      {"by length", "pos_10_prefix", depends_on_length},
      {"accepted", "pos_11_odd_width", double_entry, accepts},
      {"written", "pos_11_odd_width", double_entry,
       [](Coder& subject) { subject.writes_before_refusing = true; }},
      {"accepted", "pos_11_bad_attributes", double_entry, accepts_negative},
      {"refused", "pos_11_no_rows", double_entry,
       [](Coder& subject) { subject.refuses = [](const Request& request) { return request.n == 0; }; }},
      {"from 1", "pos_12_table_of_width_2", from_one},
      {"other base", "pos_12_table_of_width_6", wrong_divisor},
      {"flat top", "pos_12_table_of_width_6", flat_top},
  };
}

class PositionFaults : public testing::TestWithParam<Fault> {};

TEST_P(PositionFaults, AreRefuted) {
  const Fault& fault = GetParam();
  Coder subject(fault.angle, fault.entry);
  if (fault.alter) fault.alter(subject);
  const LawResult result = run_standard(fault.law, fault.dtype, subject);
  EXPECT_EQ(result.outcome.verdict, Verdict::fail)
      << result.outcome.witness.reason << " in " << result.worst_case;
  EXPECT_FALSE(result.worst_case.empty());
}

INSTANTIATE_TEST_SUITE_P(EveryLaw, PositionFaults, testing::ValuesIn(faults()));

TEST(PositionFaultList, NamesEveryLaw) {
  std::set<std::string_view> refuted;
  for (const Fault& fault : faults()) refuted.insert(fault.law);
  for (const Law& law : position_laws()) EXPECT_TRUE(refuted.contains(law.name)) << law.name;
}

}  // namespace
}  // namespace etalon
