// ABI-5: the floating-point environment as a backend must leave it: rounding direction, flush-to-zero modes,
// trap masks and, on x86, the x87's precision. Sticky exception flags are nobody's business.
#pragma once

#include <cfenv>
#include <cstdint>
#include <string>

namespace etalon {

class FloatEnvironment {
 public:
  static FloatEnvironment current();
  // What differs between this environment and `other`, in words, as seen from this one; "" when nothing does.
  std::string change_to(const FloatEnvironment& other) const;
  void restore() const;

 private:
  int rounding_ = 0;
  std::uint64_t control_ = 0;  // MXCSR without its flags; FPCR; 0 elsewhere
  std::uint64_t x87_ = 0;      // the x87 control word; 0 elsewhere
  std::fenv_t saved_{};
};

}  // namespace etalon
