// The values of position codes: the sinusoidal definition, the row of position 0.
#include "properties/position_code.hpp"

namespace etalon::position {
namespace {

// POS-2: out[i, 2r] = sin((first + i) w_r), out[i, 2r + 1] = cos((first + i) w_r), w_r = base^(-2r/d).
void judge_table(Trial& trial, const Code& code, std::int64_t n, std::int64_t first, Layout memory) {
  Tensor out = trial.output({n, code.width()}, memory);
  if (!code.ask(out, first)) return;
  const std::int64_t d = code.width();
  trial.judge_bound("out", out, [&](std::int64_t i) { return code.entry(first + i / d, i % d); });
}

void definition(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t first = std::min(trial["first"], largest_position - n);
  const Code code(trial, 2 * trial["pairs"], static_cast<double>(trial["base"]), trial["layout"] == 1);
  judge_table(trial, code, n, first, memory_of(trial));
}

// POS-2: the base is a real number: cut to an integer, or to 32 bits, it gives other frequencies.
void fractional_base(Trial& trial) {
  constexpr double bases[] = {1.5, 10000.5, 1e10};
  const Code code(trial, 2 * trial["pairs"], bases[trial["base"]]);
  judge_table(trial, code, trial["n"], 1, Layout::dense);
}

// POS-2 at the sizes of real models, one case each: no single row can hide in them.
void table_512(Trial& trial) { judge_table(trial, Code(trial, 512, 10000), 512, 0, Layout::dense); }
void table_from_2_20(Trial& trial) {
  judge_table(trial, Code(trial, 64, 10000), 2048, 1048576, Layout::dense);
}

// POS-2: a frequency or a row built by repeated multiplication drifts: the last rows show it.
void last_rows(Trial& trial) {
  constexpr std::int64_t n = 8192;
  constexpr std::int64_t d = 64;
  constexpr std::int64_t shown = 256;
  const Code code(trial, d, 10000);
  Tensor out = trial.output({n, d});
  if (!code.ask(out, 0)) return;
  Tensor tail = trial.output({shown, d});
  for (std::int64_t i = 0; i < shown * d; ++i) tail.set_bits(i, out.bits((n - shown) * d + i));
  trial.judge_bound("the last rows of out", tail,
                    [&](std::int64_t i) { return code.entry(n - shown + i / d, i % d); });
}

// POS-3: PE(0) = (0, 1, 0, 1, ...), the same bits, +0 included.
void row_zero(Trial& trial) {
  const bool halves = trial["layout"] == 1;
  const std::int64_t d = 2 * trial["pairs"];
  const Code code(trial, d, static_cast<double>(trial["base"]), halves);
  Tensor out = trial.output({trial["n"], d});
  if (!code.ask(out, 0)) return;
  Tensor row = trial.output({d});
  for (std::int64_t c = 0; c < d; ++c) row.set_bits(c, out.bits(c));
  const std::uint64_t one = encode(trial.format(), 1);
  trial.judge_bits("row 0 of out", row, [&](std::int64_t c) {
    const bool is_cosine = halves ? c >= d / 2 : c % 2 == 1;
    return is_cosine ? one : std::uint64_t{0};
  });
}

std::vector<Example> definition_examples() {
  // n, pairs, first, base, layout, memory
  std::vector<Example> examples = {
      {Level::smoke, {2, 2, 0, 10000, 0, 0}},        // d = 4, pos = 1: layout, divisor, exponent of a column
      {Level::smoke, {2, 2, 0, 10000, 1, 0}},        // the declared variant
      {Level::smoke, {4, 3, 0, 10000, 0, 0}},        // d = 6
      {Level::smoke, {1, 1, 1, 10000, 0, 0}},        // d = 2: hides the layout, shows the origin
      {Level::standard, {3, 2048, 7, 10000, 0, 0}},  // d = 4096
      {Level::standard, {3, 2048, 7, 500000, 1, 0}},
  };
  for (const std::int64_t first : telling_positions()) {
    examples.push_back({first < 3000 ? Level::smoke : Level::standard, {1, 4, first, 10000, 0, 0}});
    examples.push_back({Level::standard, {1, 32, first, 500000, 0, 0}});
  }
  for (const std::int64_t base : base_values()) examples.push_back({Level::standard, {5, 4, 3, base, 0, 0}});
  for (int memory = 1; memory < layout_count; ++memory) {
    examples.push_back({Level::smoke, {3, 2, 5, 10000, 0, memory}});
  }
  return examples;
}

}  // namespace

std::vector<Law> value_laws() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const Parameter base = Parameter::one_of("base", base_values());
  const Parameter layout = Parameter::choice("layout", {"interleaved", "halves"});
  const Parameter first = Parameter::range("first", 0, largest_position, telling_positions());
  return {
      {"pos_2_definition",
       "POS-2",
       "Every entry is the sine or cosine of its position times its frequency.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 0, 40, {0, 1, 2}), Parameter::range("pairs", 1, 2048, {1, 2, 3, 32}), first,
        base, layout, memory_parameter()},
       definition_examples(),
       definition},
      {"pos_2_fractional_base",
       "POS-2",
       "A base between two integers is neither of them, and a large one is not cut.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 16, {1, 2}), Parameter::range("pairs", 2, 64, {2, 3}),
        Parameter::choice("base", {"1.5", "10000.5", "1e10"})},
       {{Level::smoke, {3, 3, 0}}, {Level::smoke, {16, 3, 1}}, {Level::smoke, {3, 3, 2}}},
       fractional_base},
      {"pos_2_table_512x512",
       "POS-2",
       "A table as wide and long as those of the first models.",
       sinusoidal,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       table_512},
      {"pos_2_table_from_2_20",
       "POS-2",
       "A table that starts a million tokens into a text.",
       sinusoidal,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       table_from_2_20},
      {"pos_2_last_rows",
       "POS-2",
       "The last rows of a long table are as good as the first.",
       sinusoidal,
       float_dtypes(),
       {},
       {{Level::standard, {}}},
       last_rows},
      {"pos_3_row_zero",
       "POS-3",
       "The row of position zero is 0, 1, 0, 1, ... exactly.",
       sinusoidal,
       float_dtypes(),
       {Parameter::range("n", 1, 8, {1, 2}), Parameter::range("pairs", 1, 2048, {1, 2, 3, 256}), base,
        layout},
       {{Level::smoke, {1, 1, 10000, 0}},
        {Level::smoke, {2, 3, 10000, 0}},
        {Level::smoke, {2, 3, 10000, 1}},
        {Level::standard, {1, 2048, 500000, 0}}},
       row_zero},
  };
}

}  // namespace etalon::position
