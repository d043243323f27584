// A mutant is a subject that computes wrongly in one respect, the way real code has been wrong. The suite is
// worth what it refutes of them: `etalon power` counts.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "properties/subject.hpp"

namespace etalon {

// A kind of fault, as it is met in implementations; every kind has at least two forms, each a mutant.
struct FaultKind {
  std::string_view name;   // "origin"
  std::string_view does;   // what such a subject does
  std::string_view hides;  // where it does not show: what ordinary tests are made of
};

// How often a kind's form is met: in most projects at some time, now and then, or seldom.
enum class Frequency : int { common, occasional, rare };
std::string_view name_of(Frequency frequency);

// A dtype on which the fault changes no result, and why.
struct Equivalence {
  Dtype dtype;
  std::string_view why;
};

struct Mutant {
  std::string_view name;    // "scale_missing": unique among mutants and variants
  std::string_view kind;    // of fault_kinds()
  std::string_view clause;  // that must refute it, on every dtype
  Frequency met = Frequency::common;
  std::string_view does;                           // one sentence: what it does wrongly
  std::vector<std::string_view> operations;        // those it gets wrong; it offers no other
  std::vector<Dtype> dtypes;                       // those on which it differs; {u8} for tokenizers
  std::function<std::unique_ptr<Subject>()> make;  // of all_mutants(): offers what is named here and no more
  std::vector<Equivalence> equivalent = {};
};

std::span<const FaultKind> fault_kinds();
std::span<const Mutant> all_mutants();

// Lists one after the other.
using MutantList = std::vector<Mutant> (*)();
std::vector<Mutant> joined(std::initializer_list<MutantList> lists);

// One list per family; all_mutants() strings them together.
std::vector<Mutant> tokenizer_mutants();
std::vector<Mutant> embedding_mutants();
std::vector<Mutant> position_mutants();
std::vector<Mutant> input_mutants();
std::vector<Mutant> linear_mutants();
std::vector<Mutant> tensors_mutants();  // how memory is used, whatever the operation

// The subject, offering nothing but those operations on those dtypes.
std::unique_ptr<Subject> restricted(std::unique_ptr<Subject> subject, std::string_view name,
                                    std::vector<std::string_view> operations, std::vector<Dtype> dtypes);

}  // namespace etalon
