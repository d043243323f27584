// The bundled backends by their short names, and the files of others.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "conformance/host/library.hpp"

namespace etalon {

// A bundled backend and where its library would be: beside the program in a build tree (../lib), or as
// installed (../lib/etalon).
struct Bundled {
  std::string name;  // "portable", "simd", "blas-openblas", "blas-blis", "blas-reference"
  std::filesystem::path file;
};

// Those that were built, in a fixed order.
std::vector<Bundled> bundled_backends();

// The libraries that a `--backend` selector names: a short name, "blas" for every BLAS that was built, or a
// path (anything with a slash or ending in .so, .dylib or .dll). The message of an error lists the names that
// exist.
std::variant<std::vector<std::filesystem::path>, LoadError> resolve_backend(std::string_view selector);

// Resolves and loads. A name that stands for several gives several.
std::variant<std::vector<std::shared_ptr<const Library>>, LoadError> load_backends(std::string_view selector);

}  // namespace etalon
