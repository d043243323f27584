#include "conformance/host/isolation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>
#include <vector>

#include "conformance/campaign.hpp"
#include "conformance/host/finding_bytes.hpp"

namespace etalon {
namespace {

using testing::HasSubstr;

constexpr double infinite = std::numeric_limits<double>::infinity();

Finding full_finding() {
  Finding finding{"subject", "POS-2", "law", "f32", {}, 7, 3, "law/f32/n=1"};
  Outcome& outcome = finding.outcome;
  outcome.verdict = Verdict::fail;
  outcome.grade = Grade::none;
  outcome.elements = 11;
  outcome.measured = 10;
  outcome.correctly_rounded = 9;
  outcome.worst_margin = infinite;
  outcome.worst_ulp = 2.5;
  outcome.sum_ulp = 3.5;
  outcome.predicted = 4;
  outcome.sum_deviation = -1;
  outcome.sum_square_deviation = 6;
  outcome.witness = {"out",        {2, 3},   5,   Dtype::bf16, 0x1234, 0x4321, {1, 0x1p-60, 0x1p-100},
                     std::nan(""), infinite, 2.5, "why\nnot"};
  return finding;
}

TEST(FindingBytes, AreTheWholeFinding) {
  const std::string bytes = bytes_of(full_finding());
  const Finding copy = finding_of(bytes);
  EXPECT_EQ(bytes_of(copy), bytes);
  EXPECT_EQ(copy.worst_case, "law/f32/n=1");
  EXPECT_EQ(copy.outcome.witness.reason, "why\nnot");
  EXPECT_EQ(copy.outcome.witness.shape, (Shape{2, 3}));
  EXPECT_EQ(copy.outcome.worst_margin, infinite);
  EXPECT_TRUE(std::isnan(copy.outcome.witness.bound));
}

TEST(FindingBytes, CutShortOrTooLongAreRefused) {
  const std::string bytes = bytes_of(full_finding());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(finding_of(bytes.substr(0, length)), std::runtime_error) << length;
  }
  EXPECT_THROW(finding_of(bytes + "x"), std::runtime_error);
  for (std::size_t i = 0; i < bytes.size();
       ++i) {  // damage anywhere: an error, or a finding that can be shown
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0xFF);
    try {
      EXPECT_LE(finding_of(damaged).outcome.witness.shape.rank, max_rank);
    } catch (const std::runtime_error& error) {
      EXPECT_NE(std::string_view(error.what()), "");
    }
  }
  EXPECT_THROW(finding_of(std::string(64, '\xff')), std::runtime_error);
}

enum Deed : std::size_t {
  good,
  aborting,
  segfaulting,
  leaving,
  hanging,
  hoarding,
  throwing,
  starving,
  twice,
  littering,
  closing,
  orphaning
};

Finding do_deed(std::size_t deed) {
  announce("case " + std::to_string(deed));
  std::vector<std::vector<char>> hoard;
  switch (deed) {
    case aborting:
      std::abort();
    case segfaulting:
      std::raise(SIGSEGV);
      break;
    case leaving:
      _exit(3);
    case hanging:
      for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
    case hoarding:
      for (;;) {  // at most 1 GiB a second, so that the watch sees it in time
        hoard.emplace_back(std::size_t{32} << 20, 'x');
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
      }
    case throwing:
      throw std::runtime_error("no context");
    case starving:
      throw std::bad_alloc();
    case twice:
      if (fork() == 0) announce("the second return");
      break;
    case littering:  // into every file it can reach, the suite's pipe among them
      for (int file = 3; file < 64; ++file) {
        if (write(file, "x", 1) != 1) continue;
      }
      break;
    case closing:
      for (int file = 0; file < 1000; ++file) close(file);
      break;
    case orphaning:  // what it leaves behind holds the pipe open
      if (fork() == 0) {
        for (;;) pause();
      }
      _exit(3);
    default:
      break;
  }
  return full_finding();
}

Finding blank() {
  Finding finding;
  finding.subject = "blank";
  return finding;
}

TEST(Worker, DoesWork) {
  Worker worker(do_deed, {});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(worker.run(good, blank()).subject, "subject");
}

TEST(Worker, ADeathCostsOnePieceOfWork) {
  Worker worker(do_deed, {});
  for (const auto& [deed, words] : {std::pair{aborting, "signal 6"}, std::pair{segfaulting, "signal 11"},
                                    std::pair{leaving, "ended the process"}}) {
    const Finding finding = worker.run(deed, blank());
    EXPECT_EQ(finding.outcome.verdict, Verdict::crash);
    EXPECT_EQ(finding.subject, "blank");
    EXPECT_EQ(finding.worst_case, "case " + std::to_string(deed));
    EXPECT_EQ(finding.cases, 1U);
    EXPECT_THAT(finding.outcome.witness.reason, HasSubstr(words));
    EXPECT_EQ(worker.run(good, blank()).subject, "subject");
  }
}

