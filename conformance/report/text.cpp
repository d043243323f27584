#include "conformance/report/text.hpp"

#include <fmt/format.h>
#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>

namespace etalon {
namespace {

constexpr int reference_digits = 30;

std::string painted(std::string_view text, Mark mark, const TextStyle& style) {
  if (!style.color) return std::string(text);
  constexpr std::string_view codes[] = {"32", "1;31", "33", "2"};
  return fmt::format("\x1b[{}m{}\x1b[0m", codes[static_cast<std::size_t>(mark)], text);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  // Never "100.0%" while something is missing.
  return part < whole && share > 0.9995 ? "<100%" : fmt::format("{:.1f}%", 100 * share);
}

// --- The table ------------------------------------------------------------------------------------

constexpr std::string_view table_format = "{:<7}{:<17}{:>6} {:>11} {:>7} {:>7} {:>7} {:>6}  {:<17} {}\n";

// Rows that differ in nothing but the dtype and the counts are shown as one: everything exact.
bool is_plain(const Row& row) {
  return row.mark() == Mark::passed && row.outcome.measured == 0 && row.outcome.verdict == Verdict::pass;
}

void write_row(std::ostream& out, const Row& row, const std::string& dtypes, std::uint64_t cases,
               std::uint64_t elements, const TextStyle& style) {
  const Outcome& outcome = row.outcome;
  const bool measured = outcome.measured > 0;
  const bool failed = row.mark() == Mark::failed;
  const bool numbers = measured || (failed && outcome.witness.index >= 0);
  out << fmt::format(
      table_format, row.clause, dtypes, with_separators(cases), with_separators(elements),
      numbers ? short_number(outcome.worst_margin) : "-", numbers ? short_number(outcome.worst_ulp) : "-",
      measured ? percent(outcome.correctly_rounded, outcome.measured) : "-",
      outcome.predicted > 0 ? short_number(outcome.rms_deviation()) : "-",
      failed ? "-" : name_of(outcome.grade), painted(name_of(outcome.verdict), row.mark(), style));
}

void write_table(std::ostream& out, const std::vector<const Row*>& rows, const TextStyle& style) {
  out << fmt::format(table_format, "clause", "dtype", "cases", "elements", "margin", "ulp", "rounded", "Q",
                     "grade", "verdict");
  for (std::size_t i = 0; i < rows.size();) {
    std::string dtypes = rows[i]->dtype;
    std::uint64_t cases = rows[i]->cases - rows[i]->blind;
    std::uint64_t elements = rows[i]->outcome.elements;
    std::size_t next = i + 1;
    for (; next < rows.size() && rows[next]->clause == rows[i]->clause; ++next) {
      if (!is_plain(*rows[i]) || !is_plain(*rows[next])) break;
      dtypes += " " + rows[next]->dtype;
      cases += rows[next]->cases - rows[next]->blind;
      elements += rows[next]->outcome.elements;
    }
    write_row(out, *rows[i], dtypes, cases, elements, style);
    i = next;
  }
}

const Finding* decisive(const Row& row) {
  const Finding* worst = nullptr;
  for (const Finding* finding : row.findings) {
    if (finding->cases == 0) continue;
    if (!worst || finding->outcome.worst_margin > worst->outcome.worst_margin) worst = finding;
  }
  return worst;
}

// The passing rows that came nearest to their bounds, with the case and the element.
void write_closest(std::ostream& out, const std::vector<const Row*>& rows) {
  std::vector<const Row*> measured;
  for (const Row* row : rows) {
    if (row->mark() == Mark::passed && row->outcome.measured > 0 && row->outcome.worst_margin > 0)
      measured.push_back(row);
  }
  const std::size_t shown = std::min<std::size_t>(3, measured.size());
  std::partial_sort(
      measured.begin(), measured.begin() + static_cast<std::ptrdiff_t>(shown), measured.end(),
      [](const Row* a, const Row* b) { return a->outcome.worst_margin > b->outcome.worst_margin; });
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& finding = *decisive(*measured[i]);
    const Witness& witness = finding.outcome.witness;
    const std::string element =
        witness.index < 0 ? "" : element_name(witness.tensor, witness.shape, witness.index);
    const bool fits = finding.worst_case.size() + element.size() < 86;
    out << (i == 0 ? "nearest to its bound:\n" : "")
        << fmt::format("{:>8}  {}{}{}\n", short_number(finding.outcome.worst_margin), finding.worst_case,
                       fits ? "  " : "\n          ", element);
  }
}

// What a subject does not offer, by the dtypes for which it does not.
void write_declined(std::ostream& out, const std::vector<const Row*>& rows) {
  std::map<std::string, std::string> dtypes_of;  // by clause
  std::vector<std::string> order;                // of clauses, then of sets of dtypes
  for (const Row* row : rows) {
    std::string& dtypes = dtypes_of[row->clause];
    if (dtypes.empty()) order.push_back(row->clause);
    dtypes += (dtypes.empty() ? "" : " ") + row->dtype;
  }
  std::map<std::string, std::vector<std::string>> clauses_of;
  for (const std::string& clause : order) clauses_of[dtypes_of[clause]].push_back(clause);
  for (const auto& [dtypes, clauses] : clauses_of) {
    out << "not offered" << (dtypes == "-" ? "" : " in " + dtypes) << ":" << joined_tokens(clauses) << '\n';
  }
}

void write_subject(std::ostream& out, const std::string& name, const std::string& about,
                   const std::vector<Row>& all, const TextStyle& style) {
  std::vector<const Row*> judged;
  std::vector<const Row*> declined;
  for (const Row& row : all) {
    if (row.subject == name) (row.mark() == Mark::skipped ? declined : judged).push_back(&row);
  }
  if (judged.empty() && declined.empty()) return;
  out << name << (about.empty() ? "" : "  " + about) << '\n';
  if (!judged.empty()) write_table(out, judged, style);
  write_closest(out, judged);
  write_declined(out, declined);
  out << '\n';
}

// --- One finding in full ----------------------------------------------------------------------------

void write_field(std::ostream& out, std::string_view key, const std::string& value) {
  if (!value.empty()) out << fmt::format("{:>12}: {}\n", key, value);
}

std::string value_text(Dtype dtype, std::uint64_t bits) {
  const std::size_t hex_digits = 2 * size_of(dtype);
  if (!is_float(dtype))
    return fmt::format("{}  0x{:0{}x}", static_cast<std::int64_t>(bits), bits, hex_digits);
  return fmt::format("{:<24} 0x{:0{}x}", fmt::format("{:.17g}", decode(format_of(dtype), bits)), bits,
                     hex_digits);
}

// The error in ulp of the format's own name, and against the bound.
std::string error_text(const Witness& witness) {
  const bool number = is_float(witness.dtype) && std::isfinite(decode(format_of(witness.dtype), witness.got));
  if (!number || !std::isfinite(witness.ulp_error)) return "";  // the reason tells the class
  const std::string ulps =
      fmt::format("{} ulp of {}", short_number(witness.ulp_error), name_of(witness.dtype));
  if (std::isnan(witness.bound)) return ulps + "; no bound is proven for the declared model";
  if (witness.bound == 0) return ulps + "; the bits must agree (bound 0)";
  return ulps + fmt::format("; {} times the bound of {:.3e}", short_number(witness.margin), witness.bound);
}

std::string reference_text(const Ball& truth) {
  if (!truth.finite()) return fmt::format("{}", truth.hi);
  const std::string value = decimal_of(truth, reference_digits);
  return truth.is_exact() ? value + " (exact)" : value + fmt::format(" +- {:.1e}", truth.radius);
}

void write_witness(std::ostream& out, const Witness& witness) {
  if (witness.index < 0) return;
  write_field(
      out, "element",
      element_name(witness.tensor, witness.shape, witness.index) + " of shape " + to_string(witness.shape));
  write_field(out, "got", value_text(witness.dtype, witness.got));
  write_field(out, "want", value_text(witness.dtype, witness.want));
  if (!is_float(witness.dtype)) return;
  write_field(out, "reference", reference_text(witness.truth));
  write_field(out, "error", error_text(witness));
}

// --- The end ----------------------------------------------------------------------------------------

void write_undecided(std::ostream& out, const std::vector<Row>& rows, const TextStyle& style) {
  for (const Row& row : rows) {
    if (row.mark() != Mark::undecided) continue;
    const Finding* finding = nullptr;
    for (const Finding* each : row.findings) {
      if (each->cases > 0 && each->outcome.verdict == row.outcome.verdict) finding = each;
    }
    out << fmt::format("{}  {} on {}, {}: {}\n",
                       painted(name_of(row.outcome.verdict), Mark::undecided, style), row.clause, row.subject,
                       row.dtype,
                       finding ? finding->outcome.witness.reason + "  (" + finding->worst_case + ")" : "");
  }
}

void write_unjudged(std::ostream& out, const Report& report, const std::vector<Row>& rows) {
  std::set<std::string> judged;
  for (const Row& row : rows) {
    if (row.mark() != Mark::skipped) judged.insert(row.clause);
  }
  std::vector<std::string> unjudged;
  for (const std::string& clause : report.clauses) {
    if (!judged.contains(clause)) unjudged.push_back(clause);
  }
  if (!unjudged.empty()) out << "clauses that no subject was judged on:" << joined_tokens(unjudged) << '\n';
}

}  // namespace

