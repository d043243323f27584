// EMB: looking rows up, by copy, as one-hot rows, and by the product with them.
#include "bench/perf.hpp"
#include "properties/law.hpp"

namespace etalon::perf {

void add_embedding(const Contender& contender) {
  for (const Dtype dtype : float_dtypes()) {
    // EMB-4: n tokens of a vocabulary of 32768, width 512.
    add(contender, "embed", dtype, "32768x512,n=512", [dtype] {
      Workload workload("embed", {{"table", numbers(dtype, {32768, 512}, "table")}, {"ids", ids(512, 32768)}},
                        {{"out", Tensor(dtype, {512, 512})}});
      workload.bytes = copied_bytes(dtype, 512, 512);
      return workload;
    });
    // EMB-2
    add(contender, "one_hot", dtype, "128x4096", [dtype] {
      return Workload("one_hot", {{"ids", ids(128, 4096)}}, {{"out", Tensor(dtype, {128, 4096})}});
    });
    // EMB-3: as costly as it is instructive, so the table is small.
    add(contender, "embed_product", dtype, "1024x64,n=64", [dtype] {
      return Workload("embed_product",
                      {{"table", numbers(dtype, {1024, 64}, "table")}, {"ids", ids(64, 1024)}},
                      {{"out", Tensor(dtype, {64, 64})}});
    });
  }
}

}  // namespace etalon::perf
