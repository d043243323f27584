// EMB-2, EMB-3, EMB-5, EMB-9: one-hot rows, and the products that pick rows of a table with them.
#include <cmath>

#include "properties/bounds/linear.hpp"
#include "properties/cases.hpp"
#include "properties/embedding_parts.hpp"
#include "properties/trial.hpp"
#include "reference/oracle/linear.hpp"

namespace etalon {
namespace {

constexpr Pattern finite_patterns[] = {Pattern::lattice, Pattern::unit, Pattern::wide, Pattern::extreme};

Parameter pattern_parameter() { return Parameter::choice("pattern", {"lattice", "unit", "wide", "extreme"}); }

Pattern pattern_of(const Trial& trial) { return finite_patterns[static_cast<std::size_t>(trial["pattern"])]; }

std::uint64_t one_hot_bits(const Format& format, std::int64_t id, std::int64_t k) {
  return encode(format, k == id ? 1 : 0);
}

// EMB-2: T[i, k] = 1 if k = ids[i], else +0.
void one_at_its_place(Trial& trial) {
  const std::int64_t rows = trial["V"];
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], rows, layout_of(trial, "ids_layout"));
  Tensor out = trial.output({trial["n"], rows}, layout_of(trial, "out_layout"));
  if (!trial.call("one_hot", {{"ids", &ids}, {"out", &out}}, {"out"})) return;
  trial.judge_bits("out", out, [&](std::int64_t i) {
    return one_hot_bits(trial.format(), ids.integer(i / rows), i % rows);
  });
}

// EMB-2: every entry is 0 or 1, and each row sums to 1: exactly one 1.
void rows_sum_to_one(Trial& trial) {
  const std::int64_t rows = trial["V"];
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], rows, Layout::dense);
  Tensor out = trial.output({trial["n"], rows});
  if (!trial.call("one_hot", {{"ids", &ids}, {"out", &out}}, {"out"})) return;
  for (std::int64_t i = 0; i < trial["n"]; ++i) {
    std::int64_t ones = 0;
    std::int64_t zeros = 0;
    for (std::int64_t k = 0; k < rows; ++k) {
      ones += out.value(i * rows + k) == 1 ? 1 : 0;
      zeros += out.value(i * rows + k) == 0 ? 1 : 0;
    }
    trial.expect(ones == 1 && zeros == rows - 1, "row " + std::to_string(i) + " has " + std::to_string(ones) +
                                                     " ones and " + std::to_string(zeros) + " zeros");
  }
}

// A product with one-hot rows: entry (i, j) of the result is due table(ids(i), j).
struct Selection {
  const Tensor& table;
  const Tensor& ids;

  std::int64_t source(std::int64_t i, std::int64_t j) const { return ids.integer(i) * table.shape()[1] + j; }

  // The bound of the declared model, for subjects whose products are narrower than the dtype.
  Expected expected(const Model& model, std::int64_t i, std::int64_t j) const {
    const std::int64_t rows = table.shape()[0];
    std::vector<double> hot(static_cast<std::size_t>(rows));
    std::vector<double> column(hot.size());
    hot[static_cast<std::size_t>(ids.integer(i))] = 1;
    for (std::int64_t k = 0; k < rows; ++k) {
      column[static_cast<std::size_t>(k)] = table.value(k * table.shape()[1] + j);
    }
    const oracle::Dot dot = oracle::gemm_entry(1, hot.data(), 1, column.data(), 1, rows, 0, 0);
    return bounds::matmul_expected(model, format_of(table.dtype()), rows, 1, dot, 0, 0);
  }
};

// EMB-3: adding zeros to 1 e is exact in every order. Of the row's bits only the sign of a zero may be
// lost, and subnormals where their flush is declared.
void judge_selection(Trial& trial, const Tensor& out, std::string_view operation, const Selection& due,
                     bool transposed) {
  const std::int64_t width = out.shape()[1];
  const auto row_of = [&](std::int64_t index) { return transposed ? index % width : index / width; };
  const auto column_of = [&](std::int64_t index) { return transposed ? index / width : index % width; };
  const Model& model = trial.model(operation);
  if (keeps_values(model, trial.dtype())) {
    trial.judge_bits(
        "out", out,
        [&](std::int64_t i) {
          return or_flushed(model, trial.format(), due.table.bits(due.source(row_of(i), column_of(i))),
                            out.bits(i));
        },
        ZeroSign::ignored);
  } else {
    trial.judge_bound("out", out,
                      [&](std::int64_t i) { return due.expected(model, row_of(i), column_of(i)); });
  }
}

