// Learned position codes: rows of a table, bit for bit, as far as the table goes (POS-1).
#include "properties/position_code.hpp"

namespace etalon::position {
namespace {

// POS-1: out[i, :] = table[first + i, :], the same bits, NaN payloads included.
void learned_lookup(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  const std::int64_t first = trial["first"];
  Tensor table = trial.input("table", {first + n + trial["spare"], d}, Pattern::bits, memory_of(trial));
  Tensor out = trial.output({n, d}, memory_of(trial));
  if (!trial.call("learned_positions", {{"table", &table}, {"out", &out}}, {"out"},
                  {{"first", static_cast<double>(first)}})) {
    return;
  }
  trial.judge_bits("out", out, [&](std::int64_t i) { return table.bits(first * d + i); });
}

// POS-1: first < 0 or first + n > N: INVALID_ARGUMENT, nothing written. Attributes are doubles: 2^53 is the
// largest integer that every one of them carries.
void learned_beyond_table(Trial& trial) {
  constexpr double firsts[] = {0, 1, -1, -0x1p53, 0x1p31, 0x1p32, 0x1p53};
  const double beyond = firsts[trial["start"]];
  const std::int64_t rows = trial["rows"];
  Tensor table = trial.input("table", {rows, 3}, Pattern::unit);
  Tensor out = trial.output({rows + (beyond == 0 ? 1 : 0), 3});
  trial.call_expecting(Status::invalid_argument, "learned_positions", {{"table", &table}, {"out", &out}},
                       {"out"}, {{"first", beyond}});
}

// POS-1: rows beside the powers of two at which a position kept in 8 or 16 bits, or in f16, goes astray.
void learned_far_rows(Trial& trial) {
  constexpr std::int64_t d = 2;
  const std::int64_t first = trial["first"];
  Tensor table = trial.input("table", {first + 3, d}, Pattern::bits);
  Tensor out = trial.output({3, d});
  if (!trial.call("learned_positions", {{"table", &table}, {"out", &out}}, {"out"},
                  {{"first", static_cast<double>(first)}})) {
    return;
  }
  trial.judge_bits("out", out, [&](std::int64_t i) { return table.bits(first * d + i); });
}

}  // namespace

std::vector<Law> learned_laws() {
  const std::vector<std::string_view> learned = {"learned_positions"};
  return {
      {"pos_1_learned_lookup",
       "POS-1",
       "A learned code is looked up by position, bit for bit.",
       learned,
       float_dtypes(),
       {Parameter::range("n", 0, 130, {0, 1, 33}), Parameter::range("d", 1, 1025, {1, 3, 7}),
        Parameter::range("first", 0, 50, {0, 1}), Parameter::range("spare", 0, 5, {0}), memory_parameter()},
       {{Level::smoke, {2, 3, 1, 1, 0}},
        {Level::smoke, {0, 3, 2, 0, 0}},
        {Level::smoke, {3, 2, 2, 0, 1}},
        {Level::standard, {9, 1025, 3, 0, 0}},
        {Level::standard, {130, 3, 5, 2, 0}}},
       learned_lookup},
      {"pos_1_learned_beyond_table",
       "POS-1",
       "A position beyond the learned table is refused and nothing is written.",
       learned,
       float_dtypes(),
       {Parameter::choice("start",
                          {"one-row-more", "shifted", "negative", "far-negative", "2^31", "2^32", "2^53"}),
        Parameter::range("rows", 1, 9, {1, 2})},
       {{Level::smoke, {0, 4}},
        {Level::smoke, {1, 4}},
        {Level::smoke, {2, 4}},
        {Level::smoke, {3, 4}},
        {Level::smoke, {4, 1}},
        {Level::smoke, {5, 1}},
        {Level::smoke, {6, 1}}},
       learned_beyond_table},
      {"pos_1_learned_far_rows",
       "POS-1",
       "A row is found however far into the table it lies.",
       learned,
       float_dtypes(),
       {Parameter::one_of("first", {126, 254, 2047, 32766, 65534})},
       {{Level::smoke, {254}},
        {Level::smoke, {126}},
        {Level::standard, {2047}},
        {Level::standard, {32766}},
        {Level::standard, {65534}}},
       learned_far_rows,
       nullptr,
       false},
  };
}

}  // namespace etalon::position
