// EMB: the laws of embed, one_hot and embed_product, and of matmul with one-hot factors.
#include <algorithm>
#include <array>
#include <cmath>

#include "properties/cases.hpp"
#include "properties/embedding_calls.hpp"
#include "properties/embedding_parts.hpp"
#include "properties/law.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// The tensors of a lookup: out(i, j) is due table(ids(i), j).
struct Lookup {
  Tensor table;
  Tensor ids;
  Tensor out;

  std::uint64_t due(std::int64_t index) const {
    const std::int64_t d = table.shape()[1];
    return table.bits(ids.integer(index / d) * d + index % d);
  }
};

Lookup lookup_of(const Trial& trial, Pattern pattern) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  return {trial.input("table", {trial["V"], d}, pattern, layout_of(trial, "table_layout")),
          ids_laid_out(trial, "ids", n, trial["V"], layout_of(trial, "ids_layout")),
          trial.output({n, d}, layout_of(trial, "out_layout"))};
}

// EMB-1: Emb(tau) = E[iota(tau), :]: the one-row result for each id is the row of that id.
void row_of_id(Trial& trial) {
  const std::int64_t rows = trial["V"];
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {rows, d}, Pattern::bits);
  for (std::int64_t id = 0; id < rows && !trial.settled(); ++id) {
    Tensor ids = ids_from(trial, {id});
    Tensor out = trial.output({1, d});
    if (!embed(trial, table, ids, out)) return;
    trial.judge_bits("out", out, [&](std::int64_t j) { return table.bits(id * d + j); });
  }
}

// EMB-4: X[i, :] = E[k_i, :], in every layout of table, ids and out.
void sequence_stacks_rows(Trial& trial) {
  Lookup lookup = lookup_of(trial, Pattern::bits);
  if (!embed(trial, lookup.table, lookup.ids, lookup.out)) return;
  trial.judge_bits("out", lookup.out, [&](std::int64_t i) { return lookup.due(i); });
}

// Patterns that a copy through arithmetic or another format changes: zeros of both signs, subnormals at
// both ends, the extremes, infinities, quiet and signalling NaNs with sign and payload.
std::array<std::uint64_t, 14> fragile_bits(const Format& format) {
  const std::uint64_t sign = std::uint64_t{1} << (format.bits - 1);
  const std::uint64_t infinity = encode(format, HUGE_VAL);
  const std::uint64_t quiet = std::uint64_t{1} << (format.precision - 2);
  const std::uint64_t least_normal = encode(format, format.smallest_normal());
  return {sign,
          1,
          sign | 1,
          least_normal - 1,
          least_normal,
          encode(format, format.largest_finite()),
          infinity,
          sign | infinity,
          infinity | 1,
          sign | infinity | (quiet - 1),
          infinity | quiet,
          sign | infinity | quiet | 5,
          infinity | quiet | (quiet - 1),
          encode(format, 0.1)};
}

// EMB-7: bits(X[i, j]) = bits(E[k_i, j]) for every bit pattern.
void copy_is_exact(Trial& trial) {
  Lookup lookup = lookup_of(trial, Pattern::bits);
  const auto fragile = fragile_bits(trial.format());
  const std::int64_t first_row = lookup.ids.elements() > 0 ? lookup.ids.integer(0) : 0;
  const std::int64_t d = trial["d"];
  for (std::int64_t j = 0; j < d; ++j) {
    const std::size_t k = static_cast<std::size_t>(trial["V"] + j) % fragile.size();
    lookup.table.set_bits(first_row * d + j, fragile[k]);
  }
  if (!embed(trial, lookup.table, lookup.ids, lookup.out)) return;
  trial.judge_bits("out", lookup.out, [&](std::int64_t i) { return lookup.due(i); });
}

// EMB-9: V = 3, d = 2; the rows belong to 私, 猫, 好き.
constexpr std::array<double, 6> example_table = {0.2, 0.5, -0.1, 0.7, 0.8, -0.3};

