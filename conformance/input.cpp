// INP across the C interface: out = c x + p. The number `value` is needed only where `scale` asks for it.
#include <array>

#include "conformance/crossing.hpp"

namespace etalon {
namespace {

int combine(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor x = crossed(call.tensor("x"));
  const etalon_tensor p = crossed(call.tensor("p"));
  const etalon_tensor out = crossed(call.tensor("out"));
  const int scale = static_cast<int>(integer_attribute(call, "scale"));
  const double value = scale == ETALON_SCALE_VALUE ? call.attribute("value") : 0;
  return entry.function.combine(context, scale, value, &x, &p, &out);
}

}  // namespace

std::span<const Crossing> input_crossings() {
  static constexpr std::array crossings = {Crossing{"combine", combine}};
  return crossings;
}

}  // namespace etalon
