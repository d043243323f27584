// Detection power: the suite run on mutants, which must fail, and on honest variants, which must pass; and
// beside it what the usual rules would have said of the very same outputs.
#pragma once

#include <string>
#include <vector>

#include "conformance/campaign.hpp"
#include "properties/attack/attack.hpp"
#include "properties/honest/variant.hpp"
#include "properties/mutants/mutant.hpp"

namespace etalon {

// What refuted a mutant: exact bits (T0), a bound (T1), the contract of calls and memory, or its own death.
enum class Tier : int { exact, bound, contract, death };
std::string_view name_of(Tier tier);  // "T0", "T1", "contract", "death"

// A law or fixture that refuted a mutant on one dtype.
struct Refutation {
  std::string clause;
  std::string law;
  std::string test_case;  // as `replay` takes it
  Tier tier = Tier::exact;
  double ratio =
      0;  // effect of the fault over the bound; infinite where nothing but the exact result will do
};

// A mutant on one dtype.
struct MutantForm {
  const Mutant* mutant = nullptr;
  Dtype dtype = Dtype::u8;
  std::vector<Refutation> refutations;  // in the order of the spec
  Usual usual;                          // of everything it put out
  std::uint64_t cases = 0;
  Level killed_at = Level::smoke;  // where it was killed

  bool killed() const { return !refutations.empty(); }
  bool killed_where_claimed() const;
};

// An honest variant on one dtype, over all seeds.
struct VariantForm {
  const Variant* variant = nullptr;
  Dtype dtype = Dtype::u8;
  std::vector<Finding> alarms;     // FAIL, CRASH, TIMEOUT: false alarms of the suite
  std::vector<Finding> undecided;  // INCONCLUSIVE, NO_BOUND, MISTRUSTED: nothing is held against it
  std::string nearest;             // the case of the worst margin
  double worst_margin = 0;         // of the passing ones
  Usual usual;
  std::uint64_t cases = 0;
};

struct Power {
  std::vector<MutantForm> mutants;
  std::vector<VariantForm> variants;
  std::vector<Highest> attacks;  // on the bounds themselves
  std::uint64_t cases = 0;
  int seeds = 1;
  double seconds = 0;

  std::uint64_t killed() const;
  std::uint64_t killed_by(Level level) const;
  bool bounds_hold() const;      // no attack broke one
  std::uint64_t alarms() const;  // forms with a false alarm
};

struct PowerOptions {
  // Mutants whose clause is not selected take no part. The levels up to the selected one are run in turn,
  // each for the mutants that survived the one before: levels are nested, so that they die at every higher
  // one too.
  Selection selection;
  double attack_seconds = 10;         // for the adversary against the bounds; 0: none
  int seeds = 1;                      // for the honest variants: selection.options.seed and those after it
  std::vector<std::string> subjects;  // globs over names of mutants and variants; empty: all
};

// Throws std::invalid_argument where the options leave no subject.
Power measure_power(const PowerOptions& options, const Progress& progress = {});

// What the cases of every law over a subject are worth: its findings for the suite's own subjects, with the
// number of cases, of blind ones, and the least ratio of the others.
std::vector<Finding> measure_trust(const Selection& selection, const Progress& progress = {});

// Mutants and variants as `--backend mutant:NAME` and `--backend honest:NAME` find them.
std::vector<Entrant> mutant_entrants();
std::vector<Entrant> variant_entrants();

}  // namespace etalon
