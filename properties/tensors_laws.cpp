// TEN: the laws of tensors as arguments. The operations only copy or are exact on small integers here,
// so that every wrong element shows in its bits.
#include <cmath>

#include "properties/combination.hpp"
#include "properties/tensors_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// embed with the layouts of the case; a table whose bits count its elements in row order.
struct Counted {
  Tensor table;
  Tensor ids;
  Tensor out;

  explicit Counted(const Trial& trial)
      : table(trial.dtype(), {trial["V"], trial["d"]}, layout_of(trial, "table_layout")),
        ids(ids_laid_out(trial, "ids", trial["n"], trial["V"], layout_of(trial, "ids_layout"))),
        out(trial.output({trial["n"], trial["d"]}, layout_of(trial, "out_layout"))) {
    for (std::int64_t i = 0; i < table.elements(); ++i) table.set_bits(i, count(i));
  }

  // Finite and normal in every format.
  std::uint64_t count(std::int64_t index) const {
    const Format& format = format_of(table.dtype());
    return (std::uint64_t{0x30} << (format.bits - 8)) + static_cast<std::uint64_t>(index);
  }

  bool run(Trial& trial) {
    return trial.call("embed", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"});
  }

  void judge(Trial& trial) const {
    const std::int64_t d = table.shape()[1];
    trial.judge_bits("out", out, [&](std::int64_t i) { return count(ids.integer(i / d) * d + i % d); });
  }
};

// TEN-1: element (k, j) of a table of width d is number k d + j in row order.
void last_index_runs_fastest(Trial& trial) {
  Counted lookup(trial);
  if (lookup.run(trial)) lookup.judge(trial);
}

// TEN-1: a batch of one is the sequence itself, number for number (exact on integers).
void batch_of_one_is_the_sequence(Trial& trial) {
  Combination flat(trial, {trial["n"], trial["d"]}, kind_of(trial), 3);
  Combination batch(trial, {1, trial["n"], trial["d"]}, kind_of(trial), 3);
  for (Combination* z : {&flat, &batch}) {
    z->x = trial.input("x", z->shape, Pattern::lattice);
    z->p = trial.input("p", z->row_shape(), Pattern::lattice);
    z->out = trial.output(z->shape);
    if (z->run()) z->judge_exact_integers();
  }
}

// TEN-2: offset = sum of i_a s_a: the same elements under other strides give the same result.
void strides_in_combine(Trial& trial) {
  Combination z(trial, batch_shape(trial), kind_of(trial), 3);
  z.x = trial.input("x", z.shape, Pattern::lattice, layout_of(trial, "x_layout"));
  z.p = trial.input("p", z.row_shape(), Pattern::lattice, layout_of(trial, "p_layout"));
  z.out = trial.output(z.shape, layout_of(trial, "out_layout"));
  if (z.run()) z.judge_exact_integers();
}

// TEN-2: likewise for the three matrices of a product; a one-hot factor keeps it exact on integers.
void strides_in_matmul(Trial& trial) {
  const std::int64_t k = trial["k"];
  const std::int64_t n = trial["n"];
  Tensor a(trial.dtype(), {trial["m"], k}, layout_of(trial, "a_layout"));
  Tensor b = trial.input("b", {k, n}, Pattern::lattice, layout_of(trial, "b_layout"));
  Tensor c(trial.dtype(), {trial["m"], n}, layout_of(trial, "c_layout"));
  const auto picked = [&](std::int64_t i) { return (2 * i + 1) % k; };
  for (std::int64_t i = 0; i < trial["m"]; ++i) a.set(i * k + picked(i), 1);
  if (!trial.call("matmul", {{"a", &a}, {"b", &b}, {"c", &c}}, {"c"},
                  {{"alpha", 1}, {"beta", 0}, {"transpose_a", 0}, {"transpose_b", 0}})) {
    return;
  }
  trial.judge_bits(
      "c", c, [&](std::int64_t i) { return b.bits(picked(i / n) * n + i % n); }, ZeroSign::ignored);
}

// TEN-6: gaps of the output keep their bytes (every call is checked for it), and the NaNs in the gaps
// of the inputs reach no result.
void gaps_stay_out(Trial& trial) {
  Combination z(trial, batch_shape(trial), kind_of(trial), 3);
  z.x = trial.input("x", z.shape, Pattern::lattice, Layout::padded);
  z.p = trial.input("p", z.row_shape(), Pattern::lattice, Layout::padded);
  z.out = trial.output(z.shape, Layout::padded);
  if (z.run()) z.judge_exact_integers();
}

// TEN-7: what was input is as it was, and every element of the output was written.
void combine_keeps_inputs(Trial& trial) {
  Combination z(trial, batch_shape(trial), kind_of(trial), declared_scale(trial));
  z.x = trial.input("x", z.shape, Pattern::extreme);
  z.p = trial.input("p", z.row_shape(), Pattern::extreme);
  z.out = trial.output(z.shape);
  const Tensor x = z.x.clone();
  const Tensor p = z.p.clone();
  if (!z.run()) return;
  trial.judge_bits("x", z.x, [&](std::int64_t i) { return x.bits(i); });
  trial.judge_bits("p", z.p, [&](std::int64_t i) { return p.bits(i); });
}

// TEN-7: also where the call is refused, and then the output is as it was, too.
void refused_call_changes_nothing(Trial& trial) {
  Counted lookup(trial);
  lookup.ids.set_integer(trial["n"] - 1, trial["V"]);
  trial.call_expecting(Status::invalid_argument, "embed",
                       {{"table", &lookup.table}, {"ids", &lookup.ids}, {"out", &lookup.out}}, {"out"});
}

// TEN-8: inputs may be one and the same memory: Z = c X + X.
void inputs_may_overlap(Trial& trial) {
  Combination z(trial, {trial["n"], trial["d"]}, kind_of(trial), declared_scale(trial));
  z.x = trial.input("x", z.shape, Pattern::unit);
  z.p = z.x;  // a Tensor is a handle: the same memory
  z.out = trial.output(z.shape);
  if (z.run()) z.judge();
}

std::vector<Parameter> counted_parameters() {
  return {Parameter::range("n", 1, 12, {1, 2}),
          Parameter::range("V", 1, 12, {1, 2, 3}),
          Parameter::range("d", 1, 20, {1, 2, 3, 7, 17}),
          id_type_parameter(),
          layout_parameter("table_layout"),
          layout_parameter("ids_layout"),
          layout_parameter("out_layout")};
}

std::vector<Parameter> exact_parameters() {
  return {Parameter::range("B", 0, 3, {0, 2}), Parameter::range("n", 1, 12, {1, 2, 3}),
          Parameter::one_of("d", {1, 4, 16, 64}), Parameter::choice("scale", {"one", "sqrt", "value"})};
}

std::vector<Parameter> with_layouts(std::vector<Parameter> parameters,
                                    std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) parameters.push_back(layout_parameter(name));
  return parameters;
}

