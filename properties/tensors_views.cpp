// TEN-3, TEN-4, TEN-5, TEN-10: views that no layout of a Tensor has. The memory is a Tensor's, so that
// its sentinels still watch the output.
#include <array>

#include "properties/combination.hpp"
#include "properties/tensors_parts.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

// The elements of `memory` under another shape and other strides; index (0, 0, 0) is element `first`.
View view_of(const Tensor& memory, Shape shape, std::array<std::int64_t, max_rank> stride,
             std::int64_t first = 0) {
  View view = memory.view();
  view.data = static_cast<std::byte*>(view.data) + first * static_cast<std::int64_t>(size_of(view.dtype));
  view.shape = shape;
  view.stride = stride;
  return view;
}

// c = 1, so that z = x + p is exact on the lattice.
bool add(Trial& trial, const View& x, const View& p, const Tensor& out, const View& out_view) {
  const bool ok =
      call_views(trial, {"combine", {{"x", x}, {"p", p}, {"out", out_view}}, {{"scale", 0}, {"value", 0}}});
  if (ok) trial.expect(!out.first_damage(), "wrote outside out");
  return ok;
}

// Sums of two lattice numbers are below 2^7: exact in every format a subject may declare to compute in.
void judge_sums(Trial& trial, const Tensor& out, const std::function<double(std::int64_t)>& sum) {
  trial.judge_bits(
      "out", out, [&](std::int64_t i) { return encode(trial.format(), sum(i)); }, ZeroSign::ignored);
}

// TEN-3: columns may run backwards as well: stride -1, and the address is that of the last number.
void reversed_columns(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  const Tensor x = trial.input("x", {n, d}, Pattern::lattice);
  const Tensor p = trial.input("p", {n, d}, Pattern::lattice);
  const Tensor out = trial.output({n, d});
  const auto backwards = [&](const Tensor& tensor) { return view_of(tensor, {n, d}, {d, -1}, d - 1); };
  if (!add(trial, backwards(x), p.view(), out, backwards(out))) return;
  // out's memory, read forwards, is the result with its columns mirrored.
  judge_sums(trial, out, [&](std::int64_t i) { return x.value(i) + p.value(i / d * d + d - 1 - i % d); });
}

// TEN-4: one row of numbers serves as P at every position (row stride 0).
void one_position_row_for_all(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  const Tensor x = trial.input("x", {n, d}, Pattern::lattice);
  const Tensor p = trial.input("p", {1, d}, Pattern::lattice);
  const Tensor out = trial.output({n, d});
  if (!add(trial, x.view(), view_of(p, {n, d}, {0, 1}), out, out.view())) return;
  judge_sums(trial, out, [&](std::int64_t i) { return x.value(i) + p.value(i % d); });
}

// TEN-4: one sequence serves every member of a batch, and one number every column (strides 0 and 0).
void one_number_for_all_columns(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  const Tensor x = trial.input("x", {n}, Pattern::lattice);
  const Tensor p = trial.input("p", {n, d}, Pattern::lattice);
  const Tensor out = trial.output({2, n, d});
  if (!add(trial, view_of(x, {2, n, d}, {0, 1, 0}), p.view(), out, out.view())) return;
  judge_sums(trial, out, [&](std::int64_t i) { return x.value(i / d % n) + p.value(i % (n * d)); });
}

// TEN-4: one row of numbers serves as every row of the table, one id as every id.
void one_row_for_all_ids(Trial& trial) {
  const std::int64_t n = trial["n"];
  const std::int64_t d = trial["d"];
  const Tensor row = trial.input("row", {1, d}, Pattern::bits);
  Tensor id(id_type_of(trial), {1});
  id.set_integer(0, 4);
  const Tensor out = trial.output({n, d});
  const View table = view_of(row, {5, d}, {0, 1});
  const View ids = view_of(id, {n}, {0});
  if (!call_views(trial, {"embed", {{"table", table}, {"ids", ids}, {"out", out.view()}}, {}})) return;
  trial.expect(!out.first_damage(), "wrote outside out");
  trial.judge_bits("out", out, [&](std::int64_t i) { return row.bits(i % d); });
}

