// The contract of `sinusoidal`: rows stand for themselves (POS-10), which calls are refused (POS-11),
// and the tables that a person can check by hand (POS-12).
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "properties/position_code.hpp"

namespace etalon::position {
namespace {

// POS-10: the row of a position alone = its row in a table, bit for bit.
void random_access(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t first = std::min(trial["first"], largest_position + 1 - n);
  const Code code(trial, 2 * trial["pairs"], static_cast<double>(trial["base"]), trial["layout"] == 1);
  Tensor table = trial.output({n, code.width()});
  if (!code.ask(table, first)) return;
  const std::int64_t step = std::max<std::int64_t>(1, n / 8);
  for (std::int64_t i = (n - 1) % step; i < n && !trial.settled(); i += step) {  // the last row is among them
    Tensor row = trial.output({1, code.width()});
    if (!code.ask(row, first + i)) return;
    trial.judge_bits("the row of position " + std::to_string(first + i) + " alone", row,
                     [&](std::int64_t c) { return table.bits(i * code.width() + c); });
  }
}

// POS-10: the first n rows of a longer table = the shorter table, bit for bit.
void prefix(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t first = trial["first"];
  const Code code(trial, 2 * trial["pairs"], static_cast<double>(trial["base"]));
  Tensor shorter = trial.output({n, code.width()});
  Tensor longer = trial.output({n + trial["more"], code.width()});
  if (!code.ask(shorter, first) || !code.ask(longer, first)) return;
  trial.judge_bits("the shorter table", shorter, [&](std::int64_t i) { return longer.bits(i); });
}

void expect_refusal(Trial& trial, std::int64_t n, std::int64_t d, double first, double base, double layout) {
  Tensor out = trial.output({n, d});
  trial.call_expecting(Status::invalid_argument, "sinusoidal", {{"out", &out}}, {"out"},
                       {{"first", first}, {"base", base}, {"layout", layout}});
}

// POS-11: d odd or d < 2: INVALID_ARGUMENT, nothing written.
void odd_width(Trial& trial) { expect_refusal(trial, trial["n"], trial["d"], 0, 10000, 0); }

// POS-11: first < 0, base not a finite number > 1, layout neither 0 nor 1: INVALID_ARGUMENT.
void bad_attributes(Trial& trial) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct Attributes {
    double first, base, layout;
  };
  constexpr Attributes bad[] = {{-1, 10000, 0}, {-0x1p53, 10000, 0}, {0, 1, 0},   {0, 0.5, 0},
                                {0, 0, 0},      {0, -10000, 0},      {0, nan, 0}, {0, infinity, 0},
                                {0, 10000, 2},  {0, 10000, -1}};
  const Attributes& attributes = bad[trial["fault"]];
  expect_refusal(trial, 2, 4, attributes.first, attributes.base, attributes.layout);
}

// POS-11: n = 0 is a table without rows: OK, nothing written.
void no_rows(Trial& trial) {
  Tensor out = trial.output({0, 2 * trial["pairs"]}, trial["memory"] == 0 ? Layout::dense : Layout::padded);
  trial.call_expecting(Status::ok, "sinusoidal", {{"out", &out}}, {"out"},
                       {{"first", static_cast<double>(trial["first"])}, {"base", 10000.0}, {"layout", 0.0}});
}

// POS-12: every entry lies within its bound, and half a unit of the fourth decimal, of the printed one.
void judge_printed(Trial& trial, const Code& code, const Tensor& out, std::span<const double> printed) {
  trial.judge_bound("out, against the printed table", out, [&](std::int64_t i) {
    Expected expected;
    expected.truth = Ball::exact(printed[static_cast<std::size_t>(i)]);
    expected.bound = code.entry(i / code.width(), i % code.width()).bound + 0.5e-4 * (1 + 0x1p-40);
    return expected;
  });
}

// POS-12: d = 2, n = 3: the rows (sin pos, cos pos).
void table_of_width_2(Trial& trial) {
  constexpr std::array printed = {0.0, 1.0, 0.8415, 0.5403, 0.9093, -0.4161};
  const Code code(trial, 2, 10000);
  Tensor out = trial.output({3, 2});
  if (code.ask(out, 0)) judge_printed(trial, code, out, printed);
}

// POS-12: d = 6, n = 4; in f64 and f32 cos(3 w_2) = 1 - 2.09e-5 is another number than cos 0 = 1.
void table_of_width_6(Trial& trial) {
  constexpr std::array printed = {0.0,    1.0,    0.0,    1.0,     0.0,    1.0,     0.8415, 0.5403,
                                  0.0464, 0.9989, 0.0022, 1.0,     0.9093, -0.4161, 0.0927, 0.9957,
                                  0.0043, 1.0,    0.1411, -0.9900, 0.1388, 0.9903,  0.0065, 1.0};
  const Code code(trial, 6, 10000);
  Tensor out = trial.output({4, 6});
  if (!code.ask(out, 0)) return;
  judge_printed(trial, code, out, printed);
  const Expected slow = code.entry(3, 5);
  if (slow.truth.hi + slow.bound < 1) {
    trial.expect(out.bits(3 * 6 + 5) != out.bits(5),
                 "the slowest cosines of positions 0 and 3 are the same bits");
  }
}

}  // namespace

