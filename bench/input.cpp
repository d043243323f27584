// INP: Z = c X + P, for one sequence and for a batch that shares P.
#include "bench/perf.hpp"
#include "properties/law.hpp"

namespace etalon::perf {

void add_input(const Contender& contender) {
  for (const Dtype dtype : float_dtypes()) {
    // INP-1, INP-2: c = sqrt(d)
    add(contender, "combine", dtype, "512x512", [dtype] {
      return Workload("combine",
                      {{"x", numbers(dtype, {512, 512}, "x")}, {"p", numbers(dtype, {512, 512}, "p")}},
                      {{"out", Tensor(dtype, {512, 512})}}, {{"scale", 1}, {"value", 0}});
    });
    // INP-6
    add(contender, "combine", dtype, "8x512x512", [dtype] {
      return Workload("combine",
                      {{"x", numbers(dtype, {8, 512, 512}, "x")}, {"p", numbers(dtype, {512, 512}, "p")}},
                      {{"out", Tensor(dtype, {8, 512, 512})}}, {{"scale", 1}, {"value", 0}});
    });
  }
}

}  // namespace etalon::perf