View empty_view(Dtype dtype, Shape shape) {
  View view;  // no memory at all: the address of an empty tensor may be anything
  view.dtype = dtype;
  view.shape = shape;
  for (int axis = 0; axis < shape.rank; ++axis) view.stride[static_cast<std::size_t>(axis)] = 1;
  return view;
}

// TEN-5: no ids, no rows; OK, and the tensors without elements have no memory.
void embed_of_nothing(Trial& trial) {
  const Tensor table = trial.input("table", {trial["V"], trial["d"]}, Pattern::unit);
  const View ids = empty_view(id_type_of(trial), {0});
  const View out = empty_view(trial.dtype(), {0, trial["d"]});
  if (call_views(trial, {"embed", {{"table", table.view()}, {"ids", ids}, {"out", out}}, {}})) {
    trial.expect(!table.first_damage(), "wrote around the table");
  }
}

// TEN-5: (0, V) one-hot rows.
void one_hot_of_nothing(Trial& trial) {
  const View ids = empty_view(id_type_of(trial), {0});
  const View out = empty_view(trial.dtype(), {0, trial["V"]});
  trial.expect(call_views(trial, {"one_hot", {{"ids", ids}, {"out", out}}, {}}), "refused");
}

// TEN-5: a batch of none, and sequences of no tokens.
void combine_of_nothing(Trial& trial) {
  const std::int64_t d = trial["d"];
  const bool no_batch = trial["empty"] == 0;
  const std::int64_t n = no_batch ? 3 : 0;
  const Tensor p = trial.input("p", {n, d}, Pattern::unit);
  const Shape shape = trial["empty"] == 1 ? Shape{0, d} : Shape{no_batch ? 0 : 2, n, d};
  const View x = empty_view(trial.dtype(), shape);
  const View code = no_batch ? p.view() : empty_view(trial.dtype(), {n, d});
  call_views(trial, {"combine", {{"x", x}, {"p", code}, {"out", x}}, {{"scale", 1}, {"value", 0}}});
  trial.expect(!p.first_damage(), "wrote around p");
}

// TEN-10: an output of another size than the ids and the table ask for, or of another dtype.
void embed_of_other_shape(Trial& trial) {
  constexpr std::array<std::array<std::int64_t, 2>, 5> sizes = {{{4, 2}, {2, 2}, {3, 3}, {3, 1}, {3, 2}}};
  const std::int64_t wrong = trial["wrong"];
  const auto [n, d] = sizes[static_cast<std::size_t>(wrong)];
  Tensor table = trial.input("table", {5, 2}, Pattern::unit);
  Tensor ids = ids_laid_out(trial, "ids", 3, 5, Layout::dense);
  const Dtype other = trial.dtype() == Dtype::f32 ? Dtype::f64 : Dtype::f32;
  Tensor out = trial.output(wrong == 4 ? other : trial.dtype(), {n, d});
  trial.call_expecting(Status::invalid_argument, "embed", {{"table", &table}, {"ids", &ids}, {"out", &out}},
                       {"out"});
}

// TEN-10: x (2,3,4) wants p (3,4) and out (2,3,4); one row or one column of P is not spread.
void combine_of_other_shape(Trial& trial) {
  const std::array<std::array<Shape, 2>, 6> shapes = {{{Shape{2, 4}, Shape{2, 3, 4}},
                                                       {Shape{1, 4}, Shape{2, 3, 4}},
                                                       {Shape{3, 1}, Shape{2, 3, 4}},
                                                       {Shape{3, 4}, Shape{3, 3, 4}},
                                                       {Shape{3, 4}, Shape{1, 3, 4}},
                                                       {Shape{3, 4}, Shape{2, 3, 5}}}};
  const auto& [p_shape, out_shape] = shapes[static_cast<std::size_t>(trial["wrong"])];
  Tensor x = trial.input("x", {2, 3, 4}, Pattern::unit);
  Tensor p = trial.input("p", p_shape, Pattern::unit);
  Tensor out = trial.output(out_shape);
  trial.call_expecting(Status::invalid_argument, "combine", {{"x", &x}, {"p", &p}, {"out", &out}}, {"out"},
                       {{"scale", 0}, {"value", 0}});
}