// EMB-3: u_k E = E[k, :] for finite E, in every order of summation.
void product_selects_row(Trial& trial) {
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {trial["V"], d}, pattern_of(trial), layout_of(trial, "table_layout"));
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], trial["V"], layout_of(trial, "ids_layout"));
  Tensor out = trial.output({trial["n"], d}, layout_of(trial, "out_layout"));
  if (!trial.call("embed_product", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"})) return;
  judge_selection(trial, out, "embed_product", {table, ids}, false);
}

// EMB-3: the lookup is the definition: NaN and Inf in rows that no id names stay there.
void lookup_ignores_unused_rows(Trial& trial) {
  const std::int64_t rows = trial["V"];
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {rows, d}, Pattern::extreme);
  Tensor ids =
      ids_laid_out(trial, "ids", trial["n"], (rows + 1) / 2, Layout::dense);  // the upper half is unused
  const double bad[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
  for (std::int64_t i = (rows + 1) / 2 * d; i < rows * d; ++i) table.set(i, bad[i % 3]);
  Tensor out = trial.output({trial["n"], d});
  if (!trial.call("embed", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"})) return;
  trial.judge_bits("out", out, [&](std::int64_t i) { return table.bits(ids.integer(i / d) * d + i % d); });
}

Tensor one_hot_of(const Trial& trial, const Tensor& ids, std::int64_t rows) {
  Tensor hot(trial.dtype(), {ids.elements(), rows});
  for (std::int64_t i = 0; i < ids.elements(); ++i) hot.set(i * rows + ids.integer(i), 1);
  return hot;
}

// c = op(a) op(b), with c zero before.
bool multiply(Trial& trial, Tensor& a, Tensor& b, Tensor& c, bool transposed) {
  const double flag = transposed ? 1 : 0;
  return trial.call("matmul", {{"a", &a}, {"b", &b}, {"c", &c}}, {"c"},
                    {{"alpha", 1}, {"beta", 0}, {"transpose_a", flag}, {"transpose_b", flag}});
}

// EMB-3: X = T E by a general matrix product.
void one_hot_matmul_selects_rows(Trial& trial) {
  Tensor table = trial.input("table", {trial["V"], trial["d"]}, pattern_of(trial));
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], trial["V"], Layout::dense);
  Tensor hot = one_hot_of(trial, ids, trial["V"]);
  Tensor x(trial.dtype(), {trial["n"], trial["d"]});
  if (!multiply(trial, hot, table, x, false)) return;
  judge_selection(trial, x, "matmul", {table, ids}, false);
}

// EMB-5: E^T T^T = X^T; one column of it is E^T e_k.
void column_convention(Trial& trial) {
  Tensor table = trial.input("table", {trial["V"], trial["d"]}, pattern_of(trial));
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], trial["V"], Layout::dense);
  Tensor hot = one_hot_of(trial, ids, trial["V"]);
  Tensor x(trial.dtype(), {trial["d"], trial["n"]});
  if (!multiply(trial, table, hot, x, true)) return;
  judge_selection(trial, x, "matmul", {table, ids}, true);
}

Tensor first_ids(const Trial& trial, std::int64_t count) {
  Tensor ids(id_type_of(trial), {count});
  for (std::int64_t i = 0; i < count; ++i) ids.set_integer(i, i);
  return ids;
}

// EMB-9: the sequence (1, 2, 3) over three types has T = I; u_2 = (0, 1, 0).
void worked_example_one_hot(Trial& trial) {
  Tensor ids = first_ids(trial, 3);
  Tensor out = trial.output({3, 3});
  if (!trial.call("one_hot", {{"ids", &ids}, {"out", &out}}, {"out"})) return;
  trial.judge_bits("out", out, [&](std::int64_t i) { return one_hot_bits(trial.format(), i / 3, i % 3); });
}