// EMB-9: T = I, so X = E; Emb(猫) = (-0.1, 0.7).
void worked_example(Trial& trial) {
  Tensor table(trial.dtype(), {3, 2});
  for (std::int64_t i = 0; i < 6; ++i) table.set(i, example_table[static_cast<std::size_t>(i)]);
  Tensor ids = ids_from(trial, {0, 1, 2});
  const Tensor x = embedded(trial, table, ids);
  trial.judge_bits("out", x, [&](std::int64_t i) {
    return encode(trial.format(), example_table[static_cast<std::size_t>(i)]);
  });
  Tensor cat = ids_from(trial, {1});
  const Tensor row = embedded(trial, table, cat);
  trial.judge_bits("out", row, [&](std::int64_t j) { return encode(trial.format(), j == 0 ? -0.1 : 0.7); });
}

std::vector<Parameter> lookup_parameters() {
  return {Parameter::range("n", 0, 40, {0, 1, 2, 33}),
          Parameter::range("V", 1, 40, {1, 2, 3}),
          Parameter::range("d", 1, 40, {1, 2, 3, 7, 31, 33}),
          id_type_parameter(),
          layout_parameter("table_layout"),
          layout_parameter("ids_layout"),
          layout_parameter("out_layout")};
}

std::vector<Law> lookup_laws() {
  return {
      {"emb_1_row_of_id",
       "EMB-1",
       "the row of an id, asked for alone, is the table's row of that number",
       {"embed"},
       float_dtypes(),
       {Parameter::range("V", 1, 24, {1, 2, 3}), Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}),
        id_type_parameter()},
       {{Level::smoke, {3, 2, 0}}, {Level::smoke, {5, 7, 1}}, {Level::standard, {40, 1025, 1}}},
       row_of_id},
      {"emb_4_sequence_stacks_rows",
       "EMB-4",
       "row i is the row of the i-th id, in every layout",
       {"embed"},
       float_dtypes(),
       lookup_parameters(),
       {{Level::smoke, {5, 3, 7, 0, 0, 0, 0}},
        {Level::smoke, {5, 3, 7, 1, 1, 1, 1}},
        {Level::smoke, {4, 5, 3, 1, 2, 3, 2}},
        {Level::smoke, {4, 5, 3, 0, 3, 0, 3}},
        {Level::smoke, {4, 5, 3, 0, 4, 4, 4}},
        {Level::standard, {2048, 1000, 1024, 0, 0, 0, 0}},
        {Level::standard, {257, 300, 1025, 1, 1, 0, 1}},
        {Level::full, {16384, 2000, 1024, 1, 0, 0, 0}}},
       sequence_stacks_rows},
      {"emb_7_copy_is_exact",
       "EMB-7",
       "every bit pattern arrives unchanged: -0, subnormals, Inf, NaN payloads",
       {"embed"},
       float_dtypes(),
       lookup_parameters(),
       {{Level::smoke, {3, 2, 33, 0, 0, 0, 0}},
        {Level::smoke, {3, 2, 33, 1, 1, 1, 1}},
        {Level::standard, {512, 500, 1024, 1, 0, 0, 0}}},
       copy_is_exact},
      {"emb_9_worked_example",
       "EMB-9",
       "the table of 私, 猫, 好き",
       {"embed"},
       float_dtypes(),
       {id_type_parameter()},
       {{Level::smoke, {0}}, {Level::smoke, {1}}},
       worked_example},
  };
}

}  // namespace

std::vector<Law> embedding_laws() {
  std::vector<Law> laws = lookup_laws();
  for (Law& law : embedding_sequence_laws()) laws.push_back(std::move(law));
  for (Law& law : one_hot_laws()) laws.push_back(std::move(law));
  for (Law& law : embedding_domain_laws()) laws.push_back(std::move(law));
  std::stable_sort(laws.begin(), laws.end(), [](const Law& a, const Law& b) { return a.clause < b.clause; });
  return laws;
}

}  // namespace etalon
