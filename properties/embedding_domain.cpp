// EMB-8: ids outside the table, sizes at the edges, tables larger than 16, 24 and 31 bits can index.
#include <algorithm>
#include <array>
#include <limits>

#include "properties/cases.hpp"
#include "properties/embedding_parts.hpp"
#include "properties/sparse.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

enum BadId { v, v_plus_3, minus_1, minus_v_minus_1, largest_32, least_32, cut_to_32, least_64, largest_64 };

// An id that no table of V rows has. The wide ones fall back to the extremes of 32 bits for i32.
std::int64_t bad_id(std::int64_t kind, std::int64_t rows, Dtype type) {
  using Narrow = std::numeric_limits<std::int32_t>;
  using Wide = std::numeric_limits<std::int64_t>;
  const bool wide = type == Dtype::i64;
  switch (static_cast<BadId>(kind)) {
    case v:
      return rows;
    case v_plus_3:
      return rows + 3;
    case minus_1:
      return -1;
    case minus_v_minus_1:
      return -rows - 1;
    case largest_32:
      return Narrow::max();
    case least_32:
      return Narrow::min();
    case cut_to_32:  // a valid id once its upper half is lost
      return wide ? (std::int64_t{1} << 32) + rows - 1 : Narrow::max();
    case least_64:
      return wide ? Wide::min() : Narrow::min();
    default:
      return wide ? Wide::max() : Narrow::max();
  }
}

// Valid ids with one bad one among them, at the parameter `place` (first, middle, last).
Tensor ids_with_a_bad_one(const Trial& trial) {
  const std::int64_t n = trial["n"];
  Tensor ids = ids_laid_out(trial, "ids", n, trial["V"], Layout::dense);
  const std::array<std::int64_t, 3> places = {0, n / 2, n - 1};
  ids.set_integer(places[static_cast<std::size_t>(trial["place"])],
                  bad_id(trial["bad"], trial["V"], ids.dtype()));
  return ids;
}

// EMB-8: an id outside [0, V) gets INVALID_ARGUMENT, and no byte of the output changes.
void refuse_lookup(Trial& trial, std::string_view operation) {
  Tensor ids = ids_with_a_bad_one(trial);
  Tensor table = trial.input("table", {trial["V"], trial["d"]}, Pattern::unit);
  Tensor out = trial.output({trial["n"], trial["d"]});
  trial.call_expecting(Status::invalid_argument, operation, {{"table", &table}, {"ids", &ids}, {"out", &out}},
                       {"out"});
}

void bad_id_is_refused(Trial& trial) { refuse_lookup(trial, "embed"); }
void bad_id_in_product_is_refused(Trial& trial) { refuse_lookup(trial, "embed_product"); }

// EMB-8: u_k exists for k in the vocabulary only.
void bad_id_in_one_hot_is_refused(Trial& trial) {
  Tensor ids = ids_with_a_bad_one(trial);
  Tensor out = trial.output({trial["n"], trial["V"]});
  trial.call_expecting(Status::invalid_argument, "one_hot", {{"ids", &ids}, {"out", &out}}, {"out"});
}

// EMB-8: no size is special: no tokens, one row, one column, widths that no vector length divides.
void every_size_works(Trial& trial) {
  const std::int64_t d = trial["d"];
  Tensor table = trial.input("table", {trial["V"], d}, Pattern::bits);
  Tensor ids = ids_laid_out(trial, "ids", trial["n"], trial["V"], Layout::dense);
  Tensor out = trial.output({trial["n"], d});
  if (!trial.call("embed", {{"table", &table}, {"ids", &ids}, {"out", &out}}, {"out"})) return;
  trial.judge_bits("out", out, [&](std::int64_t i) { return table.bits(ids.integer(i / d) * d + i % d); });
}

