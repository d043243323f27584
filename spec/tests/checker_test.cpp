#include "spec/checker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spec/trace.hpp"

namespace etalon::spec {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view good = R"(# Position
Homes: reference, law, fixture

Words before the first clause.

### POS-1 A code is a matrix (MUST)

Body of one.

#### A remark

More of one.

### POS-2 Sinusoidal (or not) (DECLARED)
Homes: law
Body of two.

## Chapter
Not part of two.
)";

Book parse_one(std::string_view text) { return parse({{"position.md", std::string(text)}}); }

std::string only_problem(std::string_view text) {
  const Book book = parse_one(text);
  EXPECT_THAT(book.problems, SizeIs(1));
  return book.problems.empty() ? "" : book.problems.front().text();
}

TEST(Parse, ReadsClausesWithLevelBodyAndHomes) {
  const Book book = parse_one(good);
  ASSERT_THAT(book.problems, IsEmpty());
  ASSERT_THAT(book.clauses, SizeIs(2));
  const Clause& one = book.clauses[0];
  EXPECT_EQ(one.heading(), "POS-1 A code is a matrix (MUST)");
  EXPECT_EQ(one.body, "Body of one.\n\n#### A remark\n\nMore of one.");
  EXPECT_EQ(one.line, 6);
  EXPECT_EQ(one.stem(), "position");
  EXPECT_TRUE(one.required.contains(Home::fixture));
  EXPECT_FALSE(one.required.contains(Home::bench));
  const Clause& two = book.clauses[1];
  EXPECT_EQ(two.title, "Sinusoidal (or not)");
  EXPECT_EQ(two.level, Level::declared);
  EXPECT_EQ(two.body, "Body of two.");
  Homes only_law;
  only_law.insert(Home::law);
  EXPECT_EQ(two.required, only_law);
  EXPECT_EQ(book.find("POS-2"), &book.clauses[1]);
  EXPECT_EQ(book.find("POS-3"), nullptr);
}

TEST(Parse, HeadingsInsideAFenceAreText) {
  const Book book = parse_one("Homes: law\n### POS-1 One (MUST)\n```\n### POS-2 Two (MUST)\n```\n");
  EXPECT_THAT(book.problems, IsEmpty());
  ASSERT_THAT(book.clauses, SizeIs(1));
  EXPECT_THAT(book.clauses[0].body, HasSubstr("POS-2"));
}

TEST(Parse, OrdinaryHeadingsAreLeftAlone) {
  EXPECT_THAT(parse_one("### Notation\n### Positions (0-based)\n### Tokens 1 to 3\n").problems, IsEmpty());
}

TEST(Parse, NamesEveryFault) {
  EXPECT_EQ(only_problem("Homes: law\n### POS-1 One (MUST)\nA\n### POS-1 Again (MUST)\nB\n"),
            "spec/position.md:4: POS-1 is stated twice: first in spec/position.md:2");
  EXPECT_THAT(only_problem("Homes: law\n### POS-1 One (MAY)\nA\n"),
              HasSubstr(":2: POS-1 has the unknown level 'MAY'"));
  EXPECT_THAT(only_problem("Homes: law\n### POS-1 One\nA\n"), HasSubstr(":2: POS-1 states no level"));
  EXPECT_THAT(only_problem("Homes: law\n### POS-1 (MUST)\nA\n"), HasSubstr(":2: POS-1 has no title"));
  EXPECT_THAT(only_problem("Homes: law\n### POS-1 One (MUST)\n\n"), HasSubstr("its body is empty"));
  EXPECT_THAT(only_problem("Homes: law, attic\n"), HasSubstr(":1: unknown home 'attic'"));
  EXPECT_THAT(only_problem("### POS-1 One (MUST)\nA\n"), HasSubstr(":1: POS-1 has no homes"));
  EXPECT_THAT(only_problem("## POS-1 One (MUST)\n"), HasSubstr("heading of level 3"));
  EXPECT_THAT(only_problem("#### POS-1 One (MUST)\n"), HasSubstr("heading of level 3"));
  EXPECT_THAT(only_problem("```\n"), HasSubstr("never closed"));
}

TEST(Parse, NamesMalformedHeadings) {
  for (const char* heading : {"pos-4 Rotation (MUST)", "POS4 Rotation (MUST)", "POS- Rotation (MUST)",
                              "POS-04 Rotation (MUST)", "POS-4: Rotation (MUST)", "XYZ-1 Unknown (MUST)"}) {
    EXPECT_THAT(only_problem("### " + std::string(heading) + "\n"), HasSubstr("malformed clause heading"))
        << heading;
  }
}

TEST(Mentions, FindsWholeTokensOnly) {
  const auto tokens = [](std::string_view text) {
    std::vector<std::string> found;
    for (const Mention& mention : mentions(text)) found.push_back(mention.token);
    return found;
  };
  EXPECT_THAT(tokens("POS-4, (EMB-12) and\nINP-1"), ElementsAre("POS-4", "EMB-12", "INP-1"));
  EXPECT_THAT(tokens("XPOS-4 POS-4x POS-04 POS- pos-4 ABC-1 -1 S-2"), IsEmpty());
  EXPECT_THAT(tokens(""), IsEmpty());
  EXPECT_EQ(mentions("a\n\nPOS-4").front().line, 3);
}

TEST(EmbeddedPages, HoldThePagesByteForByte) {
  const std::vector<Page> embedded = embedded_pages();
  const std::vector<Page> pages = read_pages(ETALON_ROOT);
  ASSERT_EQ(embedded.size(), pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(embedded[i].name, pages[i].name);
    EXPECT_EQ(embedded[i].text, pages[i].text) << pages[i].name;
  }
}

TEST(EmbeddedPages, AreWellFormed) {
  for (const Problem& problem : parse(embedded_pages()).problems) ADD_FAILURE() << problem.text();
}

}  // namespace
}  // namespace etalon::spec
