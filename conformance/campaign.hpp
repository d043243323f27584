// A run of many laws and fixtures over many subjects, on all cores. The result depends on what was asked
// for alone, never on the order in which the work was done.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "conformance/fixtures.hpp"
#include "conformance/host/isolation.hpp"
#include "conformance/report/results.hpp"
#include "properties/runner.hpp"

namespace etalon {

// A subject that takes part, under the name by which `--backend` finds it again.
struct Entrant {
  std::string name;
  std::string about;  // one line for the report
  SubjectFactory make;
  bool is_own = false;  // part of the suite: only the laws of what it offers concern it
};

// The suite's own subjects: the reference, and the two reference tokenizers.
std::vector<Entrant> own_entrants();

// `work` with a new subject. Where none can be made, `blank` with the verdict FAIL and the reason.
Finding with_subject(const Entrant& entrant, Finding blank, const std::function<Finding(Subject&)>& work);

struct Selection {
  std::vector<std::string> clauses;  // glob patterns, `*` and `?`; empty: all
  std::vector<Dtype> dtypes;         // empty: all, and laws without dtype
  RunOptions options;
  bool asks_trust = false;  // runs mutants on every case: those on which none fails are counted as blind
  int jobs = 1;             // pieces of work at a time, >= 1
  // Each in a child process of its own, within these limits; or in threads of this process, where a
  // subject's crash is a crash of the suite: for sanitizers and debuggers.
  bool isolated = true;
  Limits limits;

  bool takes_clause(std::string_view clause) const;
  bool takes_dtype(Dtype dtype) const;
};

// `*` stands for any characters, `?` for one; letters of either case agree.
bool glob_matches(std::string_view pattern, std::string_view text);

// Called by one thread at a time, after each piece of work: how many of how many are done.
using Progress = std::function<void(std::size_t done, std::size_t all, const Finding& last)>;

// Laws without operations run once, on "reference"; every other law on each entrant, every fixture on
// each entrant that is no tokenizer of the suite's own. Findings come in the order entrant, spec, dtype.
// One child process never serves two entrants: what the one does to its memory is not the other's fault.
std::vector<Finding> run_campaign(const std::vector<Entrant>& entrants, const std::vector<Fixture>& fixtures,
                                  const Selection& selection, const Progress& progress = {});

}  // namespace etalon
