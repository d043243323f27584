// NUM-4: an adversary against the proven bounds. It computes what honest algorithms may compute, in the
// worst order of evaluation, on inputs chosen to be bad, and judges that as the laws do. A margin beyond 1
// refutes a derivation, not a subject.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace etalon {

// What the attack on one operation in one arithmetic came to.
struct Highest {
  std::string operation;
  std::string arithmetic;    // "p = 3, exhaustive", "f32", "bf16 in f32"
  double margin = 0;         // the highest met
  std::uint64_t judged = 0;  // results judged
  std::string where;         // inputs and result of the highest margin, numbers in hexadecimal
  bool failed = false;       // some result was judged FAIL
};

// All operations, the time split evenly among their arithmetics. What it tries is determined by the seed;
// how far it gets, by the time.
std::vector<Highest> attack_bounds(double seconds, std::uint64_t seed);

}  // namespace etalon
