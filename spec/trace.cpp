#include "spec/trace.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>

namespace etalon::spec {
namespace {

namespace fs = std::filesystem;

// The house, from left to right: a folder includes only from folders to its left, and from itself.
constexpr std::array<std::string_view, 5> folders = {"spec", "reference", "properties", "conformance",
                                                     "bench"};

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('/')); }

// Position of a folder in the house; folders.size() for anything else.
std::size_t place_of(std::string_view path) {
  const auto found = std::find(folders.begin(), folders.end(), first_part(path));
  return static_cast<std::size_t>(found - folders.begin());
}

bool in_folder(std::string_view path, std::string_view name) {
  return path.find("/" + std::string(name) + "/") != std::string_view::npos;
}

// A directory of conformance/backends/: "conformance/backends/simd/"; "" elsewhere.
std::string_view backend_folder(std::string_view path) {
  constexpr std::string_view prefix = "conformance/backends/";
  if (!path.starts_with(prefix)) return {};
  const std::size_t end = path.find('/', prefix.size());
  return end == std::string_view::npos ? std::string_view{} : path.substr(0, end + 1);
}

bool is_fixture(std::string_view path) {
  return path.starts_with("conformance/fixtures/") && path.ends_with(".json");
}

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fs::filesystem_error("cannot read", path, std::make_error_code(std::errc::io_error));
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 9> kinds = {".cpp", ".hpp",  ".c",  ".h", ".cc",
                                                     ".txt", ".json", ".py", ".js"};
  return std::find(kinds.begin(), kinds.end(), path.extension().string()) != kinds.end();
}

// "POS-4" -> "pos_4", as laws and fixtures spell it.
std::string spelled(std::string_view token) {
  std::string name;
  for (const char c : token) {
    name += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

// The home that a token found in the file gives its clause. A law has a stricter rule of its own.
std::optional<Home> home_of(std::string_view path) {
  if (in_folder(path, "tests")) return Home::test;
  switch (place_of(path)) {
    case 1:
      return Home::reference;
    case 3:
      return Home::interface;
    case 4:
      return Home::bench;
    default:
      return std::nullopt;
  }
}

// Finds the clauses in one file and reports the tokens that no clause bears. The checker's own tests
// speak of invented clauses and are left out.
void visit_tokens(const Book& book, const Source& source, Trace& result) {
  if (source.path.starts_with("spec/") || is_fixture(source.path)) return;
  const std::optional<Home> home = home_of(source.path);
  for (const Mention& mention : mentions(source.text)) {
    if (!book.find(mention.token)) {
      result.problems.push_back({source.path, mention.line, "no clause bears the token " + mention.token});
    } else if (home) {
      result.found[mention.token].insert(*home);
    }
  }
}

// POS-4 is tested by law where a law's name begins with "pos_4_" in properties/.
void visit_laws(const Book& book, const Source& source, Trace& result) {
  if (!source.path.starts_with("properties/") || in_folder(source.path, "tests")) return;
  for (const Clause& clause : book.clauses) {
    if (source.text.find("\"" + spelled(clause.token) + "_") != std::string::npos) {
      result.found[clause.token].insert(Home::law);
    }
  }
}

// conformance/fixtures/position/pos_4.json records POS-4; any other name there is a mistake.
void visit_fixture(const Book& book, const Source& source, Trace& result) {
  if (!is_fixture(source.path)) return;
  for (const Clause& clause : book.clauses) {
    if (source.path != "conformance/fixtures/" + clause.stem() + "/" + spelled(clause.token) + ".json")
      continue;
    result.found[clause.token].insert(Home::fixture);
    return;
  }
  result.problems.push_back(
      {source.path, 0, "no clause has this fixture: the path is fixtures/<page>/<clause>.json"});
}

struct Include {
  std::string_view name;
  bool quoted = false;
  int line = 0;
};

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  for (int line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    row.remove_prefix(std::min(row.find_first_not_of(" \t"), row.size()));
    if (!row.starts_with('#') || row.find("include") == std::string_view::npos) continue;
    const std::size_t open = row.find_first_of("\"<");
    const std::size_t close = row.find_last_of("\">");
    if (open == std::string_view::npos || close <= open) continue;
    found.push_back({row.substr(open + 1, close - open - 1), row[open] == '"', line});
  }
  return found;
}

// Why the file may not include this; "" where it may.
std::string objection(const Source& source, const Include& include) {
  const std::string name(include.name);
  if (name.find("..") != std::string::npos)
    return "include '" + name + "' climbs out of its folder: write it from the root";
  const std::string_view backend = backend_folder(source.path);
  const std::size_t target = place_of(name);
  if (!backend.empty()) {
    // A faulty one is another backend with one fault planted.
    const bool planted = backend.ends_with("/faulty/") && name.starts_with("conformance/backends/");
    const bool own = target == folders.size() || name.starts_with(backend) || planted;
    return own ? "" : "a backend includes etalon/backend.h and its library, never '" + name + "'";
  }
  if (target < folders.size() && target > place_of(source.path)) {
    return "include '" + name +
           "' points against the arrow spec <- reference <- properties <- conformance <- bench";
  }
  // The ball is a mere pair of numbers; everything else of the fast path stays behind its own door.
  const bool readable =
      source.path.starts_with("reference/") && source.path.find('/', 10) == std::string::npos;
  const bool hidden = name.starts_with("reference/oracle/") || name.starts_with("reference/witness/");
  if (readable && hidden && name != "reference/oracle/ball.hpp") {
    return "a readable definition never includes '" + name + "'";
  }
  return "";
}

void visit_includes(const Source& source, Trace& result) {
  for (const Include& include : includes_of(source.text)) {
    const std::string what = objection(source, include);
    if (!what.empty()) result.problems.push_back({source.path, include.line, what});
  }
}

void require_homes(const Book& book, Trace& result) {
  for (const Clause& clause : book.clauses) {
    const Homes& found = result.found[clause.token];
    std::string missing;
    for (const Home home : homes) {
      if (!clause.required.contains(home) || found.contains(home)) continue;
      missing += (missing.empty() ? "" : ", ") + std::string(name_of(home));
    }
    if (!missing.empty()) {
      result.problems.push_back(
          {"spec/" + clause.page, clause.line, clause.token + " has no home in: " + missing});
    }
  }
}

}  // namespace

