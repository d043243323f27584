// A law is a property over any subject: parameters, the cases worth naming, and the check of one
// case. RapidCheck draws further cases from the parameters and shrinks those that fail.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "properties/subject.hpp"

namespace etalon {

class Trial;

enum class Level : int { smoke, standard, full };
std::string_view name_of(Level level);

// One integer parameter of a law. Random cases take an edge half of the time, else a value of
// [low, high]; shrinking goes towards `low`. Labels name the values 0, 1, ... of an enumeration.
struct Parameter {
  std::string_view name;
  std::int64_t low = 0;
  std::int64_t high = 0;
  std::vector<std::int64_t> edges;
  std::vector<std::string_view> labels;
  std::vector<std::int64_t> only;  // non-empty: no value but these

  static Parameter range(std::string_view name, std::int64_t low, std::int64_t high,
                         std::vector<std::int64_t> edges = {});
  static Parameter choice(std::string_view name, std::vector<std::string_view> labels);
  static Parameter one_of(std::string_view name, std::vector<std::int64_t> values);  // these only
};

// A case worth naming: one value per parameter, run from the given level up.
struct Example {
  Level from = Level::smoke;
  std::vector<std::int64_t> values;
};

struct Law {
  std::string_view name;                     // "pos_4_rotation_identity": clause token, then intent
  std::string_view clause;                   // "POS-4"
  std::string_view intent;                   // one sentence: what it shows
  std::vector<std::string_view> operations;  // those it calls; empty: a law of the reference itself
  std::vector<Dtype> dtypes;                 // empty: does not depend on a dtype
  std::vector<Parameter> parameters;
  std::vector<Example> examples;
  void (*check)(Trial&) = nullptr;
  bool (*applies)(const Model&) = nullptr;  // DECLARED clauses: null means always
  bool draws = true;  // false: the examples are all there is, each as small as it can be
};

// One case of a law. Its name is its selector: "pos_4_rotation_identity/f32/n=3,d=4,layout=halves",
// followed by "@7" for a seed other than 0. Laws without dtype have "-" in the second place.
struct Case {
  const Law* law = nullptr;
  Dtype dtype = Dtype::u8;
  std::vector<std::int64_t> values;  // one per parameter
  std::uint64_t seed = 0;

  std::string name() const;
};

// Every law of every family, in the order of the spec.
std::span<const Law> all_laws();
// The case of that name; nullopt with the reason in `error`.
std::optional<Case> case_named(std::string_view name, std::string& error);

// One list per family; all_laws() strings them together.
std::vector<Law> sequences_laws();
std::vector<Law> vocabulary_laws();
std::vector<Law> tokenizer_laws();
std::vector<Law> embedding_laws();
std::vector<Law> position_laws();
std::vector<Law> input_laws();
std::vector<Law> linear_laws();
std::vector<Law> numerics_laws();
std::vector<Law> tensors_laws();

// Dtypes as the laws use them.
std::vector<Dtype> float_dtypes();  // f64, f32, bf16, f16

}  // namespace etalon
