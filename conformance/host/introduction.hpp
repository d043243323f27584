// Meeting a stranger at arm's length: a backend is loaded, asked who it is, and opened once, in a child
// process. One whose very loading aborts, hangs or exits is then an error like any other.
#pragma once

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "conformance/host/isolation.hpp"
#include "conformance/host/library.hpp"

namespace etalon {

// What a backend says of itself.
struct Introduction {
  std::string name;
  std::string version;
  std::vector<std::string> unknown_operations;
};

// As Library::load, but nothing of the library stays in this process.
std::variant<Introduction, LoadError> introduce(const std::filesystem::path& file,
                                                const Limits& limits = {.seconds = 20});

// Subjects of that backend. It is loaded by the first process that asks for one, and once in each. The
// factory throws std::runtime_error where it cannot be loaded or opened.
SubjectFactory subjects_of(const std::filesystem::path& file);

}  // namespace etalon
