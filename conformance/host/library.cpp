#include "conformance/host/library.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <system_error>

#include "conformance/host/backend_subject.hpp"
#include "conformance/host/declaration.hpp"
#include "conformance/host/float_environment.hpp"
#include "fmt/format.h"
#include "properties/operations.hpp"

namespace etalon {
namespace {

// What the dynamic linker says, without the file name that it begins with.
std::string linker_message(const std::string& file) {
  const char* said = ::dlerror();
  std::string message = said != nullptr ? said : "unknown reason";
  if (message.starts_with(file + ": ")) message.erase(0, file.size() + 2);
  return message;
}

LoadError failure(const std::string& origin, const std::string& message) {
  return {fmt::format("{}: {}", origin, message)};
}

}  // namespace

Library::Result Library::load(const std::filesystem::path& file) {
  // A bare name would be looked up in the linker's own folders; a backend is the file that was named.
  std::error_code ignored;
  const std::string path = std::filesystem::absolute(file, ignored).string();
  if (!std::filesystem::exists(path, ignored))
    return failure(file.string(), "there is no such file; give the path of a backend's shared library");
  if (std::filesystem::is_directory(path, ignored))
    return failure(file.string(), "that is a folder; give the path of a backend's shared library");
  const FloatEnvironment before = FloatEnvironment::current();
  // NODELETE: libraries with threads of their own seldom survive being unmapped.
  void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr)
    return failure(file.string(), "it cannot be loaded as a shared library: " + linker_message(path));
  std::shared_ptr<void> keep(handle, [](void* library) { ::dlclose(library); });
  void* symbol = ::dlsym(handle, "etalon_backend");
  if (symbol == nullptr)
    return failure(file.string(),
                   "it exports no function `etalon_backend`; define it as etalon/backend.h declares it");
  const etalon_core* core = nullptr;
  try {
    core = reinterpret_cast<decltype(&etalon_backend)>(symbol)();
  } catch (...) {
    return failure(file.string(),
                   "etalon_backend() threw a C++ exception; nothing may be thrown across the interface");
  }
  // ABI-5. What GCC links into a library for -ffast-math switches subnormals off as it is loaded.
  const std::string change = before.change_to(FloatEnvironment::current());
  before.restore();
  if (!change.empty())
    return failure(file.string(),
                   "loading it changes the floating-point environment (" + change +
                       "); link it without -ffast-math, -funsafe-math-optimizations and -Ofast");
  return adopt(core, file.string(), keep);
}

Library::Result Library::adopt(const etalon_core* core, const std::string& origin,
                               std::shared_ptr<void> keep) {
  auto read = read_declaration(core);
  if (const auto* error = std::get_if<LoadError>(&read)) return failure(origin, error->message);
  auto& declaration = std::get<Declaration>(read);
  const std::shared_ptr<Library> library(new Library);
  library->core_ = core;
  library->name_ = core->name;
  library->version_ = core->version;
  library->origin_ = origin;
  library->offers_ = std::move(declaration.offers);
  library->unknown_ = std::move(declaration.unknown);
  library->keep_ = std::move(keep);
  try {
    BackendSubject(library, core).close();
  } catch (const std::exception& error) {
    return LoadError{error.what()};
  }
  return library;
}

const Offer* Library::offer(std::string_view operation, Dtype dtype) const {
  for (const Offer& offer : offers_)
    if (offer.operation == operation && (offer.dtype == dtype || offer.dtype == Dtype::u8)) return &offer;
  return nullptr;
}

SubjectFactory Library::subjects() const {
  return [library = shared_from_this()] { return std::make_unique<BackendSubject>(library, library->core_); };
}

}  // namespace etalon
