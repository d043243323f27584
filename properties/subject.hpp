// A subject is anything with the operations: a backend behind the C interface, a child process, the
// reference itself, a mutant. The laws see this interface and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "properties/model.hpp"
#include "properties/tensors.hpp"

namespace etalon {

enum class Status : std::int32_t {
  ok = 0,
  unsupported = 1,
  invalid_argument = 2,
  out_of_memory = 3,
  internal = 4
};
std::string_view name_of(Status status);

// One call of one operation: named tensors (inputs first, then outputs) and named numbers.
// The names and their order are those of properties/operations.hpp.
struct Call {
  std::string_view operation;
  std::vector<std::pair<std::string_view, View>> tensors;
  std::vector<std::pair<std::string_view, double>> attributes;

  const View& tensor(std::string_view name) const;  // throws std::out_of_range
  double attribute(std::string_view name) const;    // throws std::out_of_range
  bool has(std::string_view tensor_name) const;
};

class Subject {
 public:
  virtual ~Subject() = default;
  virtual const std::string& name() const = 0;
  // What it declares about an operation on a dtype; nullptr where it does not offer it.
  virtual const Model* model(std::string_view operation, Dtype dtype) const = 0;
  // May be called by one thread at a time. Never throws; internal faults are Status::internal.
  virtual Status run(const Call& call) = 0;
  // The subject's own words about its last failure, or "".
  virtual std::string last_error() const { return {}; }
};

// Makes an independent subject (its own context), so that every worker thread has one.
using SubjectFactory = std::function<std::unique_ptr<Subject>()>;

}  // namespace etalon