// A table in address space of its own, and the ids that are asked for; the other rows are zero. Offsets
// cut to 32 bits stay inside the mapping, below or above element 0, so that a wrong one reads a zero.
class SparseTable {
 public:
  SparseTable(Dtype dtype, Shape shape, std::array<std::int64_t, 2> stride)
      : memory_((below + static_cast<std::size_t>(span(shape, stride))) * size_of(dtype)) {
    if (memory_.data() == nullptr) return;
    view_ = {memory_.data() + below * size_of(dtype), dtype, shape, {stride[0], stride[1]}};
  }

  explicit operator bool() const { return view_.data != nullptr; }
  const View& view() const { return view_; }

  // Values of the sign bit clear and the exponent in range, a different one for every count.
  static std::uint64_t mark(const Format& format, std::int64_t count) {
    return (std::uint64_t{0x30} << (format.bits - 8)) + static_cast<std::uint64_t>(count);
  }

  void write(std::int64_t row, std::int64_t column, std::uint64_t bits) {
    store_bits(element(view_, row, column), bits, size_of(view_.dtype));
  }

 private:
  static constexpr std::size_t below = std::size_t{1} << 31;  // elements before element 0
  static std::int64_t span(const Shape& shape, const std::array<std::int64_t, 2>& stride) {
    return (shape[0] - 1) * stride[0] + (shape[1] - 1) * stride[1] + 1;
  }

  SparseMemory memory_;
  View view_;
};

// Embeds `wanted` from a sparse table of which only those rows are written, and judges the bits.
void judge_sparse(Trial& trial, const Shape& shape, std::array<std::int64_t, 2> stride,
                  const std::vector<std::int64_t>& wanted) {
  SparseTable table(trial.dtype(), shape, stride);
  if (!table) return trial.settle(Verdict::mistrusted, "no address space for a table of this size");
  const auto n = static_cast<std::int64_t>(wanted.size());
  Tensor ids(id_type_of(trial), {n});
  for (std::int64_t i = 0; i < n; ++i) {
    ids.set_integer(i, wanted[static_cast<std::size_t>(i)]);
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      table.write(ids.integer(i), j, SparseTable::mark(trial.format(), i * shape[1] + j));
    }
  }
  Tensor out = trial.output({n, shape[1]});
  if (!call_views(trial, {"embed", {{"table", table.view()}, {"ids", ids.view()}, {"out", out.view()}}, {}}))
    return;
  trial.expect(!out.first_damage(), "wrote outside out");
  trial.judge_bits("out", out, [&](std::int64_t i) { return SparseTable::mark(trial.format(), i); });
}

// EMB-8: ids beside every power of two that a narrower type would round or wrap: bf16 counts to 2^8,
// f16 to 2^11, 16 bits to 2^15 and 2^16, f32 to 2^24.
void ids_are_not_narrowed(Trial& trial) {
  std::vector<std::int64_t> wanted;
  for (const int exponent : {8, 11, 15, 16, 24}) {
    for (const std::int64_t beside : {-1, 0, 1}) wanted.push_back((std::int64_t{1} << exponent) + beside);
  }
  const std::int64_t d = trial["d"];
  judge_sparse(trial, {(std::int64_t{1} << 24) + 2, d}, {d, 1}, wanted);
}

// EMB-8: the element offset id s_0 + j s_1 passes 2^31: by many rows, a wide row step, a wide column step.
void offsets_do_not_overflow(Trial& trial) {
  constexpr std::int64_t two_31 = std::int64_t{1} << 31;
  switch (trial["form"]) {
    case 0:
      return judge_sparse(trial, {two_31 / 1024 + 2, 1024}, {1024, 1},
                          {two_31 / 1024 + 1, two_31 / 1024 - 1});
    case 1:
      return judge_sparse(trial, {3, 5}, {two_31 + 7, 1}, {2, 1, 0});
    default:
      return judge_sparse(trial, {4, 3}, {1, two_31 - 5}, {3, 0, 2, 1});
  }
}

