// Fixtures: recorded cases, one JSON file a clause, written from the reference definitions and replayable
// against any subject. The format is described in conformance/fixtures/README.md.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/report/results.hpp"
#include "properties/subject.hpp"

namespace etalon {

// One line: file, place in it, what is wrong.
struct FixtureError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace fixtures {
struct Document;
}

// A fixture file that was read and found sound.
class Fixture {
 public:
  // Throws FixtureError. `name` is used in messages and in the selectors of cases.
  static Fixture parse(std::string_view text, const std::string& name);
  static Fixture load(const std::filesystem::path& file, const std::string& name);

  const std::string& name() const;
  const std::string& clause() const;
  std::vector<std::string> ids() const;
  // The dtypes that some case (or the case of that id) is replayed on; empty: definitions only.
  std::vector<Dtype> dtypes(std::string_view id = {}) const;
  bool has_definitions(std::string_view id = {}) const;

  // The cases of operations on one dtype, against a subject; all of them, or the one of that id. Never
  // throws for what a subject does.
  Finding replay(Dtype dtype, Subject& subject, std::string_view id = {},
                 bool asks_usual_rules = false) const;
  // The cases of definitions, against the reference.
  Finding replay_definitions(std::string_view id = {}) const;

 private:
  explicit Fixture(std::shared_ptr<const fixtures::Document> document) : document_(std::move(document)) {}
  std::shared_ptr<const fixtures::Document> document_;
};

// Where the recorded files are: as installed beside the program, else in the source tree.
std::filesystem::path fixtures_directory();
// Every file below the directory, sorted by path. Throws FixtureError.
std::vector<Fixture> load_fixtures(const std::filesystem::path& directory);

// What the tool writes: path relative to the directory ("position/pos_4.json") and text.
std::vector<std::pair<std::string, std::string>> written_fixtures();
// Writes them all. Throws FixtureError where that fails.
void write_fixtures(const std::filesystem::path& directory);
// One line for each file that is missing, superfluous, or not what the tool writes.
std::vector<std::string> verify_fixtures(const std::filesystem::path& directory);

}  // namespace etalon
