// The laws of position codes: for every law there is a faulty subject that it refutes.
#include <gtest/gtest.h>

#include <numbers>
#include <set>

#include "properties/mutants/position_subject.hpp"

namespace etalon::coding {
namespace {

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

double whole_base(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  Request changed = request;
  changed.base = std::floor(request.base);
  return double_entry(changed, position, r, is_cosine);
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
      {"base cut to an integer", "pos_2_fractional_base", whole_base},
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
}  // namespace etalon::coding
