// A folder of the test's own, gone with it. Tests run side by side, also two runs of the same one: no fixed
// name.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>

namespace etalon {

class Scratch {
 public:
  Scratch() {
    std::string name = std::filesystem::path(testing::TempDir()) / "etalon_XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder can be made as " + name);
    folder_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return folder_ / name; }

 private:
  std::filesystem::path folder_;
};

}  // namespace etalon
