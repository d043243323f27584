#include "conformance/host/registry.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace etalon {
namespace {

constexpr std::array<std::string_view, 5> bundled_names = {"portable", "simd", "blas-openblas", "blas-blis",
                                                           "blas-reference"};

std::filesystem::path program_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::current_path(error) : program.parent_path();
}

bool is_path(std::string_view selector) {
  return selector.find('/') != std::string_view::npos || selector.ends_with(".so") ||
         selector.ends_with(".dylib") || selector.ends_with(".dll");
}

}  // namespace

std::vector<Bundled> bundled_backends() {
  std::vector<Bundled> found;
  const std::filesystem::path folder = program_folder().parent_path() / "lib";
  for (const std::string_view name : bundled_names)
    for (const std::filesystem::path& where : {folder, folder / "etalon"}) {
      const std::filesystem::path file = where / fmt::format("etalon-{}.so", name);
      std::error_code error;
      if (!std::filesystem::exists(file, error)) continue;
      found.push_back({std::string(name), file});
      break;
    }
  return found;
}

std::variant<std::vector<std::filesystem::path>, LoadError> resolve_backend(std::string_view selector) {
  if (selector.empty())
    return LoadError{"a backend's name is empty; see: etalon list backends, or give the path of a library"};
  if (is_path(selector)) return std::vector<std::filesystem::path>{selector};
  std::vector<std::filesystem::path> files;
  std::vector<std::string> names;
  for (const Bundled& backend : bundled_backends()) {
    names.push_back(backend.name);
    if (backend.name == selector || (selector == "blas" && backend.name.starts_with("blas-")))
      files.push_back(backend.file);
  }
  if (!files.empty()) return files;
  const bool known =
      selector == "blas" || std::count(bundled_names.begin(), bundled_names.end(), selector) > 0;
  return LoadError{
      fmt::format("backend `{}` {}; there are: {}. A file of your own is given by its path, as in ./{}.so",
                  selector, known ? "was not built" : "is not known", fmt::join(names, ", "), selector)};
}

std::variant<std::vector<std::shared_ptr<const Library>>, LoadError> load_backends(
    std::string_view selector) {
  const auto resolved = resolve_backend(selector);
  if (const auto* error = std::get_if<LoadError>(&resolved)) return *error;
  std::vector<std::shared_ptr<const Library>> libraries;
  for (const std::filesystem::path& file : std::get<0>(resolved)) {
    const Library::Result result = Library::load(file);
    if (const auto* error = std::get_if<LoadError>(&result)) return *error;
    libraries.push_back(std::get<0>(result));
  }
  return libraries;
}

}  // namespace etalon