std::vector<Page> read_pages(const fs::path& root) {
  std::vector<Page> pages;
  for (const fs::directory_entry& entry : fs::directory_iterator(root / "spec")) {
    if (entry.path().extension() != ".md") continue;
    pages.push_back({entry.path().filename().string(), read_file(entry.path())});
  }
  std::sort(pages.begin(), pages.end(), [](const Page& a, const Page& b) { return a.name < b.name; });
  return pages;
}

std::vector<Source> read_tree(const fs::path& root) {
  std::vector<Source> sources;
  for (const std::string_view folder : folders) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      sources.push_back({fs::relative(entry.path(), root).generic_string(), read_file(entry.path())});
    }
  }
  std::sort(sources.begin(), sources.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
  return sources;
}

Trace trace(const Book& book, const std::vector<Source>& sources) {
  Trace result;
  result.problems = book.problems;
  for (const Source& source : sources) {
    visit_tokens(book, source, result);
    visit_laws(book, source, result);
    visit_fixture(book, source, result);
    visit_includes(source, result);
  }
  require_homes(book, result);
  return result;
}

std::string matrix(const Book& book, const Trace& result) {
  const auto padded = [](std::string_view text, std::size_t width) {
    return std::string(text) + std::string(width - std::min(width, text.size()), ' ');
  };
  std::string text = padded("clause", 9);
  for (const Home home : homes) text += padded(name_of(home), 11);
  text += "title\n";
  for (const Clause& clause : book.clauses) {
    const auto found = result.found.find(clause.token);
    text += padded(clause.token, 9);
    for (const Home home : homes) {
      const bool here = found != result.found.end() && found->second.contains(home);
      const bool asked = clause.required.contains(home);
      text += padded(here ? (asked ? "+" : "*") : (asked ? "-" : "."), 11);
    }
    text += clause.title + " (" + std::string(name_of(clause.level)) + ")\n";
  }
  return text;
}

}  // namespace etalon::spec
