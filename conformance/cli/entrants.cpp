#include "conformance/cli/entrants.hpp"

#include <algorithm>

#include "conformance/cli/cli.hpp"
#include "conformance/host/introduction.hpp"
#include "conformance/host/registry.hpp"
#include "conformance/power.hpp"

namespace etalon::cli {
namespace {

// The name under which `--backend` finds a library again: a bundled one's short name, else its path.
std::string selector_of(const std::filesystem::path& file, const std::string& selector) {
  for (const Bundled& bundled : bundled_backends()) {
    if (bundled.file == file) return bundled.name;
  }
  return selector;
}

// A subject that is named twice takes part once.
void add(Entrant entrant, std::vector<Entrant>& entrants) {
  const bool known = std::any_of(entrants.begin(), entrants.end(),
                                 [&](const Entrant& each) { return each.name == entrant.name; });
  if (!known) entrants.push_back(std::move(entrant));
}

void add_backends(const std::string& selector, std::vector<Entrant>& entrants) {
  const auto resolved = resolve_backend(selector);
  if (const auto* error = std::get_if<LoadError>(&resolved)) throw Failure(Exit::not_loaded, error->message);
  for (const std::filesystem::path& file : std::get<0>(resolved)) {
    const auto met = introduce(file);
    if (const auto* error = std::get_if<LoadError>(&met)) throw Failure(Exit::not_loaded, error->message);
    const auto& backend = std::get<Introduction>(met);
    const std::string name = selector_of(file, selector);
    std::string about = backend.name == name ? backend.version : backend.name + " " + backend.version;
    const std::size_t unknown = backend.unknown_operations.size();
    if (unknown > 0) about += "; the operation '" + backend.unknown_operations.front() + "' is unknown here";
    if (unknown > 1) about += ", as are " + std::to_string(unknown - 1) + " others";
    add({name, about, subjects_of(file)}, entrants);
  }
}

}  // namespace

std::vector<Entrant> entrants_of(const std::vector<std::string>& selectors) {
  std::vector<Entrant> entrants;
  for (const std::string& selector : selectors) {
    for (Entrant& named : entrants_named(selector)) add(std::move(named), entrants);
  }
  if (!selectors.empty()) return entrants;
  entrants = own_entrants();
  const std::vector<Bundled> bundled = bundled_backends();
  if (bundled.empty())
    throw Failure(Exit::not_loaded, "no bundled backend was built; name one with --backend FILE.so");
  for (const Bundled& backend : bundled) add_backends(backend.name, entrants);
  return entrants;
}

std::vector<Entrant> entrants_named(const std::string& selector) {
  for (Entrant& own : own_entrants()) {
    if (own.name == selector) return {own};
  }
  std::vector<Entrant> entrants;
  if (selector.starts_with("mutant:") || selector.starts_with("honest:")) {
    for (Entrant& member : selector.starts_with("mutant:") ? mutant_entrants() : variant_entrants()) {
      if (glob_matches(selector, member.name)) entrants.push_back(std::move(member));
    }
    if (!entrants.empty()) return entrants;
    throw Failure(Exit::not_loaded,
                  "there is no '" + selector + "'; see: etalon list mutants, etalon list variants");
  }
  add_backends(selector, entrants);
  return entrants;
}

}  // namespace etalon::cli
