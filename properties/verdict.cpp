// NUM-5: names of verdicts and grades, and the addition of outcomes.
#include "properties/verdict.hpp"

#include <algorithm>
#include <cmath>

namespace etalon {
namespace {

// How strongly a verdict decides when cases are added up; an unsupported one says nothing at all.
int severity(Verdict verdict) {
  switch (verdict) {
    case Verdict::unsupported:
      return 0;
    case Verdict::pass:
      return 1;
    case Verdict::known:
      return 2;
    case Verdict::mistrusted:
      return 3;
    case Verdict::no_bound:
      return 4;
    case Verdict::inconclusive:
      return 5;
    case Verdict::unexpected_pass:
      return 6;
    case Verdict::fail:
      return 7;
    case Verdict::timeout:
      return 8;
    case Verdict::crash:
      return 9;
  }
  return 9;
}

bool empty(const Witness& witness) { return witness.index < 0 && witness.reason.empty(); }

// Of two witnesses to the same verdict: the first where something is wrong, else the larger margin.
bool replaces(const Witness& other, const Witness& own, Verdict verdict) {
  if (empty(other)) return false;
  if (empty(own)) return true;
  return verdict == Verdict::pass && other.margin > own.margin;
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::fail:
      return "FAIL";
    case Verdict::inconclusive:
      return "INCONCLUSIVE";
    case Verdict::no_bound:
      return "NO_BOUND";
    case Verdict::mistrusted:
      return "MISTRUSTED";
    case Verdict::unsupported:
      return "UNSUPPORTED";
    case Verdict::crash:
      return "CRASH";
    case Verdict::timeout:
      return "TIMEOUT";
    case Verdict::known:
      return "KNOWN";
    case Verdict::unexpected_pass:
      return "UNEXPECTED_PASS";
  }
  return "?";
}

std::string_view name_of(Grade grade) {
  switch (grade) {
    case Grade::exact:
      return "exact";
    case Grade::correctly_rounded:
      return "correctly rounded";
    case Grade::faithful:
      return "faithful";
    case Grade::within_bound:
      return "within bound";
    case Grade::none:
      return "none";
  }
  return "?";
}

void Outcome::absorb(const Outcome& other) {
  const int own_severity = severity(verdict);
  const int other_severity = severity(other.verdict);
  if (other_severity > own_severity) {
    verdict = other.verdict;
    witness = other.witness;
  } else if (other_severity == own_severity && replaces(other.witness, witness, verdict)) {
    witness = other.witness;
  }
  grade = std::max(grade, other.grade);
  elements += other.elements;
  measured += other.measured;
  correctly_rounded += other.correctly_rounded;
  worst_margin = std::fmax(worst_margin, other.worst_margin);
  worst_ulp = std::fmax(worst_ulp, other.worst_ulp);
  sum_ulp += other.sum_ulp;
  predicted += other.predicted;
  sum_deviation += other.sum_deviation;
  sum_square_deviation += other.sum_square_deviation;
  usual.absorb(other.usual);
}

double Outcome::rms_deviation() const {
  return predicted == 0 ? 0 : std::sqrt(sum_square_deviation / static_cast<double>(predicted));
}

double Outcome::bias() const {
  return predicted == 0 ? 0 : std::fabs(sum_deviation) / std::sqrt(static_cast<double>(predicted));
}

}  // namespace etalon