// EMB-9: T E = E for T = I.
void worked_example_product(Trial& trial) {
  constexpr double numbers[] = {0.2, 0.5, -0.1, 0.7, 0.8, -0.3};
  Tensor table(trial.dtype(), {3, 2});
  for (std::int64_t i = 0; i < 6; ++i) table.set(i, numbers[i]);
  Tensor ids = first_ids(trial, 3);
  Tensor out = trial.output({3, 2});
  if (!trial.call("embed_product", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"})) return;
  judge_selection(trial, out, "embed_product", {table, ids}, false);
}

std::vector<Parameter> product_parameters() {
  return {Parameter::range("n", 0, 24, {0, 1, 2}), Parameter::range("V", 1, 40, {1, 2, 3}),
          Parameter::range("d", 1, 40, {1, 2, 3, 7, 33}), id_type_parameter(), pattern_parameter()};
}

std::vector<Parameter> product_parameters_with_layouts() {
  std::vector<Parameter> parameters = product_parameters();
  for (const auto name : {"table_layout", "ids_layout", "out_layout"})
    parameters.push_back(layout_parameter(name));
  return parameters;
}

std::vector<Law> row_laws() {
  return {
      {"emb_2_one_at_its_place",
       "EMB-2",
       "T has 1 at (i, ids[i]) and +0 elsewhere",
       {"one_hot"},
       float_dtypes(),
       {Parameter::range("n", 0, 40, {0, 1, 2}), Parameter::range("V", 1, 70, {1, 2, 3, 31, 33}),
        id_type_parameter(), layout_parameter("ids_layout"), layout_parameter("out_layout")},
       {{Level::smoke, {5, 3, 0, 0, 0}},
        {Level::smoke, {5, 3, 1, 1, 1}},
        {Level::smoke, {4, 33, 1, 3, 2}},
        {Level::standard, {512, 1000, 0, 0, 0}}},
       one_at_its_place},
      {"emb_2_rows_sum_to_one",
       "EMB-2",
       "entries are 0 or 1, and each row has exactly one 1",
       {"one_hot"},
       float_dtypes(),
       {Parameter::range("n", 0, 40, {0, 1, 2}), Parameter::range("V", 1, 70, {1, 2, 3}),
        id_type_parameter()},
       {{Level::smoke, {5, 3, 0}}, {Level::standard, {64, 1000, 1}}},
       rows_sum_to_one},
      {"emb_9_one_hot_example",
       "EMB-9",
       "three types in order: T is the identity",
       {"one_hot"},
       float_dtypes(),
       {id_type_parameter()},
       {{Level::smoke, {0}}, {Level::smoke, {1}}},
       worked_example_one_hot},
  };
}

std::vector<Law> product_laws() {
  return {
      {"emb_3_product_selects_row",
       "EMB-3",
       "a product with a one-hot row is the row",
       {"embed_product"},
       float_dtypes(),
       product_parameters_with_layouts(),
       {{Level::smoke, {5, 3, 7, 0, 0, 0, 0, 0}},
        {Level::smoke, {5, 3, 7, 1, 3, 1, 1, 1}},
        {Level::smoke, {4, 5, 3, 1, 2, 2, 3, 2}},
        {Level::standard, {300, 65, 5, 1, 1, 0, 0, 0}},
        {Level::standard, {64, 256, 513, 0, 1, 0, 0, 0}}},
       product_selects_row},
      {"emb_3_lookup_ignores_unused_rows",
       "EMB-3",
       "NaN and Inf in rows that no id names do not reach the lookup",
       {"embed"},
       float_dtypes(),
       {Parameter::range("n", 0, 24, {1, 2}), Parameter::range("V", 2, 40, {2, 3}),
        Parameter::range("d", 1, 40, {1, 2, 7, 33}), id_type_parameter()},
       {{Level::smoke, {3, 2, 7, 0}}, {Level::standard, {256, 512, 257, 1}}},
       lookup_ignores_unused_rows},
      {"emb_3_one_hot_matmul_selects_rows",
       "EMB-3",
       "T E by the general product is the rows",
       {"matmul"},
       float_dtypes(),
       product_parameters(),
       {{Level::smoke, {5, 3, 7, 0, 3}}, {Level::standard, {64, 256, 257, 0, 1}}},
       one_hot_matmul_selects_rows},
      {"emb_5_column_convention",
       "EMB-5",
       "E^T T^T = X^T",
       {"matmul"},
       float_dtypes(),
       product_parameters(),
       {{Level::smoke, {5, 3, 7, 0, 1}},
        {Level::smoke, {1, 3, 2, 1, 1}},
        {Level::standard, {33, 256, 257, 0, 2}}},
       column_convention},
      {"emb_9_product_example",
       "EMB-9",
       "T E = E for the table of 私, 猫, 好き",
       {"embed_product"},
       float_dtypes(),
       {id_type_parameter()},
       {{Level::smoke, {0}}, {Level::smoke, {1}}},
       worked_example_product},
  };
}

}  // namespace

std::vector<Law> one_hot_laws() {
  std::vector<Law> laws = row_laws();
  for (Law& law : product_laws()) laws.push_back(std::move(law));
  return laws;
}

}  // namespace etalon
