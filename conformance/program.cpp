#include "conformance/program.hpp"

#include <system_error>

namespace etalon {

std::filesystem::path program_directory() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::current_path(error) : program.parent_path();
}

}  // namespace etalon
