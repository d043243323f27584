// What the lists of faulty matrix products share.
#pragma once

#include "properties/mutants/linear_subject.hpp"
#include "properties/mutants/mutant.hpp"

namespace etalon::multiplying {

// The plain loop with one habit that is not honest.
inline std::function<std::unique_ptr<Subject>()> spoiled(void (*spoil)(Habits&)) {
  return [spoil] {
    Habits habits;
    spoil(habits);
    return std::make_unique<Multiplier>(habits);
  };
}

std::vector<Mutant> arithmetic_mutants();  // operands, sums, special values, tails of tiles
std::vector<Mutant> operand_mutants();     // transpositions, strides, memory, what is kept between calls
std::vector<Mutant> scaling_mutants();     // alpha, beta, what they leave unread, empty sizes, the bias

}  // namespace etalon::multiplying
