// How a call crosses the C interface (ABI-6): for each operation the function that turns a `Call`, named
// tensors and numbers, into the typed call of backend.h. One list per family, in the file of its stem.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "etalon/backend.h"
#include "properties/subject.hpp"

namespace etalon {

struct Crossing {
  std::string_view operation;
  // Answers the backend's status as it came. Throws std::invalid_argument or std::out_of_range where the call
  // lacks a tensor or a number, or a number is none that the operation's C type can hold.
  int (*call)(const etalon_operation& entry, etalon_context* context, const Call& call);
};

// The crossing of an operation; nullptr where the suite knows none of that name.
const Crossing* crossing_of(std::string_view operation);

// The same words for the same things: the view must outlive the result.
etalon_tensor crossed(const View& view);
// An attribute that is an integer. Doubles carry integers exactly up to 2^53.
std::int64_t integer_attribute(const Call& call, std::string_view name);
// The single i64 of a rank-0 output.
std::int64_t* count_of(const Call& call);

std::span<const Crossing> embedding_crossings();
std::span<const Crossing> linear_crossings();
std::span<const Crossing> position_crossings();
std::span<const Crossing> input_crossings();
std::span<const Crossing> tokenizer_crossings();

}  // namespace etalon
