#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "conformance/report/power.hpp"
#include "conformance/report/words.hpp"

namespace etalon {
namespace {

constexpr std::size_t rules = usual_rules.size();

// The forms of one mutant, or of all mutants of a kind, added up.
struct Tally {
  std::size_t forms = 0;
  std::size_t killed = 0;
  std::size_t claimed = 0;               // killed by the clause that claims it
  std::array<std::size_t, 4> by_tier{};  // forms that some refutation of the tier killed
  std::array<std::size_t, rules> by_rule{};
  double least_ratio = INFINITY;  // of the best refutation of each form

  void add(const MutantForm& form) {
    ++forms;
    killed += form.killed() ? 1U : 0U;
    claimed += form.killed_where_claimed() ? 1U : 0U;
    std::set<Tier> tiers;
    double ratio = 0;
    for (const Refutation& each : form.refutations) {
      tiers.insert(each.tier);
      ratio = std::max(ratio, each.ratio);
    }
    for (const Tier tier : tiers) ++by_tier[static_cast<std::size_t>(tier)];
    for (std::size_t rule = 0; rule < rules; ++rule) by_rule[rule] += form.usual.told[rule] > 0 ? 1U : 0U;
    if (form.killed()) least_ratio = std::min(least_ratio, ratio);
  }
};

std::string counts(const Tally& tally) {
  std::string text = fmt::format("{:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  ", tally.forms, tally.killed,
                                 tally.by_tier[0], tally.by_tier[1], tally.by_tier[2], tally.by_tier[3]);
  for (const std::size_t kills : tally.by_rule) text += fmt::format(" {:>5}", kills);
  return text;
}

std::string heading() {
  std::string text = fmt::format("{:<30} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5}  ", "", "forms", "killed", "T0",
                                 "T1", "call", "death");
  for (const UsualRule& rule : usual_rules) text += fmt::format(" {:>5.5}", rule.name);
  return text + "  refuted by\n";
}

// The clauses that refuted it, its own first.
std::string clauses_of(const std::vector<const MutantForm*>& forms) {
  std::vector<std::string> others;
  for (const MutantForm* form : forms) {
    for (const Refutation& each : form->refutations) {
      const bool known = std::find(others.begin(), others.end(), each.clause) != others.end();
      if (!known && each.clause != form->mutant->clause) others.push_back(each.clause);
    }
  }
  const bool own = std::any_of(forms.begin(), forms.end(),
                               [](const MutantForm* form) { return form->killed_where_claimed(); });
  const std::string text = own ? std::string(forms.front()->mutant->clause) : "";
  return text + (others.empty() ? "" : (own ? "," : "") + joined_tokens(others));
}

void write_kind(std::ostream& out, const FaultKind& kind, const std::vector<MutantForm>& all) {
  Tally sum;
  std::string lines;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t next = i;
    std::vector<const MutantForm*> forms;
    for (; next < all.size() && all[next].mutant == all[i].mutant; ++next) forms.push_back(&all[next]);
    if (all[i].mutant->kind == kind.name) {
      Tally tally;
      for (const MutantForm* form : forms) tally.add(*form), sum.add(*form);
      lines += fmt::format("  {:<28} {}  {}\n", all[i].mutant->name, counts(tally), clauses_of(forms));
    }
    i = next;
  }
  if (sum.forms == 0) return;
  out << fmt::format("\n{}: {}; hidden by: {}\n", kind.name, kind.does, kind.hides) << lines;
}

void write_survivors(std::ostream& out, const Power& power) {
  for (const MutantForm& form : power.mutants) {
    if (form.killed_where_claimed()) continue;
    out << fmt::format("{} {} in {}: {} ({})\n", form.killed() ? "MISCLAIMED" : "SURVIVED", form.mutant->name,
                       name_of(form.dtype), form.mutant->does, form.mutant->clause);
  }
}

void write_alarms(std::ostream& out, const Power& power) {
  for (const VariantForm& form : power.variants) {
    for (const Finding& each : form.undecided) {
      out << fmt::format("UNDECIDED {} in {}: {} at {}: {}\n", form.variant->name, name_of(form.dtype),
                         name_of(each.outcome.verdict), each.worst_case, each.outcome.witness.reason);
    }
    for (const Finding& alarm : form.alarms) {
      out << fmt::format("FALSE ALARM {} in {}: {} at {} margin {}: {}\n", form.variant->name,
                         name_of(form.dtype), name_of(alarm.outcome.verdict), alarm.worst_case,
                         short_number(alarm.outcome.worst_margin), alarm.outcome.witness.reason);
    }
  }
}

std::string share(std::size_t part, std::size_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{} of {} ({:.0f}%)", part, whole,
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

// Killing is worth nothing where honest code is rejected as well: both sides, rule by rule.
void write_comparison(std::ostream& out, const Power& power) {
  Tally mutants;
  for (const MutantForm& form : power.mutants) mutants.add(form);
  out << fmt::format("\n{:<10} {:<20} {:<24} {}\n", "rule", "mutants killed", "honest code rejected",
                     "honest outputs rejected");
  out << fmt::format("{:<10} {:<20} {:<24} {}\n", "etalon", share(mutants.killed, mutants.forms),
                     share(power.alarms(), power.variants.size()), "-");
  for (std::size_t rule = 0; rule < rules; ++rule) {
    std::size_t rejected = 0;
    Usual usual;
    for (const VariantForm& form : power.variants) {
      rejected += form.usual.rejected[rule] > 0 ? 1U : 0U;
      usual.absorb(form.usual);
    }
    out << fmt::format("{:<10} {:<20} {:<24} {}\n", usual_rules[rule].name,
                       share(mutants.by_rule[rule], mutants.forms), share(rejected, power.variants.size()),
                       share(usual.rejected[rule], usual.outputs));
  }
  for (const UsualRule& rule : usual_rules) out << fmt::format("  {:<9} {}\n", rule.name, rule.accepts);
}

// How near honest arithmetic comes to every bound: at 1 it is tight, beyond it the derivation is wrong.
void write_attacks(std::ostream& out, const Power& power) {
  if (power.attacks.empty()) return;
  out << fmt::format("\n{:<12} {:<50} {:>8} {:>14}\n", "attacked", "arithmetic", "margin", "results");
  for (const Highest& attack : power.attacks) {
    out << fmt::format("{:<12} {:<50} {:>8} {:>14}\n", attack.operation, attack.arithmetic,
                       short_number(attack.margin), with_separators(attack.judged));
    if (attack.failed) out << "BROKEN: " << attack.where << '\n';
  }
}

// Forms of mutants and variants are counted: each on each dtype.
void write_totals(std::ostream& out, const Power& power) {
  std::set<std::string_view> mutants;
  std::set<std::string_view> variants;
  for (const MutantForm& form : power.mutants) mutants.insert(form.mutant->name);
  for (const VariantForm& form : power.variants) variants.insert(form.variant->name);
  out << fmt::format(
      "\n{} mutants in {} forms, {} honest variants in {} forms and {} seeds: a form is one on a dtype; {} "
      "cases, {:.1f} s\n",
      mutants.size(), power.mutants.size(), variants.size(), power.variants.size(), power.seeds,
      with_separators(power.cases), power.seconds);
  out << fmt::format("killed at the smoke level: {}\n",
                     share(power.killed_by(Level::smoke), power.mutants.size()));
  out << fmt::format("{} of {} mutants killed, {} false alarms\n", power.killed(), power.mutants.size(),
                     power.alarms());
}

}  // namespace

void write_power(std::ostream& out, const Power& power) {
  if (!power.mutants.empty()) out << heading();
  for (const FaultKind& kind : fault_kinds()) write_kind(out, kind, power.mutants);
  out << '\n';
  write_survivors(out, power);
  write_alarms(out, power);
  write_comparison(out, power);
  write_attacks(out, power);
  write_totals(out, power);
}

void write_trust(std::ostream& out, const std::vector<Finding>& findings) {
  constexpr std::string_view format = "{:<8}{:<44}{:<6}{:>7} {:>6} {:>9}  {}\n";
  out << fmt::format(format, "clause", "law", "dtype", "cases", "blind", "ratio", "");
  std::uint64_t cases = 0;
  std::uint64_t blind = 0;
  for (const Finding& finding : findings) {
    cases += finding.cases;
    blind += finding.blind;
    const bool trusted = finding.blind < finding.cases;
    out << fmt::format(format, finding.clause, finding.law, finding.dtype, finding.cases, finding.blind,
                       trusted ? short_number(finding.least_ratio) : "-",
                       trusted ? finding.blind_case : "MISTRUSTED");
  }
  out << fmt::format("\n{} cases, {} of them blind: no planted fault shows on them\n", with_separators(cases),
                     with_separators(blind));
}

}  // namespace etalon