std::vector<Law> contract_laws() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const Parameter base = Parameter::one_of("base", base_values());
  const Parameter pairs = Parameter::range("pairs", 1, 64, {1, 2, 3, 32});
  const Parameter first = Parameter::range("first", 0, largest_position, telling_positions());
  return {
      {"pos_10_random_access",
       "POS-10",
       "A row alone is the row in a table, bit for bit, at any position.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 8192, {1, 2, 33}), pairs, first, base,
        Parameter::choice("layout", {"interleaved", "halves"})},
       {{Level::smoke, {4, 3, 0, 10000, 0}},
        {Level::smoke, {2, 2, largest_position, 10000, 0}},
        {Level::standard, {33, 64, 16777215, 500000, 0}},
        {Level::standard, {8192, 8, 0, 10000, 0}}},
       random_access},
      {"pos_10_prefix",
       "POS-10",
       "The first rows of a longer table are the shorter table, bit for bit.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 0, 64, {0, 1, 31}), Parameter::range("more", 0, 64, {0, 1, 33}), pairs,
        Parameter::range("first", 0, 1048576, {0, 1, 2049}), base},
       {{Level::smoke, {1, 1, 1, 0, 10000}},
        {Level::smoke, {3, 5, 3, 0, 10000}},
        {Level::standard, {31, 33, 32, 2049, 10000}}},
       prefix},
      {"pos_11_odd_width",
       "POS-11",
       "An odd or empty width is refused and nothing is written.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 5, {1}), Parameter::one_of("d", {0, 1, 3, 5, 7, 33, 127, 4095})},
       {{Level::smoke, {1, 1}}, {Level::smoke, {2, 3}}, {Level::smoke, {2, 127}}, {Level::smoke, {1, 0}}},
       odd_width},
      {"pos_11_bad_attributes",
       "POS-11",
       "A position, base or layout outside the definition is refused.",
       sinusoidal,
       float_dtypes(),
       {Parameter::choice("fault",
                          {"first-negative", "first-far-negative", "base-one", "base-below-one", "base-zero",
                           "base-negative", "base-nan", "base-inf", "layout-2", "layout-negative"})},
       {{Level::smoke, {0}},
        {Level::smoke, {1}},
        {Level::smoke, {2}},
        {Level::smoke, {3}},
        {Level::smoke, {4}},
        {Level::smoke, {5}},
        {Level::smoke, {6}},
        {Level::smoke, {7}},
        {Level::smoke, {8}},
        {Level::smoke, {9}}},
       bad_attributes},
      {"pos_11_no_rows",
       "POS-11",
       "A table without rows is a legal answer.",
       sinusoidal,
       float_dtypes(),
       {pairs, first, Parameter::choice("memory", {"dense", "padded"})},
       {{Level::smoke, {1, 0, 0}}, {Level::smoke, {3, 5, 1}}},
       no_rows},
      {"pos_12_table_of_width_2",
       "POS-12",
       "The table for d = 2, n = 3 as printed.",
       sinusoidal,
       float_dtypes(),
       {},
       {},
       table_of_width_2},
      {"pos_12_table_of_width_6",
       "POS-12",
       "The table for d = 6, n = 4 as printed, slow columns told apart.",
       sinusoidal,
       float_dtypes(),
       {},
       {},
       table_of_width_6},
  };
}

}  // namespace etalon::position
