#include "properties/sparse.hpp"

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#define ETALON_HAS_MMAP 1
#else
#define ETALON_HAS_MMAP 0
#endif

namespace etalon {

#if ETALON_HAS_MMAP

SparseMemory::SparseMemory(std::size_t bytes) : bytes_(bytes) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_NORESERVE
  flags |= MAP_NORESERVE;
#endif
  void* const region = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (region != MAP_FAILED) data_ = static_cast<std::byte*>(region);
}

SparseMemory::~SparseMemory() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

#else

SparseMemory::SparseMemory(std::size_t bytes) : bytes_(bytes) {}
SparseMemory::~SparseMemory() = default;

#endif

}  // namespace etalon