TEST(Worker, HangingIsATimeout) {
  Worker worker(do_deed, {0.2, 0});
  const Finding finding = worker.run(hanging, blank());
  EXPECT_EQ(finding.outcome.verdict, Verdict::timeout);
  EXPECT_THAT(finding.outcome.witness.reason, HasSubstr("did not end within"));
  EXPECT_EQ(worker.run(good, blank()).subject, "subject");
}

TEST(Worker, HoardingIsACrash) {
  Worker worker(do_deed, {20, std::size_t{1} << 29});
  const Finding finding = worker.run(hoarding, blank());
  EXPECT_EQ(finding.outcome.verdict, Verdict::crash);
  EXPECT_THAT(finding.outcome.witness.reason, HasSubstr("GiB of memory"));
}

TEST(Worker, ExceptionsCross) {
  Worker worker(do_deed, {});
  EXPECT_THROW(worker.run(throwing, blank()), std::runtime_error);
  EXPECT_EQ(worker.run(good, blank()).subject, "subject");
}

TEST(Worker, NoDeedReachesTheNextPieceOfWork) {
  Worker worker(do_deed, {2, 0});
  for (const Deed deed : {starving, littering, closing, orphaning}) {
    const Finding finding = worker.run(deed, blank());
    EXPECT_EQ(finding.subject, "blank") << deed;
    EXPECT_NE(finding.outcome.witness.reason, "") << deed;
    EXPECT_EQ(worker.run(good, blank()).subject, "subject") << deed;
  }
  // The other half of a fork neither answers nor takes a command.
  EXPECT_EQ(worker.run(twice, blank()).subject, "subject");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(worker.run(good, blank()).subject, "subject") << i;
}

TEST(Worker, AnEndedChildIsReplaced) {
  int calls = 0;
  Worker worker(
      [&calls](std::size_t) {
        Finding finding = full_finding();
        finding.cases = static_cast<std::uint64_t>(++calls);
        return finding;
      },
      {});
  EXPECT_EQ(worker.run(0, blank()).cases, 1U);
  EXPECT_EQ(worker.run(0, blank()).cases, 2U);
  worker.end();
  EXPECT_EQ(worker.run(0, blank()).cases, 1U);
}

TEST(Campaign, ASubjectThatCannotBeMadeFailsWhereItIsAsked) {
  const Entrant closed = {"closed", "",
                          []() -> std::unique_ptr<Subject> { throw std::runtime_error("no context"); }};
  Selection selection;
  selection.clauses = {"EMB-1"};
  selection.dtypes = {Dtype::f32};
  selection.options.level = Level::smoke;
  const std::vector<Finding> findings = run_campaign({closed}, {}, selection);
  ASSERT_FALSE(findings.empty());
  for (const Finding& finding : findings) {
    EXPECT_EQ(finding.outcome.verdict, Verdict::fail);
    EXPECT_EQ(finding.outcome.witness.reason, "no context");
  }
  EXPECT_EQ(exit_of(totals_of(rows_of(findings))), Exit::failed);
}

TEST(Worker, AnnouncingElsewhereIsNothing) { announce("whatever"); }

// Takes the process along whenever it is asked for positions.
class Crashing final : public Subject {
 public:
  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return inner_->model(operation, dtype);
  }
  Status run(const Call& call) override {
    if (call.operation == "sinusoidal") std::raise(SIGSEGV);
    return inner_->run(call);
  }

 private:
  std::string name_ = "crashing";
  std::unique_ptr<Subject> inner_ = reference_subject()();
};

TEST(Campaign, ACrashIsAVerdictAndTheOthersAreJudged) {
  std::vector<Entrant> entrants = own_entrants();
  entrants.push_back({"crashing", "", [] { return std::make_unique<Crashing>(); }});
  Selection selection;
  selection.clauses = {"POS-3", "EMB-1"};
  selection.dtypes = {Dtype::f32};
  selection.options.level = Level::smoke;
  selection.jobs = 2;
  int crashes = 0;
  int passes = 0;
  for (const Finding& finding : run_campaign(entrants, {}, selection)) {
    if (finding.outcome.verdict == Verdict::pass) ++passes;
    if (finding.outcome.verdict != Verdict::crash) continue;
    ++crashes;
    EXPECT_EQ(finding.subject, "crashing");
    EXPECT_EQ(finding.clause, "POS-3");
    std::string error;
    EXPECT_TRUE(case_named(finding.worst_case, error)) << finding.worst_case << ": " << error;
  }
  EXPECT_GE(crashes, 1);
  EXPECT_GE(passes, 3);
}

TEST(Campaign, IsolationChangesNoResult) {
  Selection selection;
  selection.clauses = {"INP-1"};
  selection.options.level = Level::smoke;
  const std::vector<Finding> apart = run_campaign(own_entrants(), {}, selection);
  selection.isolated = false;
  const std::vector<Finding> together = run_campaign(own_entrants(), {}, selection);
  ASSERT_EQ(apart.size(), together.size());
  for (std::size_t i = 0; i < apart.size(); ++i) EXPECT_EQ(bytes_of(apart[i]), bytes_of(together[i]));
}

}  // namespace
}  // namespace etalon
