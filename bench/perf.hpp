// Timing one call of an operation: what is called, on whom, and how much it moves.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/subject.hpp"

namespace etalon::perf {

// A subject by the name that its benchmarks bear.
struct Contender {
  std::string name;
  SubjectFactory subjects;
};

// A call with the memory it works on. Bytes: all tensors once, unless a lookup reads only some rows.
// Elements: those of the outputs.
struct Workload {
  Call call;
  std::vector<Tensor> tensors;
  std::int64_t elements = 0;
  std::int64_t bytes = 0;
  double operations = 0;  // floating-point operations, where that is the measure; else 0

  Workload(std::string_view operation, std::initializer_list<std::pair<std::string_view, Tensor>> inputs,
           std::initializer_list<std::pair<std::string_view, Tensor>> outputs,
           std::initializer_list<std::pair<std::string_view, double>> attributes = {});
};

// Registers "<operation>/<contender>/<dtype>/<size>", unless the contender does not offer the operation.
void add(const Contender& contender, std::string_view operation, Dtype dtype, const std::string& size,
         std::function<Workload()> make);

// Tensors of reproducible values in [-1, 1]; ids in [0, rows).
Tensor numbers(Dtype dtype, Shape shape, std::string_view label);
Tensor ids(std::int64_t count, std::int64_t rows);

// Bytes that copying `rows` rows of `width` elements moves: read once, written once.
std::int64_t copied_bytes(Dtype dtype, std::int64_t rows, std::int64_t width);

// One a family; each registers its operations for a contender.
void add_embedding(const Contender& contender);
void add_position(const Contender& contender);
void add_input(const Contender& contender);
void add_linear(const Contender& contender);
void add_tokenizer(const Contender& contender);

}  // namespace etalon::perf