std::vector<Example> every(std::int64_t count) {
  std::vector<Example> examples;
  for (std::int64_t i = 0; i < count; ++i) examples.push_back({Level::smoke, {i}});
  return examples;
}

std::vector<Law> stride_laws() {
  const Parameter n = Parameter::range("n", 1, 12, {1, 2, 3});
  const Parameter d = Parameter::range("d", 1, 40, {1, 2, 3, 7, 33});
  const std::vector<Example> examples = {{Level::smoke, {2, 3}}, {Level::smoke, {3, 17}}};
  return {
      {"ten_3_reversed_columns",
       "TEN-3",
       "columns may run backwards",
       {"combine"},
       float_dtypes(),
       {n, d},
       examples,
       reversed_columns},
      {"ten_4_one_position_row_for_all",
       "TEN-4",
       "a row stride of 0 spreads one row of P",
       {"combine"},
       float_dtypes(),
       {n, d},
       examples,
       one_position_row_for_all},
      {"ten_4_one_number_for_all_columns",
       "TEN-4",
       "batch and column strides of 0 in x",
       {"combine"},
       float_dtypes(),
       {n, d},
       examples,
       one_number_for_all_columns},
      {"ten_4_one_row_for_all_ids",
       "TEN-4",
       "a table and ids of stride 0",
       {"embed"},
       float_dtypes(),
       {n, d, id_type_parameter()},
       {{Level::smoke, {2, 3, 0}}, {Level::smoke, {3, 17, 1}}},
       one_row_for_all_ids},
  };
}

std::vector<Law> shape_laws() {
  const Parameter rows = Parameter::range("V", 1, 12, {1, 2});
  const Parameter d = Parameter::range("d", 1, 40, {1, 2, 33});
  return {
      {"ten_5_embed_of_nothing",
       "TEN-5",
       "no ids give no rows, and no memory is touched",
       {"embed"},
       float_dtypes(),
       {rows, d, id_type_parameter()},
       {{Level::smoke, {3, 2, 0}}, {Level::smoke, {1, 1, 1}}},
       embed_of_nothing},
      {"ten_5_one_hot_of_nothing",
       "TEN-5",
       "no ids give no one-hot rows",
       {"one_hot"},
       float_dtypes(),
       {rows, id_type_parameter()},
       {{Level::smoke, {3, 0}}, {Level::smoke, {1, 1}}},
       one_hot_of_nothing},
      {"ten_5_combine_of_nothing",
       "TEN-5",
       "an empty batch and empty sequences are fine",
       {"combine"},
       float_dtypes(),
       {Parameter::choice("empty", {"batch", "sequence", "sequences"}), d},
       {{Level::smoke, {0, 3}}, {Level::smoke, {1, 3}}, {Level::smoke, {2, 3}}},
       combine_of_nothing},
      {"ten_10_embed_of_other_shape",
       "TEN-10",
       "an output of another shape or dtype is refused",
       {"embed"},
       float_dtypes(),
       {Parameter::choice("wrong", {"row_more", "row_less", "column_more", "column_less", "dtype"}),
        id_type_parameter()},
       {{Level::smoke, {0, 0}},
        {Level::smoke, {1, 1}},
        {Level::smoke, {2, 0}},
        {Level::smoke, {3, 1}},
        {Level::smoke, {4, 0}}},
       embed_of_other_shape},
      {"ten_10_combine_of_other_shape",
       "TEN-10",
       "nothing is broadcast but P over the batch",
       {"combine"},
       float_dtypes(),
       {Parameter::choice(
           "wrong", {"p_row_less", "p_one_row", "p_one_column", "batch_more", "batch_less", "column_more"})},
       every(6),
       combine_of_other_shape},
  };
}

}  // namespace

std::vector<Law> view_laws() {
  std::vector<Law> laws = stride_laws();
  for (Law& law : shape_laws()) laws.push_back(std::move(law));
  return laws;
}

}  // namespace etalon
