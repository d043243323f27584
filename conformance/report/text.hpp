// The report for people: a table per subject, the failures in full, what was left undecided, the totals.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/results.hpp"
#include "conformance/report/words.hpp"
#include "spec/checker.hpp"

namespace etalon {

struct TextStyle {
  bool color = false;  // ANSI colours for verdicts, nothing else
};

struct Report {
  std::vector<Finding> findings;
  // Clauses that were asked for, in the order of the spec; those no subject was judged on are named.
  std::vector<std::string> clauses;
  // One line a subject beneath its name: version, file. Same order as the subjects appear.
  std::vector<std::pair<std::string, std::string>> subjects;
  double seconds = 0;
};

// Everything; the last line is "N passed, N failed, N skipped", where rows that could not be decided
// count as skipped and are named above it.
void write_report(std::ostream& out, const Report& report, const spec::Book& book, const TextStyle& style);

// One finding in full: the clause, the case, the worst element, both values, the reference, the error,
// the reason, and the commands that show the clause and run the case again.
void write_finding(std::ostream& out, const Finding& finding, const spec::Book& book, const TextStyle& style);

// hi + lo, correctly rounded to `digits` significant decimal digits.
std::string decimal_of(const Ball& ball, int digits);
// "out(2, 0)": an element by its index along each axis.
std::string element_name(std::string_view tensor, const Shape& shape, std::int64_t index);
// The text in single quotes where a shell would take it apart otherwise.
std::string shell_quoted(std::string_view text);

}  // namespace etalon
