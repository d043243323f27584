#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "conformance/report/text.hpp"

namespace etalon {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

constexpr double infinite = std::numeric_limits<double>::infinity();

const spec::Book& book() {
  static const spec::Book pages = spec::parse({{"position.md",
                                                "Homes: law\n### POS-2 Sinusoidal code (MUST)\nText.\n"
                                                "### POS-3 Row of position zero (MUST)\nText.\n"
                                                "### POS-4 Rotation identity (MUST)\nText.\n"}});
  return pages;
}

Finding passing(const std::string& clause, const std::string& dtype, std::uint64_t measured, double margin) {
  Finding finding{"portable", clause, "law", dtype, {}, 12, 0, "pos_2_definition/" + dtype + "/n=3"};
  finding.outcome.elements = 1234567;
  finding.outcome.measured = measured;
  finding.outcome.correctly_rounded = measured / 2;
  finding.outcome.worst_margin = margin;
  finding.outcome.worst_ulp = 0.75;
  finding.outcome.grade = measured > 0 ? Grade::faithful : Grade::exact;
  finding.outcome.witness = {"out", {3, 4}, 6, Dtype::f32, 0, 0, {}, 1e-7, margin, 0.75, ""};
  return finding;
}

Finding failing() {
  Finding finding{
      "./mine.so", "POS-2", "pos_2_definition", "f32", {}, 1, 0, "pos_2_definition/f32/n=1,pairs=2@7"};
  finding.outcome.verdict = Verdict::fail;
  finding.outcome.grade = Grade::none;
  finding.outcome.elements = 4;
  finding.outcome.measured = 4;
  finding.outcome.worst_margin = 2500;
  finding.outcome.worst_ulp = 600.25;
  // Near cos(0.01); hi + lo has digits that no double holds.
  const Ball truth{0.99995000041666526, 1.2e-17, 1e-33};
  finding.outcome.witness = {"out",
                             {1, 4},
                             3,
                             Dtype::f32,
                             0x3f7fc000,
                             0x3f7ffcb9,
                             truth,
                             1.5e-8,
                             2500,
                             600.25,
                             "the error exceeds the bound"};
  return finding;
}

std::string finding_text(const Finding& finding, bool color = false) {
  std::ostringstream out;
  write_finding(out, finding, book(), {color});
  return out.str();
}

std::string report_text(const Report& report) {
  std::ostringstream out;
  write_report(out, report, book(), {});
  return out.str();
}

TEST(Finding, AFailureSaysEverythingInTheseWords) {
  EXPECT_EQ(finding_text(failing()),
            "FAIL  POS-2 Sinusoidal code (MUST) on ./mine.so, f32\n"
            "        case: pos_2_definition/f32/n=1,pairs=2@7\n"
            "     element: out(0, 3) of shape (1, 4)\n"
            "         got: 0.9990234375             0x3f7fc000\n"
            "        want: 0.99994999170303345      0x3f7ffcb9\n"
            "   reference: 0.999950000416665275358595439058 +- 1.0e-33\n"
            "       error: 600 ulp of f32; 2.5e+03 times the bound of 1.500e-08\n"
            "      reason: the error exceeds the bound\n"
            "        spec: etalon spec POS-2\n"
            "      replay: ./etalon replay --backend ./mine.so 'pos_2_definition/f32/n=1,pairs=2@7'\n");
}

TEST(Finding, WrongBitsHaveNoMultipleOfABound) {
  Finding finding = failing();
  finding.outcome.witness.bound = 0;
  finding.outcome.witness.margin = infinite;
  EXPECT_THAT(finding_text(finding), HasSubstr("error: 600 ulp of f32; the bits must agree (bound 0)"));
  finding.outcome.witness.ulp_error = infinite;
  EXPECT_THAT(finding_text(finding), Not(HasSubstr("error:")));
}

TEST(Finding, SpecialValuesAreNamed) {
  Finding finding = failing();
  finding.outcome.witness.got = 0x7fc00000;
  finding.outcome.witness.truth = Ball::exact(infinite);
  EXPECT_THAT(finding_text(finding), HasSubstr("got: nan                      0x7fc00000"));
  EXPECT_THAT(finding_text(finding), HasSubstr("reference: inf"));
}

TEST(Finding, WithoutAnElementThereIsTheReason) {
  Finding finding = failing();
  finding.outcome.witness = {};
  finding.outcome.witness.reason = "embed answered INTERNAL";
  const std::string text = finding_text(finding);
  EXPECT_THAT(text, HasSubstr("reason: embed answered INTERNAL"));
  EXPECT_THAT(text, Not(HasSubstr("element:")));
}

TEST(Finding, IntegersHaveNoUlp) {
  Finding finding = failing();
  finding.outcome.witness.dtype = Dtype::i64;
  finding.outcome.witness.got = static_cast<std::uint64_t>(-3);
  const std::string text = finding_text(finding);
  EXPECT_THAT(text, HasSubstr("got: -3  0xfffffffffffffffd"));
  EXPECT_THAT(text, Not(HasSubstr("ulp")));
}

TEST(Finding, ColoursOnlyWhereAskedFor) {
  EXPECT_THAT(finding_text(failing(), true), HasSubstr("\x1b[1;31mFAIL\x1b[0m"));
  EXPECT_THAT(finding_text(failing(), false), Not(HasSubstr("\x1b")));
}

TEST(Report, LastLineCountsRows) {
  Report report;
  report.findings = {passing("POS-3", "f64", 0, 0), passing("POS-3", "f32", 0, 0),
                     passing("POS-2", "f32", 100, 0.25), failing()};
  Finding declined = passing("POS-4", "bf16", 0, 0);
  declined.cases = 0;
  declined.unsupported = 3;
  declined.outcome.verdict = Verdict::unsupported;
  report.findings.push_back(declined);
  report.clauses = {"POS-2", "POS-3", "POS-4"};
  report.subjects = {{"portable", "1.0"}, {"./mine.so", "mine"}};
  report.seconds = 1.25;
  const std::string text = report_text(report);
  EXPECT_THAT(text, EndsWith("\n3 passed, 1 failed, 1 skipped\n"));
  EXPECT_THAT(text, HasSubstr("clauses that no subject was judged on: POS-4\n"));
  EXPECT_THAT(text,
              HasSubstr("2 clauses judged on 2 subjects, 37 cases, 3,703,705 output elements, 1.2 s\n"));
  EXPECT_THAT(text, HasSubstr("not offered in bf16: POS-4\n"));
  EXPECT_THAT(text, HasSubstr("POS-3  f64 f32              24   2,469,134       -       -       -      -  "
                              "exact             PASS\n"));
  EXPECT_THAT(text, HasSubstr("POS-2  f32                  12   1,234,567    0.25    0.75   50.0%      -  "
                              "faithful          PASS\n"));
  EXPECT_THAT(text, HasSubstr("    0.25  pos_2_definition/f32/n=3  out(1, 2)\n"));
  EXPECT_EQ(exit_of(totals_of(rows_of(report.findings))), Exit::failed);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Report, UndecidedRowsAreListedAndCountAsSkipped) {
  Report report;
  Finding finding = passing("POS-2", "f32", 3, 0.5);
  finding.outcome.verdict = Verdict::no_bound;
  finding.outcome.witness.reason = "no bound for this model";
  report.findings = {finding};
  report.subjects = {{"portable", ""}};
  const std::string text = report_text(report);
  EXPECT_THAT(
      text,
      HasSubstr("NO_BOUND  POS-2 on portable, f32: no bound for this model  (pos_2_definition/f32/n=3)\n"));
  EXPECT_THAT(text, HasSubstr("1 of the skipped rows were left undecided\n"));
  EXPECT_THAT(text, EndsWith("0 passed, 0 failed, 1 skipped\n"));
  EXPECT_EQ(exit_of(totals_of(rows_of(report.findings))), Exit::inconclusive);
}

TEST(Report, NothingRanIsNoSuccess) {
  EXPECT_EQ(exit_of(totals_of({})), Exit::nothing_ran);
  EXPECT_THAT(report_text({}), EndsWith("0 passed, 0 failed, 0 skipped\n"));
}

TEST(Rows, DeclinedFindingsNeitherHideNorHarm) {
  Finding declined = passing("POS-2", "f32", 0, 0);
  declined.cases = 0;
  declined.unsupported = 1;
  declined.outcome.verdict = Verdict::unsupported;
  const std::vector<Finding> findings = {declined, passing("POS-2", "f32", 4, 0.5), declined};
  const std::vector<Row> rows = rows_of(findings);
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].mark(), Mark::passed);
  EXPECT_EQ(rows[0].cases, 12U);
  EXPECT_EQ(rows[0].unsupported, 2U);
}

TEST(Rows, AFailureIsNeverOutvoted) {
  Finding bad = failing();
  bad.subject = "portable";
  for (const auto& order : {std::vector{bad, passing("POS-2", "f32", 4, 0.5)},
                            std::vector{passing("POS-2", "f32", 4, 0.5), bad}}) {
    const std::vector<Row> rows = rows_of(order);
    ASSERT_THAT(rows, SizeIs(1));
    EXPECT_EQ(rows[0].mark(), Mark::failed);
  }
}

TEST(Numbers, AreWrittenAsPeopleReadThem) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(12345678), "12,345,678");
  EXPECT_EQ(decimal_of(Ball::exact(0.5), 30), "0.5");
  // 1 + 2^-100, which no double holds.
  EXPECT_EQ(decimal_of({1, 0x1p-100, 0}, 35), "1.0000000000000000000000000000007889");
  EXPECT_EQ(element_name("out", {2, 3, 4}, 23), "out(1, 2, 3)");
  EXPECT_EQ(element_name("out", {5}, 0), "out(0)");
  EXPECT_EQ(shell_quoted("./a-b.so"), "./a-b.so");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace etalon
