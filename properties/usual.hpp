// The rules by which outputs are usually compared: one tolerance for whatever is computed. They judge nothing
// here; they are asked beside the judges, to show what each of them would have let through.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "properties/tensors.hpp"

namespace etalon {

struct UsualRule {
  std::string_view name;
  std::string_view accepts;  // got g, wanted w
};

inline constexpr std::array usual_rules = {
    UsualRule{"numpy", "numpy.allclose: |g - w| <= 1e-8 + 1e-5 |w|"},
    UsualRule{"torch",
              "torch.testing.assert_close: |g - w| <= a + r |w|, (a, r) by dtype: f64 1e-7 1e-7, "
              "f32 1e-5 1.3e-6, bf16 1e-5 1.6e-2, f16 1e-5 1e-3"},
    UsualRule{"nmse", "sum (g - w)^2 < 1e-7 sum w^2 over the tensor"},
    UsualRule{"relative", "|g - w| <= 1e-3 |w|"},
    UsualRule{"ulp", "|g - w| <= 4 ulp(w)"},
};

// How many outputs (tensors) were seen; of them, those that a rule rejected, and those that it told from
// right ones: rejected though it accepts the correctly rounded result there. Rejecting whatever comes tells
// nothing.
struct Usual {
  std::uint64_t outputs = 0;
  std::array<std::uint64_t, usual_rules.size()> rejected{};
  std::array<std::uint64_t, usual_rules.size()> told{};

  void absorb(const Usual& other);
};

// One output of a float dtype against the wanted values, as exact as binary64 holds them. NaN and infinities
// agree with themselves; integers are compared for equality, whatever the rule.
Usual compared_as_usual(const Tensor& got, const std::vector<double>& want);

}  // namespace etalon
