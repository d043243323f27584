// Input: sizes at the edge, and traces that one row or call leaves in another.
#include <cmath>
#include <optional>

#include "properties/mutants/input_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

// X with 0 times the row above added: only NaN and Inf show it.
Status mixes_rows(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  Tensor mixed(x.dtype, x.shape);
  for_each(x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const bool batched = x.shape.rank == 3;
    const bool first = batched ? j == 0 : i == 0;
    const double above = first ? 0 : batched ? get(x, i, j - 1, k) : get(x, i - 1, j);
    put(mixed.view(), std::isfinite(above) ? load(x, i, j, k) : encode(format_of(x.dtype), std::nan("")), i,
        j, k);
  });
  return honest.run(with_tensor(call, "x", mixed.view()));
}

// X scaled by the largest of its absolute values and back, as a quantised path does.
Status shares_exponent(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  double most = 0;
  for_each(x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    most = std::fmax(most, std::fabs(get(x, i, j, k)));
  });
  const int exponent = most > 0 && std::isfinite(most) ? std::ilogb(most) : 0;
  Tensor kept(x.dtype, x.shape);
  const double unit = std::ldexp(1.0, exponent - 7);
  for_each(x, [&](std::int64_t i, std::int64_t j, std::int64_t k) {
    const double value = get(x, i, j, k);
    put(kept.view(),
        std::isfinite(value) ? encode(format_of(x.dtype), std::nearbyint(value / unit) * unit)
                             : load(x, i, j, k),
        i, j, k);
  });
  return honest.run(with_tensor(call, "x", kept.view()));
}

// Adds to what the output held.
Status accumulates(Subject& honest, const Call& call) {
  const View& out = call.tensor("out");
  Tensor before(out.dtype, out.shape);
  for_each(out, [&](auto i, auto j, auto k) { put(before.view(), load(out, i, j, k), i, j, k); });
  const Status status = honest.run(call);
  if (status != Status::ok) return status;
  for_each(out, [&](auto i, auto j, auto k) {
    put(out, encode(format_of(out.dtype), get(out, i, j, k) + get(before.view(), i, j, k)), i, j, k);
  });
  return status;
}

std::vector<Mutant> state_mutants() {
  constexpr std::string_view kind = "shared state";
  return {
      mutant({"rows_mix", kind, "INP-6", Frequency::rare, "adds 0 times the row above", {"combine"}},
             mixes_rows),
      mutant({"exponent_shared",
              kind,
              "INP-6",
              Frequency::occasional,
              "quantises X by its largest element, to 8 bits",
              {"combine"}},
             shares_exponent),
      mutant({"scale_remembered",
              kind,
              "INP-2",
              Frequency::occasional,
              "uses the c of its first call for all",
              {"combine"}},
             [kept = std::optional<double>()](Subject& honest, const Call& call) mutable {
               const Shape& shape = call.tensor("x").shape;
               if (!kept) kept = scale_of(call, shape[shape.rank - 1]);
               return honest.run(with_scale(call, *kept));
             }),
      mutant({"result_accumulates",
              kind,
              "INP-4",
              Frequency::common,
              "adds to what the output held",
              {"combine"}},
             accumulates),
  };
}

std::vector<Mutant> size_mutants() {
  return {
      mutant({"empty_batch_refused",
              "empty sizes",
              "TEN-5",
              Frequency::common,
              "takes B = 0 for an error",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               const Shape& shape = call.tensor("x").shape;
               return shape.rank == 3 && shape[0] == 0 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"no_tokens_refused",
              "empty sizes",
              "TEN-5",
              Frequency::common,
              "takes n = 0 for an error",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               const Shape& shape = call.tensor("x").shape;
               return shape[shape.rank - 2] == 0 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"one_token_is_no_sequence",
              "empty sizes",
              "INP-2",
              Frequency::rare,
              "takes n = 1 for a vector without position",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               const Shape& shape = call.tensor("x").shape;
               return shape.rank == 2 && shape[0] == 1 ? Status::ok : honest.run(call);
             }),
      mutant({"batch_expected",
              "contract",
              "INP-1",
              Frequency::occasional,
              "refuses a sequence without batch axis",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               return call.tensor("x").shape.rank == 2 ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"negative_scale_refused", "contract", "INP-1", Frequency::rare, "refuses c < 0", {"combine"}},
             [](Subject& honest, const Call& call) {
               const bool negative = call.attribute("scale") == 2 && call.attribute("value") < 0;
               return negative ? Status::invalid_argument : honest.run(call);
             }),
  };
}

}  // namespace

std::vector<Mutant> input_call_mutants() {
  std::vector<Mutant> mutants = state_mutants();
  for (Mutant& each : size_mutants()) mutants.push_back(std::move(each));
  return mutants;
}

}  // namespace etalon
