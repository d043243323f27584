// Measuring the suite from the command line, with progress and one-line complaints.
#pragma once

#include "conformance/power.hpp"

namespace etalon::cli {

// Throws Failure where the options select nothing, or the reference cannot be trusted here.
Power power_of(const PowerOptions& asked);

}  // namespace etalon::cli
