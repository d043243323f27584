// POS across the C interface: position codes from numbers alone, and rows of a learned table.
#include <array>

#include "conformance/crossing.hpp"

namespace etalon {
namespace {

int sinusoidal(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor out = crossed(call.tensor("out"));
  return entry.function.sinusoidal(context, integer_attribute(call, "first"), call.attribute("base"),
                                   static_cast<int>(integer_attribute(call, "layout")), &out);
}

int learned_positions(const etalon_operation& entry, etalon_context* context, const Call& call) {
  const etalon_tensor table = crossed(call.tensor("table"));
  const etalon_tensor out = crossed(call.tensor("out"));
  return entry.function.learned_positions(context, &table, integer_attribute(call, "first"), &out);
}

}  // namespace

std::span<const Crossing> position_crossings() {
  static constexpr std::array crossings = {Crossing{"sinusoidal", sinusoidal},
                                           Crossing{"learned_positions", learned_positions}};
  return crossings;
}

}  // namespace etalon
