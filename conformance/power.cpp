#include "conformance/power.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <stdexcept>

namespace etalon {
namespace {

std::string entrant_name(const Mutant& mutant) { return "mutant:" + std::string(mutant.name); }
std::string entrant_name(const Variant& variant) { return "honest:" + std::string(variant.name); }

template <typename Member>
Entrant entrant_of(const Member& member, const std::vector<Dtype>& dtypes) {
  SubjectFactory make = [&member, dtypes] {
    return restricted(member.make(), member.name, member.operations, dtypes);
  };
  return {entrant_name(member), std::string(member.does), std::move(make), true};
}

template <typename Members>
std::vector<Entrant> entrants_of(const Members& members) {
  std::vector<Entrant> entrants;
  for (const auto& member : members) entrants.push_back(entrant_of(member, member.dtypes));
  return entrants;
}

bool is_chosen(const PowerOptions& options, std::string_view name) {
  return options.subjects.empty() ||
         std::any_of(options.subjects.begin(), options.subjects.end(),
                     [&](const std::string& pattern) { return glob_matches(pattern, name); });
}

// Texts have no float dtype: a choice among those leaves them out, as it does elsewhere.
std::vector<Dtype> chosen_dtypes(const Selection& selection, const std::vector<Dtype>& dtypes) {
  std::vector<Dtype> chosen;
  for (const Dtype dtype : dtypes) {
    if (selection.takes_dtype(dtype)) chosen.push_back(dtype);
  }
  return chosen;
}

Tier tier_of(const Outcome& outcome) {
  if (outcome.verdict == Verdict::crash || outcome.verdict == Verdict::timeout) return Tier::death;
  if (outcome.witness.tensor.empty()) return Tier::contract;
  return outcome.witness.bound > 0 ? Tier::bound : Tier::exact;
}

Dtype dtype_of(const Finding& finding) { return dtype_named(finding.dtype).value_or(Dtype::u8); }

// Where a finding belongs: the form of its subject on its dtype.
template <typename Form>
using Places = std::map<std::pair<std::string, Dtype>, Form*>;

template <typename Form>
Form& place_of(const Finding& finding, const Places<Form>& places) {
  return *places.at({finding.subject, dtype_of(finding)});
}

void add(MutantForm& form, const Finding& finding, Level level) {
  form.cases += finding.cases;
  form.usual.absorb(finding.outcome.usual);
  if (mark_of(finding.outcome.verdict) != Mark::failed) return;
  if (!form.killed()) form.killed_at = level;
  const bool known = std::any_of(form.refutations.begin(), form.refutations.end(),
                                 [&](const Refutation& each) { return each.law == finding.law; });
  if (known) return;  // at a lower level
  form.refutations.push_back({finding.clause, finding.law, finding.worst_case, tier_of(finding.outcome),
                              finding.outcome.worst_margin});
}

void add(VariantForm& form, const Finding& finding) {
  form.cases += finding.cases;
  form.usual.absorb(finding.outcome.usual);
  if (finding.outcome.verdict == Verdict::unsupported) return;
  if (mark_of(finding.outcome.verdict) == Mark::failed) {
    form.alarms.push_back(finding);
  } else if (mark_of(finding.outcome.verdict) == Mark::undecided) {
    form.undecided.push_back(finding);
  } else if (finding.outcome.worst_margin > form.worst_margin) {
    form.worst_margin = finding.outcome.worst_margin;
    form.nearest = finding.worst_case;
  }
}

Selection asking_selection(const PowerOptions& options, int seed) {
  Selection selection = options.selection;
  selection.options.shrinks = false;
  selection.options.asks_usual_rules = true;
  selection.options.seed += static_cast<std::uint64_t>(seed);
  return selection;
}

std::vector<MutantForm> chosen_mutants(const PowerOptions& options) {
  std::vector<MutantForm> forms;
  for (const Mutant& mutant : all_mutants()) {
    if (!is_chosen(options, mutant.name) || !options.selection.takes_clause(mutant.clause)) continue;
    for (const Dtype dtype : chosen_dtypes(options.selection, mutant.dtypes)) {
      forms.emplace_back();
      forms.back().mutant = &mutant;
      forms.back().dtype = dtype;
    }
  }
  return forms;
}

// The mutants on every selected law: other clauses than their own may refute them as well.
void run_level(const Selection& selection, const std::vector<Fixture>& fixtures, const Progress& progress,
               Power& power) {
  std::map<const Mutant*, std::vector<Dtype>> left;
  Places<MutantForm> places;
  for (MutantForm& form : power.mutants) {
    if (form.killed_where_claimed()) continue;
    left[form.mutant].push_back(form.dtype);
    places[{entrant_name(*form.mutant), form.dtype}] = &form;
  }
  std::vector<Entrant> entrants;
  for (const Mutant& mutant : all_mutants()) {
    if (left.contains(&mutant)) entrants.push_back(entrant_of(mutant, left[&mutant]));
  }
  for (const Finding& finding : run_campaign(entrants, fixtures, selection, progress)) {
    add(place_of(finding, places), finding, selection.options.level);
    power.cases += finding.cases;
  }
}

void run_mutants(const PowerOptions& options, const std::vector<Fixture>& fixtures, const Progress& progress,
                 Power& power) {
  power.mutants = chosen_mutants(options);
  Selection selection = asking_selection(options, 0);
  for (const Level level : {Level::smoke, Level::standard, Level::full}) {
    if (level > options.selection.options.level) break;
    selection.options.level = level;
    // Fixtures know no level.
    run_level(selection, level == Level::smoke ? fixtures : std::vector<Fixture>(), progress, power);
  }
}

void run_variants(const PowerOptions& options, const std::vector<Fixture>& fixtures, const Progress& progress,
                  Power& power) {
  std::vector<Entrant> entrants;
  for (const Variant& variant : all_variants()) {
    const std::vector<Dtype> dtypes = chosen_dtypes(options.selection, variant.dtypes);
    if (dtypes.empty() || !is_chosen(options, variant.name)) continue;
    entrants.push_back(entrant_of(variant, dtypes));
    for (const Dtype dtype : dtypes) power.variants.push_back({&variant, dtype, {}, {}, "", 0, {}, 0});
  }
  Places<VariantForm> places;
  for (VariantForm& form : power.variants) places[{entrant_name(*form.variant), form.dtype}] = &form;
  const auto run = [&](const Selection& selection, const std::vector<Fixture>& recorded) {
    for (const Finding& finding : run_campaign(entrants, recorded, selection, progress)) {
      add(place_of(finding, places), finding);
      power.cases += finding.cases;
    }
  };
  // The usual rules see of honest code what they see of mutants: the outputs of the smoke level.
  Selection smoke = asking_selection(options, 0);
  smoke.options.level = Level::smoke;
  run(smoke, fixtures);
  const bool done = options.selection.options.level == Level::smoke;  // with the first seed
  for (int seed = done ? 1 : 0; seed < options.seeds; ++seed) {
    Selection selection = asking_selection(options, seed);
    selection.options.asks_usual_rules = false;
    run(selection, {});
  }
}

}  // namespace

std::string_view name_of(Tier tier) {
  constexpr std::string_view names[] = {"T0", "T1", "contract", "death"};
  return names[static_cast<std::size_t>(tier)];
}

bool MutantForm::killed_where_claimed() const {
  return std::any_of(refutations.begin(), refutations.end(),
                     [&](const Refutation& each) { return each.clause == mutant->clause; });
}

std::uint64_t Power::killed_by(Level level) const {
  return static_cast<std::uint64_t>(
      std::count_if(mutants.begin(), mutants.end(),
                    [&](const MutantForm& form) { return form.killed() && form.killed_at <= level; }));
}

std::uint64_t Power::killed() const {
  return static_cast<std::uint64_t>(
      std::count_if(mutants.begin(), mutants.end(), [](const MutantForm& form) { return form.killed(); }));
}

std::uint64_t Power::alarms() const {
  return static_cast<std::uint64_t>(std::count_if(
      variants.begin(), variants.end(), [](const VariantForm& form) { return !form.alarms.empty(); }));
}

bool Power::bounds_hold() const {
  return std::none_of(attacks.begin(), attacks.end(), [](const Highest& attack) { return attack.failed; });
}

Power measure_power(const PowerOptions& options, const Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Fixture> fixtures = load_fixtures(fixtures_directory());
  Power power;
  power.seeds = options.seeds;
  run_mutants(options, fixtures, progress, power);
  run_variants(options, fixtures, progress, power);
  if (power.mutants.empty() && power.variants.empty())
    throw std::invalid_argument("no mutant and no honest variant is selected; see: etalon list mutants");
  if (options.attack_seconds > 0)
    power.attacks = attack_bounds(options.attack_seconds, options.selection.options.seed);
  power.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return power;
}

std::vector<Finding> measure_trust(const Selection& selection, const Progress& progress) {
  Selection asking = selection;
  asking.asks_trust = true;
  std::vector<Finding> findings = run_campaign(own_entrants(), {}, asking, progress);
  std::erase_if(findings, [](const Finding& finding) {  // the definitions' own laws meet no mutant
    return std::any_of(all_laws().begin(), all_laws().end(),
                       [&](const Law& law) { return law.name == finding.law && law.operations.empty(); });
  });
  return findings;
}

std::vector<Entrant> mutant_entrants() { return entrants_of(all_mutants()); }
std::vector<Entrant> variant_entrants() { return entrants_of(all_variants()); }

}  // namespace etalon
