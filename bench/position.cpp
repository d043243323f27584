// POS: tables of sines and cosines, and the lookup in a learned one.
#include "bench/perf.hpp"
#include "properties/law.hpp"

namespace etalon::perf {

void add_position(const Contender& contender) {
  struct Table {
    const char* size;
    std::int64_t n, d;
    double first;
  };
  // POS-2: the first models, a long text, and a table far from its beginning.
  constexpr Table tables[] = {
      {"512x512", 512, 512, 0}, {"4096x64", 4096, 64, 0}, {"64x512@2^20", 64, 512, 1048576}};
  for (const Dtype dtype : float_dtypes()) {
    for (const Table& table : tables) {
      add(contender, "sinusoidal", dtype, table.size, [dtype, table] {
        return Workload("sinusoidal", {}, {{"out", Tensor(dtype, {table.n, table.d})}},
                        {{"first", table.first}, {"base", 10000}, {"layout", 0}});
      });
    }
    // POS-1
    add(contender, "learned_positions", dtype, "512x512", [dtype] {
      Workload workload("learned_positions", {{"table", numbers(dtype, {1024, 512}, "table")}},
                        {{"out", Tensor(dtype, {512, 512})}}, {{"first", 256}});
      workload.bytes = copied_bytes(dtype, 512, 512);
      return workload;
    });
  }
}

}  // namespace etalon::perf
