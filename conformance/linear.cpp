// LIN across the C interface: c = alpha op(a) op(b) + beta c, c read and written in place.
#include <array>

#include "conformance/crossing.hpp"

namespace etalon {
namespace {

int matmul(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor a = crossed(call.tensor("a"));
  const etalon_tensor b = crossed(call.tensor("b"));
  const etalon_tensor c = crossed(call.tensor("c"));
  return entry.function.matmul(context, call.attribute("alpha"), &a, &b, call.attribute("beta"), &c,
                               call.attribute("transpose_a") != 0, call.attribute("transpose_b") != 0);
}

}  // namespace

std::span<const Crossing> linear_crossings() {
  static constexpr std::array crossings = {Crossing{"matmul", matmul}};
  return crossings;
}

}  // namespace etalon
