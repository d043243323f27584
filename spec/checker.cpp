#include "spec/checker.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace etalon::spec {
namespace {

constexpr std::array families = {"SEQ", "VOC", "TOK", "IDX", "EMB", "TRN", "POS", "ROT", "INP",
                                 "LIN", "ATT", "NRM", "FFN", "BLK", "NUM", "TEN", "ABI", "PRO"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_word(char c) { return is_digit(c) || is_upper(c) || (c >= 'a' && c <= 'z') || c == '_'; }

std::string_view trimmed(std::string_view text) {
  const std::string_view blanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Number of leading '#' of a heading, 0 for any other line.
std::size_t heading_level(std::string_view line) {
  const std::size_t hashes = std::min(line.find_first_not_of('#'), line.size());
  const bool is_heading = hashes > 0 && hashes <= 6 && hashes < line.size() && line[hashes] == ' ';
  return is_heading ? hashes : 0;
}

bool is_fence(std::string_view line) {
  const std::string_view text = trimmed(line);
  return text.starts_with("```") || text.starts_with("~~~");
}

bool is_token(std::string_view word) {
  const std::size_t hyphen = word.find('-');
  if (hyphen == std::string_view::npos || !is_family(word.substr(0, hyphen))) return false;
  const std::string_view number = word.substr(hyphen + 1);
  return !number.empty() && number.front() != '0' && std::all_of(number.begin(), number.end(), is_digit);
}

// True for a heading that was meant to be a clause: its first word begins like a family's token, or it
// ends with a word in parentheses that is written like a level.
bool resembles_clause(std::string_view title) {
  const std::string_view word = title.substr(0, title.find(' '));
  std::string upper;
  for (const char c : word) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const bool has_number = std::any_of(word.begin(), word.end(), is_digit) || upper.ends_with('-');
  if (upper.size() >= 4 && is_family(std::string_view(upper).substr(0, 3)) && has_number) return true;
  if (!title.ends_with(')')) return false;
  const std::size_t open = title.rfind('(');
  if (open == std::string_view::npos) return false;
  const std::string_view level = title.substr(open + 1, title.size() - open - 2);
  return level == "MUST" || level == "SHOULD" || level == "DECLARED";
}

std::optional<Level> level_named(std::string_view name) {
  for (const Level level : {Level::must, Level::should, Level::declared}) {
    if (name_of(level) == name) return level;
  }
  return std::nullopt;
}

std::optional<Home> home_named(std::string_view name) {
  for (const Home home : homes) {
    if (name_of(home) == name) return home;
  }
  return std::nullopt;
}

// Reads one page. Headings decide what a line belongs to; code fences hide headings.
class PageReader {
 public:
  PageReader(const Page& page, Book& book) : page_(page), book_(book) {}

  void read() {
    for (const std::string_view line : lines_of(page_.text)) {
      ++line_;
      if (is_fence(line)) fenced_ = !fenced_;
      const std::size_t level = fenced_ ? 0 : heading_level(line);
      if (level > 0) {
        heading(level, trimmed(line.substr(level)));
        if (level > 3 && open_) append(line);
      } else if (!fenced_ && line.starts_with("Homes:")) {
        read_homes(line.substr(6));
      } else if (open_) {
        append(line);
      }
    }
    if (fenced_) problem(line_, "a code fence is never closed");
    close();
  }

 private:
  void problem(int line, std::string what) {
    book_.problems.push_back({"spec/" + page_.name, line, std::move(what)});
  }

  void append(std::string_view line) {
    clause_.body += line;
    clause_.body += '\n';
  }

  void heading(std::size_t level, std::string_view title) {
    if (level > 3) {
      if (is_token(title.substr(0, title.find(' ')))) {
        problem(line_, "a clause is a heading of level 3: write '### " + std::string(title) + "'");
      }
      return;
    }
    close();
    if (level == 3) {
      read_clause(title);
    } else if (is_token(title.substr(0, title.find(' ')))) {
      problem(line_, "a clause is a heading of level 3: write '### " + std::string(title) + "'");
    }
  }

  void read_clause(std::string_view title) {
    const std::string_view token = title.substr(0, title.find(' '));
    if (!is_token(token)) {
      if (resembles_clause(title)) {
        problem(line_, "malformed clause heading '" + std::string(title) +
                           "': write '### FAMILY-NUMBER Title (MUST|SHOULD|DECLARED)'");
      }
      return;
    }
    const std::size_t open = title.rfind('(');
    if (open == std::string_view::npos || !title.ends_with(')')) {
      return problem(line_, std::string(token) +
                                " states no level: end the heading with (MUST), (SHOULD) or (DECLARED)");
    }
    const std::string_view name = title.substr(open + 1, title.size() - open - 2);
    const std::optional<Level> level = level_named(name);
    if (!level) {
      return problem(line_, std::string(token) + " has the unknown level '" + std::string(name) +
                                "': use MUST, SHOULD or DECLARED");
    }
    const std::string_view words = trimmed(title.substr(token.size(), open - token.size()));
    if (words.empty()) return problem(line_, std::string(token) + " has no title");
    clause_ = {};
    clause_.token = token;
    clause_.title = words;
    clause_.level = *level;
    clause_.page = page_.name;
    clause_.line = line_;
    open_ = true;
  }

  void read_homes(std::string_view names) {
    Homes found;
    while (!names.empty()) {
      const std::size_t end = std::min(names.find(','), names.size());
      const std::string_view name = trimmed(names.substr(0, end));
      if (const std::optional<Home> home = home_named(name)) {
        found.insert(*home);
      } else {
        problem(line_, "unknown home '" + std::string(name) +
                           "': use reference, law, fixture, bench, interface or test");
      }
      names.remove_prefix(std::min(end + 1, names.size()));
    }
    (open_ ? clause_.required : page_homes_) = found;
  }

  // Ends the clause that is open, if any.
  void close() {
    if (!std::exchange(open_, false)) return;
    clause_.body = trimmed(clause_.body);
    if (clause_.body.empty()) problem(clause_.line, clause_.token + " states nothing: its body is empty");
    if (clause_.required.empty()) clause_.required = page_homes_;
    if (clause_.required.empty()) {
      problem(clause_.line,
              clause_.token + " has no homes: add a line 'Homes: ...' at the beginning of the page");
    }
    if (const Clause* first = book_.find(clause_.token)) {
      return problem(clause_.line, clause_.token + " is stated twice: first in spec/" + first->page + ":" +
                                       std::to_string(first->line));
    }
    book_.clauses.push_back(std::move(clause_));
  }

  const Page& page_;
  Book& book_;
  int line_ = 0;
  bool fenced_ = false;
  bool open_ = false;
  Clause clause_;
  Homes page_homes_;
};

}  // namespace

std::string_view name_of(Level level) {
  constexpr std::array<std::string_view, 3> names = {"MUST", "SHOULD", "DECLARED"};
  return names.at(static_cast<std::size_t>(level));
}

std::string_view name_of(Home home) {
  constexpr std::array<std::string_view, homes.size()> names = {"reference", "law",       "fixture",
                                                                "bench",     "interface", "test"};
  return names.at(static_cast<std::size_t>(home));
}

bool is_family(std::string_view name) {
  return std::find(families.begin(), families.end(), name) != families.end();
}

std::string Clause::heading() const { return token + " " + title + " (" + std::string(name_of(level)) + ")"; }

std::string Clause::stem() const { return page.substr(0, page.rfind('.')); }

std::string Problem::text() const {
  return file + (line > 0 ? ":" + std::to_string(line) : "") + ": " + what;
}

const Clause* Book::find(std::string_view token) const {
  for (const Clause& clause : clauses) {
    if (clause.token == token) return &clause;
  }
  return nullptr;
}

Book parse(const std::vector<Page>& pages) {
  Book book;
  for (const Page& page : pages) PageReader(page, book).read();
  return book;
}

std::vector<Mention> mentions(std::string_view text) {
  std::vector<Mention> found;
  int line = 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') ++line;
    if (text[i] != '-' || i < 3 || (i > 3 && is_word(text[i - 4]))) continue;
    if (!is_family(text.substr(i - 3, 3))) continue;
    std::size_t end = i + 1;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::string_view token = text.substr(i - 3, end - i + 3);
    if (is_token(token) && (end == text.size() || !is_word(text[end]))) {
      found.push_back({std::string(token), line});
    }
  }
  return found;
}

}  // namespace etalon::spec
