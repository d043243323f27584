// The clauses of the specification, read from its pages.
// A clause is a section that begins with `### POS-4 Rotation identity (MUST)` and ends before the next
// heading of level 3 or less. Each page names, in a line `Homes: reference, law, fixture`, the places
// where its clauses must live; a clause may override it with a line of its own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etalon::spec {

struct Page {
  std::string name;  // "position.md"
  std::string text;  // UTF-8
};

// The pages compiled into the program, sorted by name.
std::vector<Page> embedded_pages();

enum class Level : int { must, should, declared };
std::string_view name_of(Level level);  // "MUST", "SHOULD", "DECLARED"

// Where a clause can live besides its page.
enum class Home : int { reference, law, fixture, bench, interface, test };
inline constexpr std::array homes = {Home::reference, Home::law,       Home::fixture,
                                     Home::bench,     Home::interface, Home::test};
std::string_view name_of(Home home);

// A set of homes, one bit each.
class Homes {
 public:
  void insert(Home home) { bits_ |= 1U << static_cast<unsigned>(home); }
  bool contains(Home home) const { return (bits_ >> static_cast<unsigned>(home) & 1U) != 0; }
  bool empty() const { return bits_ == 0; }
  bool operator==(const Homes&) const = default;

 private:
  unsigned bits_ = 0;
};

struct Clause {
  std::string token;  // "POS-4"
  std::string title;  // "Rotation identity"
  Level level = Level::must;
  std::string body;  // Markdown after the heading, no blank lines at either end
  std::string page;  // "position.md"
  int line = 0;      // of the heading, from 1
  Homes required;

  std::string heading() const;  // "POS-4 Rotation identity (MUST)"
  std::string stem() const;     // "position"
};

struct Problem {
  std::string file;  // relative to the root, "spec/position.md"
  int line = 0;      // from 1; 0 where the whole file is meant
  std::string what;

  std::string text() const;  // "spec/position.md:12: what"
};

// Every clause of the pages, in page order, and everything that is wrong with them.
struct Book {
  std::vector<Clause> clauses;
  std::vector<Problem> problems;

  const Clause* find(std::string_view token) const;  // nullptr: no such clause
};
Book parse(const std::vector<Page>& pages);

// "POS", "SEQ", ...: the families a token may belong to.
bool is_family(std::string_view name);

struct Mention {
  std::string token;
  int line = 0;  // from 1
};
// Every token of a known family in a text: letters, a hyphen, digits, standing as a word of its own.
std::vector<Mention> mentions(std::string_view text);

}  // namespace etalon::spec
