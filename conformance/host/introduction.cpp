#include "conformance/host/introduction.hpp"

#include <fmt/format.h>

#include <mutex>
#include <stdexcept>
#include <system_error>

namespace etalon {
namespace {

// A child answers with a finding; these of its texts carry the introduction.
Finding letter_of(const Library& library) {
  Finding letter;
  letter.subject = library.name();
  letter.clause = library.version();
  for (const std::string& unknown : library.unknown_operations()) letter.law += unknown + "\n";
  return letter;
}

Introduction introduction_in(const Finding& letter) {
  Introduction introduction{letter.subject, letter.clause, {}};
  for (std::size_t begin = 0; begin < letter.law.size();) {
    const std::size_t end = letter.law.find('\n', begin);
    introduction.unknown_operations.push_back(letter.law.substr(begin, end - begin));
    begin = end + 1;
  }
  return introduction;
}

}  // namespace

std::variant<Introduction, LoadError> introduce(const std::filesystem::path& file, const Limits& limits) {
  const auto load = [&file](std::size_t) {
    const Library::Result result = Library::load(file);
    if (const auto* error = std::get_if<LoadError>(&result)) {
      Finding refusal;
      refusal.outcome.witness.reason = error->message;
      return refusal;
    }
    return letter_of(*std::get<0>(result));
  };
  const Finding letter = Worker(load, limits).run(0, {});
  const std::string& reason = letter.outcome.witness.reason;
  if (letter.outcome.verdict == Verdict::crash || letter.outcome.verdict == Verdict::timeout) {
    return LoadError{fmt::format("{}: loading it and opening a context {}; both must return whatever happens",
                                 file.string(), reason)};
  }
  if (!reason.empty()) return LoadError{reason};
  return introduction_in(letter);
}

SubjectFactory subjects_of(const std::filesystem::path& file) {
  struct Loaded {
    std::filesystem::path file;  // absolute: strangers may change the working directory
    std::mutex mutex;            // guards what follows
    std::shared_ptr<const Library> library;
  };
  std::error_code ignored;
  const auto loaded = std::make_shared<Loaded>();
  loaded->file = std::filesystem::absolute(file, ignored);
  return [loaded] {
    const std::lock_guard lock(loaded->mutex);
    if (!loaded->library) {
      const Library::Result result = Library::load(loaded->file);
      if (const auto* error = std::get_if<LoadError>(&result)) throw std::runtime_error(error->message);
      loaded->library = std::get<0>(result);
    }
    return loaded->library->subjects()();
  };
}

}  // namespace etalon
