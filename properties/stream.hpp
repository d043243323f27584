// Inputs of a case: a counter-based generator keyed by the case's name, and the patterns of data.
// A case never depends on which others ran, or in which order.
#pragma once

#include <cstdint>
#include <string_view>

#include "properties/tensors.hpp"

namespace etalon {

// Word i of the stream is a mix of (key, i): random access, no state to carry.
class Stream {
 public:
  Stream(std::string_view key, std::string_view label);
  std::uint64_t word(std::uint64_t counter) const;
  std::uint64_t next() { return word(counter_++); }
  std::uint64_t below(std::uint64_t bound);                   // uniform in [0, bound), bound > 0
  std::int64_t between(std::int64_t low, std::int64_t high);  // uniform, both ends included
  double unit();                                              // uniform in [0, 1), 53 bits

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

// How a float tensor is filled. Every value is a value of the tensor's dtype.
enum class Pattern : int {
  lattice,   // odd and even integers |x| < 2^6 (bf16: |x| <= 8): short sums are exact in any order
  unit,      // uniform in [-1, 1]
  positive,  // uniform in [0, 1]
  wide,      // random sign, significand and exponent within +-12 binades of 1
  extreme,   // the whole finite range: subnormals, binade edges, zeros of both signs, Omega
  special,   // extreme, and one in eight NaN, +Inf or -Inf
  bits,      // any bit pattern at all, NaN payloads included
};
inline constexpr int pattern_count = 7;
std::string_view name_of(Pattern pattern);

void fill(Tensor& tensor, Pattern pattern, Stream& stream);
void fill_ids(Tensor& ids, std::int64_t rows, Stream& stream);  // uniform in [0, rows)

}  // namespace etalon
