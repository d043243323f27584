// Runs laws over subjects: the named examples, then cases drawn and shrunk by RapidCheck.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "properties/law.hpp"
#include "properties/verdict.hpp"

namespace etalon {

struct RunOptions {
  Level level = Level::standard;
  std::uint64_t seed = 0;
  std::function<void(const Case&)> begins = nullptr;  // told of every case before it runs
  bool shrinks = true;                                // makes the first failing case smaller
  bool asks_usual_rules = false;                      // Outcome::usual is filled
  // Effect over bound of a planted fault on a case, under the subject's bounds. A case that passes and where
  // it is not above 1 cannot tell: it is blind. Null: nothing is asked.
  std::function<double(const Case&, const Subject&)> ratio = nullptr;
};

// All cases of one law on one dtype and one subject, added up.
struct LawResult {
  const Law* law = nullptr;
  Dtype dtype = Dtype::u8;
  Outcome outcome;
  std::uint64_t cases = 0;        // run and judged
  std::uint64_t unsupported = 0;  // declined
  std::uint64_t blind = 0;        // of the judged ones: no planted fault shows on them
  std::string blind_case;         // the first of them
  double least_ratio = std::numeric_limits<double>::infinity();  // of the passing cases that are not blind
  std::string worst_case;  // name of the case that decides: the shrunk failing one, else the worst margin
};

// What a check finds on a trial. Never throws: a fault of the suite's own is reported as inconclusive.
Outcome outcome_of(Trial& trial, const std::function<void(Trial&)>& check);
// One case, nothing around it.
Outcome run_case(const Case& test_case, Subject& subject, bool asks_usual_rules = false);
LawResult run_law(const Law& law, Dtype dtype, Subject& subject, const RunOptions& options);
// The dtypes a law runs on: its own, or a single placeholder where it depends on none.
std::vector<Dtype> dtypes_of(const Law& law);

// The suite's own subjects: the reference, correctly rounded; the two reference tokenizers.
SubjectFactory reference_subject();
SubjectFactory longest_match_subject();
SubjectFactory byte_bpe_subject();

}  // namespace etalon
