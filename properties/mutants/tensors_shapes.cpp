// Empty tensors, and shapes that disagree.
#include <algorithm>

#include "properties/mutants/plain_subject.hpp"
#include "properties/mutants/tensors_parts.hpp"

namespace etalon {
namespace {

using namespace plain;

bool any_view(const Call& call, bool (*test)(const View&)) {
  return std::any_of(call.tensors.begin(), call.tensors.end(),
                     [&](const auto& entry) { return test(entry.second); });
}

// The part of a matrix that another extent allows.
View cut(View view, int axis, std::int64_t most) {
  auto& extent = view.shape.extent[static_cast<std::size_t>(axis)];
  extent = std::min(extent, most);
  return view;
}

// embed over as many rows and columns as table, ids and out have in common.
Status common_part(Subject& honest, const Call& call) {
  const View& table = call.tensor("table");
  const View& ids = call.tensor("ids");
  const View& out = call.tensor("out");
  const std::int64_t n = std::min(ids.shape[0], out.shape[0]);
  const std::int64_t d = std::min(table.shape[1], out.shape[1]);
  Call other = with_tensor(call, "table", cut(table, 1, d));
  other = with_tensor(with_tensor(other, "ids", cut(ids, 0, n)), "out", cut(cut(out, 0, n), 1, d));
  return honest.run(other);
}

// Values of the table converted to the output's dtype.
Status converts(Subject& honest, const Call& call) {
  const View& table = call.tensor("table");
  const Dtype wanted = call.tensor("out").dtype;
  if (table.dtype == wanted || !is_float(wanted)) return honest.run(call);
  Tensor converted(wanted, table.shape);
  for_each(table, [&](auto i, auto j, auto) {
    put(converted.view(), encode(format_of(wanted), get(table, i, j)), i, j);
  });
  return honest.run(with_tensor(call, "table", converted.view()));
}

// One row or one column of P serves for all, as array libraries have it.
Status spreads(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  View p = call.tensor("p");
  for (int axis = 0; axis < p.shape.rank; ++axis) {
    const std::int64_t due = x.shape[x.shape.rank - 2 + axis];
    if (p.shape[axis] != 1 || due == 1) continue;
    p.shape.extent[static_cast<std::size_t>(axis)] = due;
    p.stride[static_cast<std::size_t>(axis)] = 0;
  }
  return honest.run(with_tensor(call, "p", p));
}

// Computes what fits into a smaller or larger output.
Status trusts_the_output(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  const View& out = call.tensor("out");
  Call other = call;
  for (int axis = 0; axis < x.shape.rank; ++axis) {
    const std::int64_t common = std::min(x.shape[axis], out.shape[axis]);
    other = with_tensor(other, "x", cut(other.tensor("x"), axis, common));
    other = with_tensor(other, "out", cut(other.tensor("out"), axis, common));
  }
  return honest.run(other);
}

std::vector<Mutant> empty_mutants() {
  constexpr std::string_view kind = "empty sizes";
  const auto null_refused = [](Subject& honest, const Call& call) {
    const bool null = any_view(call, [](const View& view) { return view.data == nullptr; });
    return null ? Status::invalid_argument : honest.run(call);
  };
  return {
      mutant({"null_refused",
              kind,
              "TEN-5",
              Frequency::common,
              "refuses a null address of a tensor without elements",
              {"embed", "combine", "one_hot"}},
             null_refused),
      mutant({"empty_refused",
              kind,
              "TEN-5",
              Frequency::common,
              "refuses tensors without elements",
              {"embed", "combine", "one_hot"}},
             [](Subject& honest, const Call& call) {
               const bool empty = any_view(call, [](const View& view) { return view.shape.elements() == 0; });
               return empty ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"empty_is_unfinished",
              kind,
              "TEN-5",
              Frequency::rare,
              "takes a result of no elements for a failure of its own",
              {"one_hot"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("out").shape.elements() == 0 ? Status::internal : honest.run(call);
             }),
  };
}

}  // namespace

std::vector<Mutant> tensors_shape_mutants() {
  constexpr std::string_view kind = "contract";
  std::vector<Mutant> mutants = empty_mutants();
  mutants.push_back(mutant({"common_part",
                            kind,
                            "TEN-10",
                            Frequency::common,
                            "computes what table, ids and out have in common",
                            {"embed"}},
                           common_part));
  mutants.push_back(mutant({"dtype_converted",
                            kind,
                            "TEN-10",
                            Frequency::occasional,
                            "converts into an output of another dtype",
                            {"embed"}},
                           converts));
  mutants.push_back(mutant({"position_spread",
                            kind,
                            "TEN-10",
                            Frequency::common,
                            "spreads one row or one column of P",
                            {"combine"}},
                           spreads));
  mutants.push_back(mutant({"output_trusted",
                            kind,
                            "TEN-10",
                            Frequency::occasional,
                            "computes as much as the output has room for",
                            {"combine"}},
                           trusts_the_output));
  return mutants;
}

}  // namespace etalon