std::vector<Law> layout_laws() {
  return {
      {"ten_1_last_index_runs_fastest",
       "TEN-1",
       "the logical order of elements is row order",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 5, 0, 0, 0, 0}}, {Level::smoke, {3, 4, 5, 1, 2, 0, 2}}},
       last_index_runs_fastest},
      {"ten_1_batch_of_one_is_the_sequence",
       "TEN-1",
       "an extent of one changes no number",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 1, 12, {1, 2, 3}), Parameter::one_of("d", {1, 4, 16, 64}),
        Parameter::choice("scale", {"one", "sqrt", "value"})},
       {{Level::smoke, {3, 4, 1}}},
       batch_of_one_is_the_sequence},
      {"ten_2_strides_in_embed",
       "TEN-2",
       "every layout of table, ids and out is honoured",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 5, 0, 1, 1, 1}},
        {Level::smoke, {3, 4, 5, 0, 2, 1, 2}},
        {Level::smoke, {3, 4, 5, 1, 2, 0, 0}},
        {Level::smoke, {3, 4, 5, 1, 0, 0, 2}}},
       last_index_runs_fastest},
      {"ten_2_strides_in_combine",
       "TEN-2",
       "every layout of x, p and out is honoured",
       {"combine"},
       float_dtypes(),
       with_layouts(exact_parameters(), {"x_layout", "p_layout", "out_layout"}),
       {{Level::smoke, {0, 3, 4, 1, 1, 1, 1}},
        {Level::smoke, {2, 3, 4, 0, 2, 2, 2}},
        {Level::smoke, {2, 3, 4, 2, 2, 0, 0}},
        {Level::smoke, {2, 3, 4, 2, 0, 2, 0}},
        {Level::smoke, {2, 3, 4, 2, 0, 0, 2}}},
       strides_in_combine},
      {"ten_2_strides_in_matmul",
       "TEN-2",
       "every layout of a, b and c is honoured",
       {"matmul"},
       float_dtypes(),
       with_layouts({Parameter::range("m", 1, 12, {1, 2, 3}), Parameter::range("k", 1, 12, {1, 2, 5}),
                     Parameter::range("n", 1, 20, {1, 2, 3, 7})},
                    {"a_layout", "b_layout", "c_layout"}),
       {{Level::smoke, {2, 5, 3, 1, 1, 1}},
        {Level::smoke, {2, 5, 3, 2, 0, 0}},
        {Level::smoke, {2, 5, 3, 0, 2, 0}},
        {Level::smoke, {2, 5, 3, 0, 0, 2}}},
       strides_in_matmul},
      {"ten_3_reversed_rows_in_embed",
       "TEN-3",
       "rows may lie in memory from the last to the first",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 5, 0, 3, 0, 0}},
        {Level::smoke, {3, 4, 5, 1, 0, 3, 0}},
        {Level::smoke, {3, 4, 5, 0, 0, 0, 3}},
        {Level::smoke, {3, 4, 5, 0, 3, 3, 3}}},
       last_index_runs_fastest},
      {"ten_3_reversed_rows_in_combine",
       "TEN-3",
       "x, p and out may run backwards",
       {"combine"},
       float_dtypes(),
       with_layouts(exact_parameters(), {"x_layout", "p_layout", "out_layout"}),
       {{Level::smoke, {0, 3, 4, 1, 3, 0, 0}},
        {Level::smoke, {2, 3, 4, 0, 0, 3, 0}},
        {Level::smoke, {2, 3, 4, 0, 0, 0, 3}},
        {Level::smoke, {2, 3, 4, 2, 3, 3, 3}}},
       strides_in_combine},
      {"ten_9_no_alignment_needed_by_embed",
       "TEN-9",
       "tensors may begin at any element",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 17, 0, 4, 4, 4}},
        {Level::smoke, {3, 4, 17, 1, 4, 0, 0}},
        {Level::smoke, {3, 4, 17, 1, 0, 0, 4}}},
       last_index_runs_fastest},
      {"ten_9_no_alignment_needed_by_combine",
       "TEN-9",
       "x, p and out may begin at any element",
       {"combine"},
       float_dtypes(),
       with_layouts(exact_parameters(), {"x_layout", "p_layout", "out_layout"}),
       {{Level::smoke, {0, 3, 64, 1, 4, 4, 4}},
        {Level::smoke, {2, 3, 16, 2, 4, 0, 0}},
        {Level::smoke, {2, 3, 16, 0, 0, 4, 0}}},
       strides_in_combine},
  };
}

