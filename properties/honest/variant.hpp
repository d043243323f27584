// An honest variant is a legitimate algorithm for an operation, as libraries use them. It declares its
// arithmetic model truthfully and must pass: one that fails is a false alarm of the suite.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "properties/subject.hpp"

namespace etalon {

struct Variant {
  std::string_view name;  // "sum_pairwise": unique among mutants and variants
  std::string_view does;  // one sentence: how it computes
  std::vector<std::string_view> operations;
  std::vector<Dtype> dtypes;
  std::function<std::unique_ptr<Subject>()> make;
};

std::span<const Variant> all_variants();

// One list per family; all_variants() strings them together.
std::vector<Variant> tokenizer_variants();
std::vector<Variant> embedding_variants();
std::vector<Variant> position_variants();
std::vector<Variant> input_variants();
std::vector<Variant> linear_variants();

}  // namespace etalon
