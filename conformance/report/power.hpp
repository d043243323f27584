// What `etalon power` found: tables for people, JSON for programs.
#pragma once

#include <iosfwd>
#include <string>

#include "conformance/power.hpp"

namespace etalon {

// By kind of fault every mutant with where it died; survivors and false alarms in full; the comparison with
// the usual rules; the totals. The last line is "N of N mutants killed, N false alarms".
void write_power(std::ostream& out, const Power& power);

// Law by law what measure_trust() found: cases, blind ones with the first of them, the least ratio.
// MISTRUSTED where every case is blind.
void write_trust(std::ostream& out, const std::vector<Finding>& findings);

// The same as one JSON document, "format": "etalon-power-1". Infinite ratios are the string "inf".
std::string power_json(const Power& power);

}  // namespace etalon
