// EMB-4, EMB-6: how results of different sequences and of different numberings hang together. These laws
// compare the subject with itself.
#include <numeric>

#include "properties/cases.hpp"
#include "properties/embedding_calls.hpp"
#include "properties/embedding_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

std::vector<std::int64_t> drawn_ids(const Trial& trial, std::string_view label) {
  Stream words = trial.stream(label);
  std::vector<std::int64_t> values(static_cast<std::size_t>(trial[label]));
  for (std::int64_t& value : values) value = words.between(0, trial["V"] - 1);
  return values;
}

// Fisher-Yates over 0 .. count-1.
std::vector<std::int64_t> permutation(const Trial& trial, std::int64_t count) {
  Stream words = trial.stream("permutation");
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(words.below(i))]);
  }
  return order;
}

// EMB-4: X(k o pi)[i, :] = X(k)[pi(i), :].
void permutation_permutes_rows(Trial& trial) {
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {trial["V"], d}, Pattern::bits);
  const std::vector<std::int64_t> sequence = drawn_ids(trial, "n");
  const std::vector<std::int64_t> order = permutation(trial, trial["n"]);
  std::vector<std::int64_t> permuted;
  for (const std::int64_t i : order) permuted.push_back(sequence[static_cast<std::size_t>(i)]);
  Tensor ids = ids_from(trial, sequence);
  Tensor permuted_ids = ids_from(trial, permuted);
  const Tensor x = embedded(trial, table, ids);
  const Tensor y = embedded(trial, table, permuted_ids);
  trial.judge_bits("out", y, [&](std::int64_t index) {
    return x.bits(order[static_cast<std::size_t>(index / d)] * d + index % d);
  });
}

// EMB-4: X(uv) is X(u) above X(v).
void concatenation_stacks(Trial& trial) {
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {trial["V"], d}, Pattern::bits);
  const std::vector<std::int64_t> left = drawn_ids(trial, "left");
  const std::vector<std::int64_t> right = drawn_ids(trial, "right");
  std::vector<std::int64_t> both = left;
  both.insert(both.end(), right.begin(), right.end());
  Tensor left_ids = ids_from(trial, left);
  Tensor right_ids = ids_from(trial, right);
  Tensor both_ids = ids_from(trial, both);
  const Tensor u = embedded(trial, table, left_ids);
  const Tensor v = embedded(trial, table, right_ids);
  const Tensor uv = embedded(trial, table, both_ids);
  trial.judge_bits("out", uv, [&](std::int64_t index) {
    return index < u.elements() ? u.bits(index) : v.bits(index - u.elements());
  });
}

// EMB-4: a sub-sequence gives the rows at its places.
void subsequence_gives_subrows(Trial& trial) {
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {trial["V"], d}, Pattern::bits);
  const std::vector<std::int64_t> sequence = drawn_ids(trial, "n");
  Stream words = trial.stream("places");
  std::vector<std::int64_t> places;
  std::vector<std::int64_t> part;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    if (words.below(2) == 0) continue;
    places.push_back(static_cast<std::int64_t>(i));
    part.push_back(sequence[i]);
  }
  Tensor ids = ids_from(trial, sequence);
  Tensor part_ids = ids_from(trial, part);
  const Tensor x = embedded(trial, table, ids);
  const Tensor y = embedded(trial, table, part_ids);
  trial.judge_bits("out", y, [&](std::int64_t index) {
    return x.bits(places[static_cast<std::size_t>(index / d)] * d + index % d);
  });
}

// EMB-4: equal ids give equal rows.
void repeated_id_repeats_row(Trial& trial) {
  const std::int64_t d = trial["d"];
  const std::int64_t id = trial.stream("id").between(0, trial["V"] - 1);
  Tensor table = trial.input("table", {trial["V"], d}, Pattern::bits);
  Tensor ids = ids_from(trial, std::vector<std::int64_t>(static_cast<std::size_t>(trial["n"]), id));
  const Tensor x = embedded(trial, table, ids);
  trial.judge_bits("out", x, [&](std::int64_t index) { return x.bits(index % d); });
}

// EMB-6: E'[p(k), :] = E[k, :] and ids p(k_i) give the same rows.
void relabelling_changes_nothing(Trial& trial) {
  const std::int64_t rows = trial["V"];
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {rows, d}, Pattern::bits);
  const std::vector<std::int64_t> p = permutation(trial, rows);
  Tensor moved(trial.dtype(), {rows, d});
  for (std::int64_t k = 0; k < rows; ++k) {
    for (std::int64_t j = 0; j < d; ++j) {
      moved.set_bits(p[static_cast<std::size_t>(k)] * d + j, table.bits(k * d + j));
    }
  }
  const std::vector<std::int64_t> sequence = drawn_ids(trial, "n");
  std::vector<std::int64_t> relabelled;
  for (const std::int64_t k : sequence) relabelled.push_back(p[static_cast<std::size_t>(k)]);
  Tensor ids = ids_from(trial, sequence);
  Tensor new_ids = ids_from(trial, relabelled);
  const Tensor x = embedded(trial, table, ids);
  const Tensor y = embedded(trial, moved, new_ids);
  trial.judge_bits("out", y, [&](std::int64_t index) { return x.bits(index); });
}

std::vector<Parameter> sequence_parameters() {
  return {Parameter::range("n", 0, 40, {0, 1, 2}), Parameter::range("V", 1, 40, {1, 2, 3}),
          Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}), id_type_parameter()};
}

}  // namespace

std::vector<Law> embedding_sequence_laws() {
  return {
      {"emb_4_permutation_permutes_rows",
       "EMB-4",
       "permuting the sequence permutes the rows",
       {"embed"},
       float_dtypes(),
       sequence_parameters(),
       {{Level::smoke, {7, 5, 3, 0}}, {Level::standard, {1000, 100, 33, 1}}},
       permutation_permutes_rows},
      {"emb_4_concatenation_stacks",
       "EMB-4",
       "a concatenation gives one result below the other",
       {"embed"},
       float_dtypes(),
       {Parameter::range("left", 0, 40, {0, 1}), Parameter::range("right", 0, 40, {0, 1}),
        Parameter::range("V", 1, 40, {1, 2, 3}), Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}),
        id_type_parameter()},
       {{Level::smoke, {0, 3, 5, 3, 0}},
        {Level::smoke, {4, 3, 5, 7, 1}},
        {Level::standard, {500, 301, 99, 33, 0}}},
       concatenation_stacks},
      {"emb_4_subsequence_gives_subrows",
       "EMB-4",
       "a sub-sequence gives the rows at its places",
       {"embed"},
       float_dtypes(),
       sequence_parameters(),
       {{Level::smoke, {9, 5, 3, 1}}, {Level::standard, {1000, 100, 33, 0}}},
       subsequence_gives_subrows},
      {"emb_4_repeated_id_repeats_row",
       "EMB-4",
       "equal ids give equal rows",
       {"embed"},
       float_dtypes(),
       sequence_parameters(),
       {{Level::smoke, {5, 3, 7, 0}}, {Level::standard, {1000, 100, 33, 1}}},
       repeated_id_repeats_row},
      {"emb_6_relabelling_changes_nothing",
       "EMB-6",
       "ids and rows renumbered alike give the same rows",
       {"embed"},
       float_dtypes(),
       sequence_parameters(),
       {{Level::smoke, {5, 3, 2, 0}}, {Level::standard, {300, 1000, 33, 1}}},
       relabelling_changes_nothing},
  };
}

}  // namespace etalon
