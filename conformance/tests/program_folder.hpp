// Where the libraries that the tests load were built: <build>/lib, beside the test program's <build>/bin.
#pragma once

#include <filesystem>
#include <string>

namespace etalon {

inline std::filesystem::path built_library(const std::string& name) {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "lib" / name;
}

}  // namespace etalon