std::vector<Law> ownership_laws() {
  std::vector<Parameter> combine_parameters = {
      Parameter::range("B", 0, 3, {0, 2}), Parameter::range("n", 1, 12, {1, 2}),
      Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}), Parameter::choice("scale", {"one", "sqrt", "value"}),
      declared_scale_parameter()};
  return {
      {"ten_6_gaps_stay_out",
       "TEN-6",
       "gaps are not written, and what lies in them reaches no result",
       {"combine"},
       float_dtypes(),
       exact_parameters(),
       {{Level::smoke, {0, 3, 4, 1}}, {Level::smoke, {2, 3, 16, 0}}},
       gaps_stay_out},
      {"ten_6_nothing_around_is_written",
       "TEN-6",
       "bytes before the first element and behind the last keep their values",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 7, 0, 0, 0, 0}}, {Level::smoke, {1, 4, 1, 1, 1, 1, 4}}},
       last_index_runs_fastest},
      {"ten_7_combine_keeps_inputs",
       "TEN-7",
       "x and p are as they were",
       {"combine"},
       float_dtypes(),
       combine_parameters,
       {{Level::smoke, {0, 3, 7, 1, 0}}, {Level::smoke, {2, 3, 2, 2, 1}}},
       combine_keeps_inputs},
      {"ten_7_refused_call_changes_nothing",
       "TEN-7",
       "after INVALID_ARGUMENT every tensor is as it was",
       {"embed"},
       float_dtypes(),
       counted_parameters(),
       {{Level::smoke, {3, 4, 5, 0, 0, 0, 0}}, {Level::smoke, {2, 1, 7, 1, 0, 0, 0}}},
       refused_call_changes_nothing},
      {"ten_8_inputs_may_overlap",
       "TEN-8",
       "x and p may be the same memory",
       {"combine"},
       float_dtypes(),
       {Parameter::range("n", 1, 12, {1, 2}), Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}),
        Parameter::choice("scale", {"one", "sqrt", "value"}), declared_scale_parameter()},
       {{Level::smoke, {3, 7, 1, 0}}, {Level::smoke, {3, 2, 0, 0}}, {Level::standard, {64, 512, 1, 0}}},
       inputs_may_overlap},
  };
}

}  // namespace

std::vector<Law> tensors_laws() {
  std::vector<Law> laws = layout_laws();
  for (Law& law : view_laws()) laws.push_back(std::move(law));
  for (Law& law : ownership_laws()) laws.push_back(std::move(law));
  return laws;
}

}  // namespace etalon
