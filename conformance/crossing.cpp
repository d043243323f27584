#include "conformance/crossing.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace etalon {

const Crossing* crossing_of(std::string_view operation) {
  for (const auto crossings : {embedding_crossings(), linear_crossings(), position_crossings(),
                               input_crossings(), tokenizer_crossings()})
    for (const Crossing& crossing : crossings)
      if (crossing.operation == operation) return &crossing;
  return nullptr;
}

etalon_tensor crossed(const View& view) {
  return {view.data, view.shape.rank, static_cast<std::int32_t>(view.dtype), view.shape.extent.data(),
          view.stride.data()};
}

std::int64_t integer_attribute(const Call& call, std::string_view name) {
  const double value = call.attribute(name);
  if (!(std::abs(value) <= 0x1p53) || value != std::trunc(value))
    throw std::invalid_argument("attribute " + std::string(name) + " is no integer");
  return static_cast<std::int64_t>(value);
}

std::int64_t* count_of(const Call& call) {
  const View& count = call.tensor("count");
  if (count.dtype != Dtype::i64 || count.shape.elements() != 1)
    throw std::invalid_argument("count is not a single i64");
  return static_cast<std::int64_t*>(count.data);
}

}  // namespace etalon
