#include "spec/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "spec/tests/scratch.hpp"

namespace etalon::spec {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Book& book() {
  static const Book pages =
      parse({{"position.md", "Homes: reference, law, fixture\n### POS-4 Rotation (MUST)\nText.\n"}});
  return pages;
}

std::vector<Source> complete() {
  return {{"reference/position.cpp", "// POS-4\n"},
          {"properties/position.cpp", "{\"pos_4_rotation\", \"POS-4\"}"},
          {"conformance/fixtures/position/pos_4.json", "{}"}};
}

std::vector<std::string> problems(const std::vector<Source>& sources) {
  std::vector<std::string> texts;
  for (const Problem& problem : trace(book(), sources).problems) texts.push_back(problem.text());
  return texts;
}

// The problems of the complete tree with one more file.
std::vector<std::string> problems_with(const std::string& path, const std::string& text) {
  std::vector<Source> sources = complete();
  sources.push_back({path, text});
  return problems(sources);
}

TEST(Trace, ACompleteTreeHasNoProblem) { EXPECT_THAT(problems(complete()), IsEmpty()); }

TEST(Trace, NamesEachMissingHome) {
  const char* names[] = {"reference", "law", "fixture"};
  for (std::size_t missing = 0; missing < 3; ++missing) {
    std::vector<Source> sources = complete();
    sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(missing));
    const std::vector<std::string> texts = problems(sources);
    ASSERT_THAT(texts, SizeIs(1));
    EXPECT_EQ(texts[0], "spec/position.md:2: POS-4 has no home in: " + std::string(names[missing]));
  }
}

TEST(Trace, ALawNeedsItsNameAndATestIsNoLaw) {
  std::vector<Source> sources = complete();
  sources[1].text = "// POS-4 is only mentioned";
  EXPECT_THAT(problems(sources), SizeIs(1));
  sources[1] = {"properties/tests/position_test.cpp", "\"pos_4_rotation\""};
  EXPECT_THAT(problems(sources), SizeIs(1));
}

TEST(Trace, NamesTokensWithoutClause) {
  const auto texts = problems_with("bench/position.cpp", "\n// POS-5\n");
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_EQ(texts[0], "bench/position.cpp:2: no clause bears the token POS-5");
}

TEST(Trace, NamesFixturesWithoutClause) {
  EXPECT_THAT(problems_with("conformance/fixtures/position/pos_5.json", "{}"), SizeIs(1));
  EXPECT_THAT(problems_with("conformance/fixtures/input/pos_4.json", "{}"), SizeIs(1));
  EXPECT_THAT(problems_with("conformance/fixtures/position.cpp", "// POS-4"), IsEmpty());
}

TEST(Trace, NamesIncludesAgainstTheArrow) {
  const auto texts = problems_with("reference/position.cpp", "\n#include \"properties/law.hpp\"\n");
  ASSERT_THAT(texts, SizeIs(1));
  EXPECT_THAT(texts[0],
              HasSubstr("reference/position.cpp:2: include 'properties/law.hpp' points against the arrow"));
  EXPECT_THAT(problems_with("properties/a.cpp", "# include <conformance/host/loader.hpp>\n"), SizeIs(1));
  EXPECT_THAT(problems_with("conformance/a.cpp", "#include \"bench/a.hpp\"\n"), SizeIs(1));
  EXPECT_THAT(problems_with("spec/checker.cpp", "#include \"reference/numerics.hpp\"\n"), SizeIs(1));
  EXPECT_THAT(problems_with("bench/a.cpp", "#include \"../conformance/a.hpp\"\n"), SizeIs(1));
  EXPECT_THAT(problems_with("bench/a.cpp", "#include \"spec/checker.hpp\"\n#include <vector>\n"), IsEmpty());
  EXPECT_THAT(problems_with("reference/input.cpp", "#include \"reference/oracle/dd.hpp\"\n"), SizeIs(1));
  EXPECT_THAT(problems_with("reference/input.cpp", "#include \"reference/oracle/ball.hpp\"\n"), IsEmpty());
  EXPECT_THAT(problems_with("reference/oracle/a.cpp", "#include \"reference/oracle/ball.hpp\"\n"), IsEmpty());
}

TEST(Trace, ABackendIncludesOnlyTheInterface) {
  const std::string path = "conformance/backends/simd/simd.cpp";
  EXPECT_THAT(
      problems_with(path, "#include \"etalon/backend.h\"\n#include <hwy/highway.h>\n#include \"half.h\"\n"),
      IsEmpty());
  EXPECT_THAT(problems_with(path, "#include \"conformance/backends/simd/half.h\"\n"), IsEmpty());
  EXPECT_THAT(problems_with(path, "#include \"reference/numerics.hpp\"\n"), SizeIs(1));
  EXPECT_THAT(problems_with("conformance/backends/faulty/x.c",
                            "#include \"conformance/backends/portable/portable.c\"\n"),
              IsEmpty());
  EXPECT_THAT(problems_with(path, "#include \"conformance/backends/portable/half.h\"\n"), SizeIs(1));
}

TEST(Matrix, ShowsWhatIsFoundMissingAndNotAsked) {
  std::vector<Source> sources = complete();
  sources.pop_back();
  sources.push_back({"bench/position.cpp", "// POS-4"});
  const std::string text = matrix(book(), trace(book(), sources));
  EXPECT_THAT(
      text,
      HasSubstr(
          "POS-4    +          +          -          *          .          .          Rotation (MUST)"));
}

TEST(ReadTree, FindsSourcesAndPages) {
  const Scratch root;
  std::filesystem::create_directories(root / "spec");
  std::filesystem::create_directories(root / "bench/tests");
  std::ofstream(root / "spec/b.md") << "# B\n";
  std::ofstream(root / "spec/a.md") << "# A 猫\n";
  std::ofstream(root / "bench/tests/x.cpp") << "int x;\n";
  std::ofstream(root / "bench/notes.bin") << "x";
  const auto sources = read_tree(root.path());
  ASSERT_THAT(sources, SizeIs(1));
  EXPECT_EQ(sources[0].path, "bench/tests/x.cpp");
  EXPECT_EQ(sources[0].text, "int x;\n");
  const auto pages = read_pages(root.path());
  ASSERT_THAT(pages, SizeIs(2));
  EXPECT_EQ(pages[0].text, "# A 猫\n");
}

}  // namespace
}  // namespace etalon::spec
