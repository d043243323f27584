// How memory is used, whatever the operation. Faults that would read far outside a tensor show what a
// subject would find there instead of reading it; writes outside stay within the sentinels around tensors.
#include <algorithm>
#include <cstring>

#include "properties/mutants/plain_subject.hpp"
#include "properties/mutants/tensors_parts.hpp"

namespace etalon {
namespace {

using namespace plain;

const std::vector<std::string_view> all = {"embed", "one_hot", "embed_product", "combine", "matmul"};

std::int64_t bytes(const View& view, std::int64_t elements) {
  return elements * static_cast<std::int64_t>(size_of(view.dtype));
}

// Every tensor replaced by a change of its view.
using Views = std::function<View(View)>;
Fault views_changed(const Views& change) {
  return [change](Subject& honest, const Call& call) {
    Call other = call;
    for (auto& [label, view] : other.tensors) view = change(view);
    return honest.run(other);
  };
}

std::int64_t stride_of(const View& view, int axis) { return view.stride[static_cast<std::size_t>(axis)]; }
bool any_stride(const View& view, bool (*test)(std::int64_t)) {
  for (int axis = 0; axis < view.shape.rank; ++axis) {
    if (view.shape[axis] > 1 && test(stride_of(view, axis))) return true;
  }
  return false;
}
bool is_zero(std::int64_t stride) { return stride == 0; }
bool is_negative(std::int64_t stride) { return stride < 0; }

// Rows one behind the other from the lowest address on. Zero strides stay: what lies behind is no tensor.
View dense(View view) {
  if (any_stride(view, is_zero) || view.shape.elements() == 0) return view;
  std::int64_t step = 1;
  for (int axis = view.shape.rank - 1; axis >= 0; --axis) {
    const std::int64_t stride = stride_of(view, axis);
    if (stride < 0)
      view.data = static_cast<std::byte*>(view.data) + bytes(view, stride * (view.shape[axis] - 1));
    view.stride[static_cast<std::size_t>(axis)] = step;
    step *= view.shape[axis];
  }
  return view;
}

bool is_transposed(const View& view) {
  const int last = view.shape.rank - 1;
  return last > 0 && view.shape[last] > 1 && view.shape[0] > 1 &&
         stride_of(view, last) > stride_of(view, 0) && stride_of(view, 0) > 0;
}

// Upside down: what a subject sees that takes the absolute value of a stride, from the lowest address on.
View unreversed(View view) {
  for (int axis = 0; axis < view.shape.rank; ++axis) {
    auto& stride = view.stride[static_cast<std::size_t>(axis)];
    if (stride >= 0 || view.shape[axis] < 2) continue;
    view.data = static_cast<std::byte*>(view.data) + bytes(view, stride * (view.shape[axis] - 1));
    stride = -stride;
  }
  return view;
}

View first_alone(View view) {
  return any_stride(view, is_zero) ? View{nullptr, view.dtype, view.shape, view.stride} : view;
}

// Inputs of stride 0 with zeros behind their first row.
Status zero_stride_once(Subject& honest, const Call& call) {
  Call other = call;
  std::vector<Tensor> kept;
  for (auto& [label, view] : other.tensors) {
    if (first_alone(view).data == view.data) continue;
    Tensor& once = kept.emplace_back(view.dtype, view.shape);
    for_each(view, [&, &from = view](auto i, auto j, auto k) {
      if (i == 0) put(once.view(), load(from, i, j, k), i, j, k);
    });
    view = once.view();
  }
  return honest.run(other);
}

Fault refuses(bool (*test)(const View&)) {
  return [test](Subject& honest, const Call& call) {
    const bool hit = std::any_of(call.tensors.begin(), call.tensors.end(),
                                 [&](const auto& entry) { return test(entry.second); });
    return hit ? Status::invalid_argument : honest.run(call);
  };
}

std::vector<Mutant> stride_mutants() {
  constexpr std::string_view kind = "strides";
  return {
      mutant({"strides_ignored", kind, "TEN-2", Frequency::common, "takes every tensor for dense", all},
             views_changed(dense)),
      mutant({"row_gaps_ignored", kind, "TEN-2", Frequency::common,
              "knows transposed tensors, but takes the width for the row stride", all},
             views_changed([](const View& view) {
               return is_transposed(view) || any_stride(view, is_negative) ? view : dense(view);
             })),
      mutant(
          {"transposition_ignored", kind, "TEN-2", Frequency::common, "takes the column stride for 1", all},
          views_changed([](const View& view) { return is_transposed(view) ? dense(view) : view; })),
      mutant({"strides_in_bytes",
              kind,
              "TEN-1",
              Frequency::occasional,
              "counts strides of inputs in bytes",
              {"embed", "combine"}},
             [](Subject& honest, const Call& call) {
               Call other = call;
               std::vector<Tensor> kept;
               for (auto& [label, view] : other.tensors) {
                 if (label == "out" || !is_float(view.dtype)) continue;
                 Tensor& misread = kept.emplace_back(view.dtype, view.shape);
                 for_each(view, [&, &from = view](auto i, auto j, auto k) {
                   const auto* place = static_cast<const std::byte*>(from.data) +
                                       (element(from, i, j, k) - static_cast<std::byte*>(from.data)) /
                                           static_cast<std::int64_t>(size_of(from.dtype));
                   put(misread.view(), load_bits(place, size_of(from.dtype)), i, j, k);
                 });
                 view = misread.view();
               }
               return honest.run(other);
             }),
      mutant({"column_order",
              kind,
              "TEN-1",
              Frequency::occasional,
              "takes dense tensors for column order",
              {"embed"}},
             views_changed([](View view) {
               if (view.shape.rank != 2 || stride_of(view, 1) != 1 || stride_of(view, 0) != view.shape[1])
                 return view;
               view.stride = {1, view.shape[0], 0};
               return view;
             })),
      mutant({"negative_stride_turned",
              kind,
              "TEN-3",
              Frequency::common,
              "takes the absolute value of a stride",
              {"embed", "combine"}},
             views_changed(unreversed)),
      mutant({"negative_stride_refused",
              kind,
              "TEN-3",
              Frequency::occasional,
              "calls a negative stride a wrong argument",
              {"embed", "combine"}},
             refuses([](const View& view) { return any_stride(view, is_negative); })),
      mutant({"zero_stride_refused",
              kind,
              "TEN-4",
              Frequency::common,
              "calls a stride of 0 a wrong argument",
              {"embed", "combine"}},
             refuses([](const View& view) { return any_stride(view, is_zero); })),
      mutant({"zero_stride_once",
              kind,
              "TEN-4",
              Frequency::occasional,
              "uses a row of stride 0 for the first index alone",
              {"combine"}},
             zero_stride_once),
  };
}

// Addresses rounded down to a boundary, as loads and stores of whole vectors take them.
template <std::uintptr_t boundary>
View aligned(View view) {
  const auto excess = reinterpret_cast<std::uintptr_t>(view.data) % boundary;
  const bool off_by_one_element = excess == size_of(view.dtype);  // else it would leave the sentinels
  if (off_by_one_element && is_float(view.dtype)) view.data = static_cast<std::byte*>(view.data) - excess;
  return view;
}

Fault inputs_aligned() {
  return [](Subject& honest, const Call& call) {
    Call other = call;
    for (auto& [label, view] : other.tensors) {
      if (label != "out") view = aligned<16>(view);
    }
    return honest.run(other);
  };
}

std::vector<Mutant> alignment_mutants() {
  return {
      mutant({"aligned_to_64",
              "memory",
              "TEN-9",
              Frequency::occasional,
              "loads and stores at the boundary of 64 bytes below",
              {"embed", "combine"}},
             views_changed(aligned<64>)),
      mutant({"loads_aligned_to_16",
              "memory",
              "TEN-9",
              Frequency::common,
              "loads inputs at the boundary of 16 bytes below",
              {"embed", "combine"}},
             inputs_aligned()),
      mutant({"unaligned_refused",
              "contract",
              "TEN-9",
              Frequency::occasional,
              "refuses addresses that are not aligned to 16 bytes",
              {"embed", "combine"}},
             refuses([](const View& view) {
               const bool plain_rows = view.shape.rank == 0 || stride_of(view, 0) >= 0;
               return plain_rows && is_float(view.dtype) &&
                      reinterpret_cast<std::uintptr_t>(view.data) % 16 != 0;
             })),
  };
}

}  // namespace

std::vector<Mutant> tensors_mutants() {
  return joined({stride_mutants, alignment_mutants, tensors_ownership_mutants, tensors_shape_mutants});
}

}  // namespace etalon