std::string decimal_of(const Ball& ball, int digits) {
  // 2200 bits hold the exact sum of any two doubles.
  mpfr_t sum;
  mpfr_init2(sum, 2200);
  mpfr_set_d(sum, ball.hi, MPFR_RNDN);
  mpfr_add_d(sum, sum, ball.lo, MPFR_RNDN);
  char* text = nullptr;
  mpfr_asprintf(&text, "%.*Rg", digits, sum);
  std::string result(text);
  mpfr_free_str(text);
  mpfr_clear(sum);
  return result;
}

std::string element_name(std::string_view tensor, const Shape& shape, std::int64_t index) {
  Shape position = shape;
  for (int axis = shape.rank - 1; axis >= 0; --axis) {
    const std::int64_t extent = std::max<std::int64_t>(shape[axis], 1);
    position.extent[static_cast<std::size_t>(axis)] = index % extent;
    index /= extent;
  }
  return std::string(tensor) + to_string(position);
}

std::string shell_quoted(std::string_view text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-./,=@+:%") == std::string_view::npos;
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void write_finding(std::ostream& out, const Finding& finding, const spec::Book& book,
                   const TextStyle& style) {
  const spec::Clause* clause = book.find(finding.clause);
  const Witness& witness = finding.outcome.witness;
  out << fmt::format("{}  {} on {}, {}\n",
                     painted(name_of(finding.outcome.verdict), mark_of(finding.outcome.verdict), style),
                     clause ? clause->heading() : finding.clause, finding.subject, finding.dtype);
  write_field(out, "case", finding.worst_case);
  if (finding.cases > 1) write_field(out, "cases", fmt::format("{}; this one decides", finding.cases));
  write_witness(out, witness);
  write_field(out, "reason", witness.reason);
  write_field(out, "spec", "etalon spec " + finding.clause);
  write_field(
      out, "replay",
      "./etalon replay --backend " + shell_quoted(finding.subject) + " " + "'" + finding.worst_case + "'");
}

void write_report(std::ostream& out, const Report& report, const spec::Book& book, const TextStyle& style) {
  const std::vector<Row> rows = rows_of(report.findings);
  for (const auto& [name, about] : report.subjects) write_subject(out, name, about, rows, style);
  for (const Finding& finding : report.findings) {
    if (finding.cases == 0 || mark_of(finding.outcome.verdict) != Mark::failed) continue;
    write_finding(out, finding, book, style);
    out << '\n';
  }
  write_undecided(out, rows, style);
  write_unjudged(out, report, rows);
  const Totals totals = totals_of(rows);
  std::set<std::string> clauses;
  std::set<std::string> subjects;
  for (const Row& row : rows) {
    if (row.mark() == Mark::skipped) continue;
    clauses.insert(row.clause);
    subjects.insert(row.subject);
  }
  out << fmt::format("{} clauses judged on {}, {} cases, {} output elements, {:.1f} s\n", clauses.size(),
                     subjects.size() == 1 ? "1 subject" : fmt::format("{} subjects", subjects.size()),
                     with_separators(totals.cases), with_separators(totals.elements), report.seconds);
  if (totals.blind > 0)
    out << fmt::format("{} more cases passed but cannot tell a faulty subject from an honest one\n",
                       with_separators(totals.blind));
  if (totals.undecided > 0)
    out << fmt::format("{} of the skipped rows were left undecided\n", totals.undecided);
  out << fmt::format("{} passed, {} failed, {} skipped\n", totals.passed, totals.failed,
                     totals.skipped + totals.undecided);
}

}  // namespace etalon
