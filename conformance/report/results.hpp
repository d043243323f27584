// What a run found: one finding for each law (or fixture file), dtype and subject; one row for each
// clause, dtype and subject; and what the whole run amounts to.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "properties/verdict.hpp"

namespace etalon {

// All cases of one law, or of one clause's fixture file, on one dtype and one subject.
struct Finding {
  std::string subject;  // as reports and `replay --backend` name it
  std::string clause;   // "POS-4"
  std::string law;      // "pos_4_rotation_identity", or "fixtures/position/pos_4.json"
  std::string dtype;    // "f32"; "-" where it depends on none
  Outcome outcome;
  std::uint64_t cases = 0;        // run and judged
  std::uint64_t unsupported = 0;  // declined
  std::string worst_case;         // selector of the case that decides, as `replay` takes it
  // Where trust was asked for: judged cases on which no planted fault shows, the first of them, and the least
  // ratio of effect to bound among the others.
  std::uint64_t blind = 0;
  std::string blind_case = {};
  double least_ratio = std::numeric_limits<double>::infinity();
};

// What a verdict means for the count of a run.
enum class Mark : int { passed, failed, undecided, skipped };
Mark mark_of(Verdict verdict);

// All findings of one clause on one dtype and one subject. A row is judged unless all its cases were
// declined.
struct Row {
  std::string subject;
  std::string clause;
  std::string dtype;
  Outcome outcome;
  std::uint64_t cases = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t blind = 0;
  std::vector<const Finding*> findings;  // in the order they were given

  Mark mark() const { return cases == 0 ? Mark::skipped : mark_of(outcome.verdict); }
};

// Rows in the order in which subject, clause and dtype first appear. The findings must outlive them.
std::vector<Row> rows_of(const std::vector<Finding>& findings);

struct Totals {
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t undecided = 0;  // INCONCLUSIVE, NO_BOUND, MISTRUSTED
  std::uint64_t skipped = 0;    // declined
  std::uint64_t elements = 0;
  std::uint64_t cases = 0;
  std::uint64_t blind = 0;  // beside them: cases that show nothing
};
Totals totals_of(const std::vector<Row>& rows);

// The exit status of the program.
enum class Exit : int {
  passed = 0,
  failed = 1,
  usage = 2,
  slower = 3,        // a performance regression
  inconclusive = 4,  // not every row that ran could be decided
  nothing_ran = 5,
  not_loaded = 6,  // a subject could not be loaded
  internal = 70,
};
Exit exit_of(const Totals& totals);

}  // namespace etalon
