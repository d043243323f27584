// What the lists of faulty position codes share.
#pragma once

#include "properties/mutants/mutant.hpp"
#include "properties/mutants/position_subject.hpp"

namespace etalon::coding {

using Make = std::function<std::unique_ptr<Subject>()>;

// A coder with that entry: everything else is honest, the angle formed in binary64.
inline Make coder(const Entry& entry) {
  return [entry] { return std::make_unique<Coder>(Angle::in_double, entry); };
}

// A coder with honest entries and one other habit. State that `alter` makes belongs to the one subject.
inline Make altered(void (*alter)(Coder&)) {
  return [alter] {
    auto subject = std::make_unique<Coder>(Angle::in_double, double_entry);
    alter(*subject);
    return subject;
  };
}

std::vector<Mutant> formula_mutants();     // another formula than POS-2
std::vector<Mutant> arithmetic_mutants();  // the formula, with too few bits somewhere
std::vector<Mutant> call_mutants();        // special values, state, single elements, refusals
std::vector<Mutant> learned_mutants();     // learned tables

}  // namespace etalon::coding
