// LIN: the general matrix product, square, and as the linear map of a block.
#include "bench/perf.hpp"
#include "properties/law.hpp"

namespace etalon::perf {

void add_linear(const Contender& contender) {
  struct Size {
    const char* name;
    std::int64_t m, k, n;
    double beta;
  };
  // LIN-1, LIN-4: the last adds to c, as a bias does.
  constexpr Size sizes[] = {
      {"128x128x128", 128, 128, 128, 0}, {"512x512x512", 512, 512, 512, 0}, {"64x1024x64", 64, 1024, 64, 1}};
  for (const Dtype dtype : float_dtypes()) {
    for (const Size& size : sizes) {
      add(contender, "matmul", dtype, size.name, [dtype, size] {
        Workload workload(
            "matmul",
            {{"a", numbers(dtype, {size.m, size.k}, "a")}, {"b", numbers(dtype, {size.k, size.n}, "b")}},
            {{"c", numbers(dtype, {size.m, size.n}, "c")}},
            {{"alpha", 1.0 / 64}, {"beta", size.beta / 2}, {"transpose_a", 0}, {"transpose_b", 0}});
        workload.operations = 2 * static_cast<double>(size.m * size.k * size.n);
        return workload;
      });
    }
  }
}

}  // namespace etalon::perf
