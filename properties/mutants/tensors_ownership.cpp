// What is read and written beside the elements, and what becomes of the inputs.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "properties/mutants/plain_subject.hpp"
#include "properties/mutants/tensors_parts.hpp"

namespace etalon {
namespace {

using namespace plain;

std::int64_t last_stride(const View& view) {
  return view.stride[static_cast<std::size_t>(view.shape.rank - 1)];
}
std::int64_t width_of(const View& view) { return view.shape[view.shape.rank - 1]; }
std::size_t size(const View& view) { return size_of(view.dtype); }

// Whether the rows of a matrix leave a gap of at least one element behind each.
bool has_gaps(const View& view) {
  const int row = view.shape.rank - 2;
  return row >= 0 && view.shape[row] > 0 && last_stride(view) == 1 &&
         view.stride[static_cast<std::size_t>(row)] > width_of(view);
}

bool is_dense(const View& view) {
  std::int64_t step = 1;
  for (int axis = view.shape.rank - 1; axis >= 0; --axis) {
    if (view.stride[static_cast<std::size_t>(axis)] != step) return false;
    step *= view.shape[axis];
  }
  return true;
}

using After = void (*)(const View& out);
Fault then(After after) {
  return [after](Subject& honest, const Call& call) {
    const Status status = honest.run(call);
    const View& out = call.tensor("out");
    if (status == Status::ok && out.shape.elements() > 0) after(out);
    return status;
  };
}

// One element behind each row, where that is none of another row.
void write_behind_rows(const View& out) {
  if (!has_gaps(out)) return;
  for_each(out, [&](auto i, auto j, auto k) {
    const bool batched = out.shape.rank == 3;
    if ((batched ? k : j) == width_of(out) - 1) store_bits(element(out, i, j, k) + size(out), 0, size(out));
  });
}

// Whole vectors of 4 are stored, also where the dense output ends within one.
void write_behind_end(const View& out) {
  if (!is_dense(out)) return;
  const std::int64_t n = out.shape.elements();
  for (std::int64_t i = n; i % 4 != 0; ++i)
    store_bits(static_cast<std::byte*>(out.data) + i * static_cast<std::int64_t>(size(out)), 0, size(out));
}

// The output is cleared in one sweep before it is written, gaps included.
Status clears_in_one_sweep(Subject& honest, const Call& call) {
  const View& out = call.tensor("out");
  if (has_gaps(out) && out.shape.elements() > 0) {
    std::byte* last = nullptr;
    for_each(out, [&](auto i, auto j, auto k) { last = std::max(last, element(out, i, j, k)); });
    std::memset(out.data, 0, static_cast<std::size_t>(last - static_cast<std::byte*>(out.data)));
  }
  return honest.run(call);
}

// Every row of x is read one element too far, and what was read enters the first column times 0.
Status reads_behind_rows(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  Tensor mixed(x.dtype, x.shape);
  const bool gaps = has_gaps(x);
  for_each(x, [&](auto i, auto j, auto k) {
    const bool batched = x.shape.rank == 3;
    const std::byte* behind = element(x, i, j, k) + width_of(x) * static_cast<std::int64_t>(size(x));
    const bool stains = gaps && (batched ? k : j) == 0 &&
                        std::isnan(0 * decode(format_of(x.dtype), load_bits(behind, size(x))));
    put(mixed.view(), stains ? encode(format_of(x.dtype), std::nan("")) : load(x, i, j, k), i, j, k);
  });
  return honest.run(with_tensor(call, "x", mixed.view()));
}

// c X is computed where X lies; afterwards X is divided by c again, or not.
Fault scales_in_place(bool restores) {
  return [restores](Subject& honest, const Call& call) {
    const View& x = call.tensor("x");
    const Format& format = format_of(x.dtype);
    const double c = scale_of(call, width_of(x));
    if (c == 0) return honest.run(call);
    const auto scale = [&](double factor) {
      for_each(x, [&](auto i, auto j, auto k) { put(x, encode(format, get(x, i, j, k) * factor), i, j, k); });
    };
    scale(c);
    const Status status = honest.run(with_attribute(call, "scale", 0));
    if (restores) scale(1 / c);
    return status;
  };
}

bool share_memory(const Call& call) {
  return call.tensor("x").data == call.tensor("p").data && call.tensor("x").shape.elements() > 0;
}

std::vector<Mutant> gap_mutants() {
  constexpr std::string_view kind = "memory";
  return {
      mutant({"writes_behind_rows",
              kind,
              "TEN-6",
              Frequency::common,
              "writes one element behind each row",
              {"embed", "combine"}},
             then(write_behind_rows)),
      mutant({"writes_behind_end",
              kind,
              "TEN-6",
              Frequency::common,
              "stores whole vectors of 4 at the end of an output",
              {"embed", "combine"}},
             then(write_behind_end)),
      mutant({"clears_gaps",
              kind,
              "TEN-6",
              Frequency::occasional,
              "clears an output in one sweep, gaps included",
              {"embed", "combine"}},
             clears_in_one_sweep),
      mutant({"reads_behind_rows",
              kind,
              "TEN-6",
              Frequency::occasional,
              "lets what lies behind a row of X enter times 0",
              {"combine"}},
             reads_behind_rows),
  };
}

std::vector<Mutant> input_mutants_of_memory() {
  constexpr std::string_view kind = "memory";
  return {
      mutant({"scales_in_place", kind, "TEN-7", Frequency::common, "leaves c X where X was", {"combine"}},
             scales_in_place(false)),
      mutant({"scales_in_place_and_back",
              kind,
              "TEN-7",
              Frequency::occasional,
              "scales X where it lies and divides it again",
              {"combine"}},
             scales_in_place(true)),
      mutant({"input_bit_flipped",
              kind,
              "TEN-7",
              Frequency::rare,
              "marks the first element of its first input as seen",
              {"embed", "combine"}},
             [](Subject& honest, const Call& call) {
               const View& first = call.tensors.front().second;
               const Status status = honest.run(call);
               if (first.shape.elements() > 0) *element(first) ^= std::byte{1};
               return status;
             }),
      mutant({"ids_mended_in_place",
              kind,
              "TEN-7",
              Frequency::rare,
              "clamps bad ids where they lie, before it refuses them",
              {"embed"}},
             [](Subject& honest, const Call& call) {
               const Status status = honest.run(call);
               const View& ids = call.tensor("ids");
               for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
                 const std::int64_t most = std::max<std::int64_t>(rows_of(call) - 1, 0);
                 put(ids, static_cast<std::uint64_t>(std::clamp<std::int64_t>(id_at(ids, i), 0, most)), i);
               }
               return status;
             }),
      mutant({"overlap_refused",
              "contract",
              "TEN-8",
              Frequency::occasional,
              "refuses x and p in the same memory",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               return share_memory(call) ? Status::invalid_argument : honest.run(call);
             }),
      mutant({"overlap_scaled",
              "shared state",
              "TEN-8",
              Frequency::rare,
              "reads p after c X has taken its place in a shared buffer",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               if (!share_memory(call)) return honest.run(call);
               const View& x = call.tensor("x");
               Tensor scaled(x.dtype, x.shape);
               const double c = scale_of(call, width_of(x));
               for_each(x, [&](auto i, auto j, auto k) {
                 put(scaled.view(), encode(format_of(x.dtype), c * get(x, i, j, k)), i, j, k);
               });
               return honest.run(with_tensor(call, "p", scaled.view()));
             }),
  };
}

}  // namespace

std::vector<Mutant> tensors_ownership_mutants() {
  std::vector<Mutant> mutants = gap_mutants();
  for (Mutant& each : input_mutants_of_memory()) mutants.push_back(std::move(each));
  return mutants;
}

}  // namespace etalon
