#include "conformance/fixtures.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "conformance/fixtures/document.hpp"
#include "conformance/program.hpp"

namespace etalon {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file, const std::string& name) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error) throw FixtureError(name + ": cannot be read: " + error.message());
  if (size > fixtures::largest_file) throw FixtureError(name + ": the file is larger than 8 MiB");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FixtureError(name + ": cannot be opened for reading");
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Writes the file, or leaves what was there: the new text gets its name once it is on the disk.
void write_whole(const fs::path& file, const std::string& text) {
  const auto fail = [&](const fs::path& remains) {
    const std::string reason = std::strerror(errno);
    std::error_code ignored;
    fs::remove(remains, ignored);
    throw FixtureError(file.string() + ": cannot be written: " + reason);
  };
  const fs::path fresh = file.string() + "." + std::to_string(getpid()) + ".new";
  const int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) fail({});
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  const bool stored = rest.empty() && fsync(descriptor) == 0;
  const int reason = errno;
  const bool closed = close(descriptor) == 0;
  if (!stored) errno = reason;
  if (!stored || !closed || std::rename(fresh.c_str(), file.c_str()) != 0) fail(fresh);
}

std::vector<fs::path> json_files(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(directory, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  if (error)
    throw FixtureError(directory.string() + ": " + error.message() +
                       "; give the folder that holds the fixtures");
  std::sort(files.begin(), files.end());
  return files;
}

std::string relative_name(const fs::path& file, const fs::path& directory) {
  return file.lexically_relative(directory).generic_string();
}

}  // namespace

Fixture Fixture::parse(std::string_view text, const std::string& name) {
  return Fixture(std::make_shared<const fixtures::Document>(fixtures::parse_document(text, name)));
}

Fixture Fixture::load(const fs::path& file, const std::string& name) {
  return parse(read_text(file, name), name);
}

const std::string& Fixture::name() const { return document_->name; }
const std::string& Fixture::clause() const { return document_->clause; }

std::vector<std::string> Fixture::ids() const {
  std::vector<std::string> ids;
  for (const fixtures::Case& test_case : document_->cases) ids.push_back(test_case.id);
  return ids;
}

std::vector<Dtype> Fixture::dtypes(std::string_view id) const {
  std::set<Dtype> found;
  for (const fixtures::Case& test_case : document_->cases) {
    if (id.empty() || test_case.id == id) found.insert(test_case.dtypes.begin(), test_case.dtypes.end());
  }
  return {found.begin(), found.end()};
}

bool Fixture::has_definitions(std::string_view id) const {
  return std::any_of(document_->cases.begin(), document_->cases.end(), [&](const fixtures::Case& test_case) {
    return test_case.is_definition() && (id.empty() || test_case.id == id);
  });
}

fs::path fixtures_directory() {
  const fs::path installed = program_directory().parent_path() / "share" / "etalon" / "fixtures";
  std::error_code error;
  return fs::is_directory(installed, error) ? installed : fs::path(ETALON_FIXTURES);
}

std::vector<Fixture> load_fixtures(const fs::path& directory) {
  std::vector<Fixture> all;
  for (const fs::path& file : json_files(directory)) {
    all.push_back(Fixture::load(file, "fixtures/" + relative_name(file, directory)));
  }
  return all;
}

std::vector<std::pair<std::string, std::string>> written_fixtures() {
  constexpr std::string_view prefix = "fixtures/";
  std::vector<std::pair<std::string, std::string>> files;
  for (const fixtures::Document& document : fixtures::all_documents()) {
    files.emplace_back(document.name.substr(prefix.size()), fixtures::text_of(document));
  }
  return files;
}

void write_fixtures(const fs::path& directory) {
  for (const auto& [name, text] : written_fixtures()) {
    std::error_code ignored;  // what went wrong shows when the file is opened
    fs::create_directories((directory / name).parent_path(), ignored);
    write_whole(directory / name, text);
  }
}

std::vector<std::string> verify_fixtures(const fs::path& directory) {
  std::vector<std::string> problems;
  std::set<std::string> known;
  for (const auto& [name, text] : written_fixtures()) {
    known.insert(name);
    std::error_code error;
    if (!fs::exists(directory / name, error)) {
      problems.push_back(name + ": is missing; run: etalon fixtures write");
    } else if (read_text(directory / name, name) != text) {
      problems.push_back(
          name +
          ": differs from what the definitions give; run: etalon fixtures write, and look at the difference");
    }
  }
  for (const fs::path& file : json_files(directory)) {
    const std::string name = relative_name(file, directory);
    if (!known.contains(name)) problems.push_back(name + ": no clause has this fixture; remove it");
  }
  return problems;
}

}  // namespace etalon
