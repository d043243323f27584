// The proofs of the certified oracles assume IEEE binary64 arithmetic as written. This says whether
// the running program has it.
#pragma once

#include <string>

namespace etalon::oracle {

// "" when the proofs hold in this thread, now; else the assumption that is broken: rounding mode,
// flushed subnormals, wide evaluation, contraction or reassociation by the compiler, double-rounded FMA.
std::string self_check();

}  // namespace etalon::oracle
