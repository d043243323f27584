#include "conformance/report/results.hpp"

#include <map>
#include <tuple>

namespace etalon {

Mark mark_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
    case Verdict::known:
      return Mark::passed;
    case Verdict::fail:
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::unexpected_pass:
      return Mark::failed;
    case Verdict::inconclusive:
    case Verdict::no_bound:
    case Verdict::mistrusted:
      return Mark::undecided;
    case Verdict::unsupported:
      return Mark::skipped;
  }
  return Mark::undecided;
}

std::vector<Row> rows_of(const std::vector<Finding>& findings) {
  std::vector<Row> rows;
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> places;
  for (const Finding& finding : findings) {
    const auto [place, is_new] =
        places.try_emplace({finding.subject, finding.clause, finding.dtype}, rows.size());
    if (is_new)
      rows.push_back({finding.subject, finding.clause, finding.dtype, finding.outcome, 0, 0, 0, {}});
    Row& row = rows[place->second];
    // Declined findings must not hide what the judged ones found, nor count against them.
    if (finding.cases > 0 && row.cases == 0) {
      row.outcome = finding.outcome;
    } else if (finding.cases > 0) {
      row.outcome.absorb(finding.outcome);
    }
    row.cases += finding.cases;
    row.unsupported += finding.unsupported;
    row.blind += finding.blind;
    row.findings.push_back(&finding);
  }
  return rows;
}

Totals totals_of(const std::vector<Row>& rows) {
  Totals totals;
  for (const Row& row : rows) {
    totals.cases += row.cases - row.blind;
    totals.blind += row.blind;
    if (row.cases > 0) totals.elements += row.outcome.elements;
    switch (row.mark()) {
      case Mark::passed:
        ++totals.passed;
        break;
      case Mark::failed:
        ++totals.failed;
        break;
      case Mark::undecided:
        ++totals.undecided;
        break;
      case Mark::skipped:
        ++totals.skipped;
        break;
    }
  }
  return totals;
}

Exit exit_of(const Totals& totals) {
  if (totals.failed > 0) return Exit::failed;
  if (totals.undecided > 0) return Exit::inconclusive;
  return totals.passed > 0 ? Exit::passed : Exit::nothing_ran;
}

}  // namespace etalon
