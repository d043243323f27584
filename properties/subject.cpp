#include "properties/subject.hpp"

#include <algorithm>
#include <stdexcept>

namespace etalon {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "OK";
    case Status::unsupported:
      return "UNSUPPORTED";
    case Status::invalid_argument:
      return "INVALID_ARGUMENT";
    case Status::out_of_memory:
      return "OUT_OF_MEMORY";
    case Status::internal:
      return "INTERNAL";
  }
  return "UNKNOWN_STATUS";
}

const View& Call::tensor(std::string_view name) const {
  for (const auto& [key, view] : tensors) {
    if (key == name) return view;
  }
  throw std::out_of_range("no tensor named " + std::string(name) + " in " + std::string(operation));
}

double Call::attribute(std::string_view name) const {
  for (const auto& [key, value] : attributes) {
    if (key == name) return value;
  }
  throw std::out_of_range("no attribute named " + std::string(name) + " in " + std::string(operation));
}

bool Call::has(std::string_view tensor_name) const {
  return std::any_of(tensors.begin(), tensors.end(),
                     [&](const auto& entry) { return entry.first == tensor_name; });
}

}  // namespace etalon