std::vector<Parameter> bad_id_parameters(bool has_width) {
  std::vector<Parameter> parameters = {
      Parameter::range("n", 1, 20, {1, 2, 17}), Parameter::range("V", 1, 40, {1, 2, 3}), id_type_parameter(),
      Parameter::choice("bad", {"V", "V+3", "-1", "-V-1", "2^31-1", "-2^31", "2^32+V-1", "-2^63", "2^63-1"}),
      Parameter::choice("place", {"first", "middle", "last"})};
  if (has_width) parameters.push_back(Parameter::range("d", 1, 40, {1, 2, 7}));
  return parameters;
}

// Every bad id in both widths, at varying places, for V = 1 and V = 3.
std::vector<Example> bad_id_examples(bool has_width) {
  std::vector<Example> examples;
  for (std::int64_t bad = v; bad <= largest_64; ++bad) {
    for (const std::int64_t type : {0, 1}) {
      std::vector<std::int64_t> values = {bad % 4 + 1, type + bad % 2 == 1 ? 1 : 3, type, bad,
                                          (bad + type) % 3};
      if (has_width) values.push_back(2);
      examples.push_back({Level::smoke, values});
    }
  }
  return examples;
}

}  // namespace

std::vector<Law> embedding_domain_laws() {
  return {
      {"emb_8_bad_id_is_refused",
       "EMB-8",
       "an id outside the table is an error and nothing is written",
       {"embed"},
       float_dtypes(),
       bad_id_parameters(true),
       bad_id_examples(true),
       bad_id_is_refused},
      {"emb_8_bad_id_in_product_is_refused",
       "EMB-8",
       "the product refuses an id outside the table alike",
       {"embed_product"},
       float_dtypes(),
       bad_id_parameters(true),
       bad_id_examples(true),
       bad_id_in_product_is_refused},
      {"emb_8_bad_id_in_one_hot_is_refused",
       "EMB-8",
       "there is no one-hot row of an id outside the vocabulary",
       {"one_hot"},
       float_dtypes(),
       bad_id_parameters(false),
       bad_id_examples(false),
       bad_id_in_one_hot_is_refused},
      {"emb_8_every_size_works",
       "EMB-8",
       "n = 0, V = 1, d = 1 and widths of no particular multiple",
       {"embed"},
       float_dtypes(),
       {Parameter::one_of("n", {0, 1, 2, 5, 33}), Parameter::one_of("V", {1, 2, 3, 64}),
        Parameter::one_of("d", {1, 2, 3, 7, 15, 17, 31, 33, 63, 65, 1025}), id_type_parameter()},
       {{Level::smoke, {0, 1, 1, 0}},
        {Level::smoke, {0, 3, 7, 1}},
        {Level::smoke, {1, 1, 1, 1}},
        {Level::smoke, {5, 3, 7, 0}},
        {Level::smoke, {2, 2, 1025, 0}},
        {Level::standard, {33, 64, 1025, 1}}},
       every_size_works},
      {"emb_8_ids_are_not_narrowed",
       "EMB-8",
       "ids beyond 16 bits, and beyond the integers of bf16, f16 and f32",
       {"embed"},
       float_dtypes(),
       {Parameter::one_of("d", {1, 2}), id_type_parameter()},
       {{Level::smoke, {1, 0}}, {Level::standard, {2, 1}}},
       ids_are_not_narrowed,
       nullptr,
       false},
      {"emb_8_offsets_do_not_overflow",
       "EMB-8",
       "tables whose elements lie beyond an offset of 2^31",
       {"embed"},
       float_dtypes(),
       {Parameter::choice("form", {"rows", "row_step", "column_step"}), id_type_parameter()},
       {{Level::standard, {0, 1}}, {Level::smoke, {1, 0}}, {Level::smoke, {2, 1}}, {Level::standard, {1, 1}}},
       offsets_do_not_overflow,
       nullptr,
       false},
  };
}

}  // namespace etalon
