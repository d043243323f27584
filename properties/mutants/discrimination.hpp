// What a case is worth: the effect that a planted fault has on it, in units of the bound.
#pragma once

#include <map>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/law.hpp"
#include "properties/mutants/mutant.hpp"

namespace etalon {

// The least that both declare: what it admits, an honest subject of either may do.
Model looser_of(const Model& a, const Model& b);

// Runs mutants on cases. A case on which none is refuted cannot tell a faulty subject from an honest one.
class Discrimination {
 public:
  // The margin of the first mutant that the case refutes, infinite where nothing but the exact result will
  // do; at most 1 where it refutes none, and NaN where there is no mutant to ask. Bounds are those of the
  // looser of the subject's and the mutant's models, so that it is the fault that is refuted and nothing
  // else.
  double ratio(const Case& test_case, const Subject& subject);

 private:
  struct Candidate {
    const Mutant* mutant;
    std::unique_ptr<Subject> subject;  // made when first asked
  };
  std::vector<Candidate>& candidates(const Law& law, Dtype dtype);

  // Those of the law's own clause first, and before them whichever was refuted last.
  std::map<std::pair<const Law*, Dtype>, std::vector<Candidate>> candidates_;
};

}  // namespace etalon
