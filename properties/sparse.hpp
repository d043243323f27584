// Address space for tables too large to fill: pages read as zero until they are written, and only
// written pages take memory.
#pragma once

#include <cstddef>

namespace etalon {

class SparseMemory {
 public:
  explicit SparseMemory(std::size_t bytes);
  ~SparseMemory();
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;

  // The lowest byte; nullptr where the system has no such memory or refuses this much.
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace etalon
