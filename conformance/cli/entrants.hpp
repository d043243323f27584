// The subjects that a command line names.
#pragma once

#include <string>
#include <vector>

#include "conformance/campaign.hpp"

namespace etalon::cli {

// The subjects that the selectors name; the suite's own and all bundled backends where there are none.
// Throws Failure (not_loaded) where one cannot be loaded.
std::vector<Entrant> entrants_of(const std::vector<std::string>& selectors);
// Exactly the one subject (its own names included), or those that a selector such as "blas" stands for.
std::vector<Entrant> entrants_named(const std::string& selector);

}  // namespace etalon::cli
