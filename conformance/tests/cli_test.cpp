// The program as a user meets it: started, its output, its exit status.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "spec/tests/scratch.hpp"

namespace etalon {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

struct Ended {
  int status = -1;  // exit status; -1 where it was killed
  std::string out;
  std::string err;
};

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// Runs `etalon` with the arguments, its output going to files.
Ended etalon(const std::vector<std::string>& arguments) {
  const Scratch folder;
  const std::string out = folder / "out";
  const std::string err = folder / "err";
  const pid_t child = fork();
  if (child == 0) {
    const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(out_file, STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    std::vector<std::string> words = {ETALON_PROGRAM};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> values;
    for (std::string& word : words) values.push_back(word.data());
    values.push_back(nullptr);
    execv(ETALON_PROGRAM, values.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  Ended run{WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  return run;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n');
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin + 1, end - begin);
}

// A user's error: that status, nothing on stdout, and one line on stderr that speaks of `words`.
void expect_complaint(const std::vector<std::string>& arguments, int status, const std::string& words) {
  const Ended run = etalon(arguments);
  EXPECT_EQ(run.status, status) << run.err;
  EXPECT_THAT(run.out, IsEmpty());
  EXPECT_THAT(run.err, AllOf(StartsWith("etalon: "), HasSubstr(words), EndsWith("\n")));
  EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
}

const std::string faulty =
    std::filesystem::path(ETALON_PROGRAM).parent_path().parent_path() / "lib" / "faulty";

TEST(Help, IsWorthReading) {
  const Ended run = etalon({"--help"});
  EXPECT_EQ(run.status, 0);
  for (const char* word :
       {"check", "list", "replay", "spec", "trace", "fixtures", "bench", "Examples:", "Exit status:"}) {
    EXPECT_THAT(run.out, HasSubstr(word));
  }
  for (const char* command : {"check", "list", "replay", "spec", "trace", "fixtures"}) {
    const Ended help = etalon({command, "--help"});
    EXPECT_EQ(help.status, 0) << command;
    EXPECT_THAT(help.out, HasSubstr("Examples:")) << command;
  }
}

TEST(Version, IsOneLine) {
  const Ended run = etalon({"--version"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, MatchesRegex("etalon [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST(Usage, ErrorsAreOneLineAndSayWhatToDo) {
  expect_complaint({}, 2, "see: etalon --help");
  expect_complaint({"chekc"}, 2, "see: etalon --help");
  expect_complaint({"check", "--no-such-option"}, 2, "see: etalon check --help");
  expect_complaint({"check", "--clause", "XYZ-*"}, 2, "no clause matches 'XYZ-*'; see: etalon list clauses");
  expect_complaint({"check", "--dtype", "f33"}, 2, "use f64, f32, bf16 or f16");
  expect_complaint({"check", "--level", "deep"}, 2, "use smoke, standard or full");
  expect_complaint({"check", "--jobs", "0"}, 2, "see: etalon check --help");
  expect_complaint({"check", "--seed", "minus"}, 2, "'minus' is no seed; use a whole number");
  expect_complaint({"list", "dreams"}, 2, "see: etalon list --help");
  expect_complaint({"spec", "no-such"}, 2, "no clause or page is named 'no-such'");
  expect_complaint({"trace", "--root", "/nowhere"}, 2, "give its root with --root DIR");
  expect_complaint({"fixtures", "verify", "/nowhere"}, 2, "there is no folder /nowhere");
  expect_complaint({"fixtures"}, 2, "see: etalon fixtures --help");
}

TEST(Usage, NumbersAreTakenAsTheyAreOrNotAtAll) {
  for (const char* seed : {"-1", "", "1.5", "0x10", "18446744073709551616", " 1"})
    expect_complaint({"check", "--seed", seed}, 2, "is no seed");
  for (const char* time : {"-1", "", "nan", "inf", "1e400", "2s"})
    expect_complaint({"check", "--timeout", time}, 2, "is no time");
  expect_complaint({"check", "--backend", ""}, 6, "name is empty");
}

TEST(Usage, WordsOfAStrangerAreShownAsOneTameLine) {
  expect_complaint({"chekc"}, 2, "there is no command 'chekc'");
  expect_complaint({"fixtures", "x"}, 2, "there is no command 'x'");
  expect_complaint({"fixtures", "write", "/proc/nowhere"}, 2, "give a folder that can be written");
  const Ended run = etalon({"\x1b[31m\n" + std::string(100000, 'a')});
  EXPECT_EQ(run.status, 2);
  EXPECT_LT(run.err.size(), 1100U);
  EXPECT_THAT(run.err, Not(HasSubstr("\x1b")));
}

TEST(Output, ThatIsLostIsNoSuccess) {
  for (const char* command : {"list laws", "spec", "--help", "replay fixtures/position/pos_12.json",
                              "check --level smoke --clause POS-3 --dtype f32 --backend portable"}) {
    for (const char* where : {">/dev/full", ">&-"}) {
      const std::string line = std::string(ETALON_PROGRAM) + " " + command + " 2>/dev/null " + where;
      const int status = std::system(line.c_str());
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 70) << line;
    }
  }
}

TEST(Usage, CasesThatDoNotExist) {
  expect_complaint({"replay", "no_such_law/f32/n=1"}, 2, "no_such_law");
  expect_complaint({"replay", "fixtures/position/pos_99.json"}, 2,
                   "there is no fixture file fixtures/position/pos_99.json");
  expect_complaint({"replay", "fixtures/position/pos_12.json#d_7"}, 2, "has no case 'd_7'; it has: d_2 d_6");
  expect_complaint({"replay", "fixtures/position/pos_12.json#d_6/f33"}, 2, "no dtype is named 'f33'");
  expect_complaint({"replay", "fixtures/position/pos_12.json!"}, 2, "write FILE.json#ID");
  expect_complaint({"replay", "fixtures/input/inp_5.json#cat_twice_f64/bf16"}, 2,
                   "not recorded for the dtype bf16");
}

TEST(Usage, ADamagedFixtureIsOneLine) {
  const Scratch folder;
  const std::filesystem::path file = folder / "damaged.json";
  std::ofstream(file) << R"({"clause": "POS-3", "title": "T", "cases": 3})";
  expect_complaint({"replay", file.string()}, 2, "/cases is not an array");
}

TEST(Subjects, ThatCannotBeLoaded) {
  expect_complaint({"check", "--backend", "no-such-backend"}, 6, "no-such-backend");
  expect_complaint({"check", "--backend", "/nowhere/mine.so"}, 6, "/nowhere/mine.so");
  expect_complaint({"replay", "--backend", "no-such-backend", "fixtures/position/pos_3.json"}, 6,
                   "no-such-backend");
}

TEST(Subjects, ThatDieAsTheyAreLoaded) {
  const std::filesystem::path lib = std::filesystem::path(ETALON_PROGRAM).parent_path().parent_path() / "lib";
  expect_complaint({"check", "--backend", lib / "plugins" / "stillborn.so"}, 6, "died of signal 6");
}

TEST(List, ShowsEachKind) {
  EXPECT_THAT(etalon({"list", "operations"}).out, HasSubstr("sinusoidal"));
  EXPECT_THAT(etalon({"list", "clauses"}).out, HasSubstr("POS-4"));
  EXPECT_THAT(etalon({"list", "backends"}).out, HasSubstr("portable"));
  EXPECT_THAT(etalon({"list", "laws"}).out, HasSubstr("pos_4_"));
}

TEST(Spec, PrintsAClauseAPageAndTheList) {
  const Ended clause = etalon({"spec", "pos-4"});
  EXPECT_EQ(clause.status, 0);
  EXPECT_THAT(clause.out, StartsWith("POS-4 "));
  EXPECT_THAT(clause.out, Not(HasSubstr("### ")));
  EXPECT_THAT(etalon({"spec", "position"}).out, HasSubstr("### POS-4"));
  EXPECT_THAT(etalon({"spec"}).out, HasSubstr("  POS-4 "));
}

TEST(Check, AnHonestBackendPasses) {
  const Ended run = etalon({"check", "--level", "smoke", "--backend", "portable", "--clause", "POS-3",
                            "--clause", "emb-1", "--jobs", "2"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(last_line(run.out), MatchesRegex("[0-9]+ passed, 0 failed, [0-9]+ skipped"));
  EXPECT_THAT(run.out, HasSubstr("portable"));
  EXPECT_THAT(run.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(run.err, IsEmpty());
}

TEST(Check, TheNumberOfThreadsChangesNothingButTheTime) {
  const auto report = [](const char* jobs) {
    const std::string text =
        etalon({"check", "--level", "smoke", "--backend", "portable", "--clause", "INP-*", "--jobs", jobs})
            .out;
    // All but the line with the seconds.
    const std::size_t seconds = text.find(" clauses judged");
    return text.substr(0, text.rfind('\n', seconds)) + text.substr(text.find('\n', seconds));
  };
  EXPECT_EQ(report("1"), report("3"));
}

TEST(Check, NothingToRunIsItsOwnStatus) {
  const Ended run = etalon({"check", "--backend", "portable", "--clause", "SEQ-1", "--dtype", "f32"});
  EXPECT_EQ(run.status, 5) << run.out;
  EXPECT_EQ(last_line(run.out), "0 passed, 0 failed, 0 skipped");
}

TEST(Check, AFaultFailsAndItsReplayReproducesIt) {
  const std::string backend = faulty + "/half_split_layout.so";
  const Ended run =
      etalon({"check", "--level", "smoke", "--backend", backend, "--clause", "POS-2", "--dtype", "f32"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(last_line(run.out), MatchesRegex("[0-9]+ passed, [1-9][0-9]* failed, [0-9]+ skipped"));
  const std::string mark = "replay: ./etalon replay --backend " + backend + " '";
  const std::size_t begin = run.out.find(mark);
  ASSERT_NE(begin, std::string::npos) << run.out;
  const std::size_t name = begin + mark.size();
  const std::string test_case = run.out.substr(name, run.out.find('\'', name) - name);
  const Ended again = etalon({"replay", "--backend", backend, test_case});
  EXPECT_EQ(again.status, 1) << again.out << again.err;
  for (const char* key :
       {"case: ", "element: ", "got: ", "want: ", "reference: ", "spec: etalon spec POS-2"}) {
    EXPECT_THAT(again.out, HasSubstr(key));
  }
  EXPECT_EQ(etalon({"replay", "--backend", "portable", test_case}).status, 0);
}

TEST(Replay, AFixtureOnASubject) {
  const Ended pass = etalon({"replay", "--backend", "portable", "fixtures/position/pos_12.json#d_6/f32"});
  EXPECT_EQ(pass.status, 0) << pass.out << pass.err;
  EXPECT_THAT(pass.out, StartsWith("PASS  POS-12 "));
  const Ended fail = etalon(
      {"replay", "--backend", faulty + "/half_split_layout.so", "fixtures/position/pos_12.json#d_6/f32"});
  EXPECT_EQ(fail.status, 1) << fail.out << fail.err;
  EXPECT_EQ(etalon({"replay", "fixtures/sequences/seq_8.json"}).status, 0);
}

TEST(PowerCommand, CountsAndWritesJson) {
  const Scratch folder;
  const std::string json = folder / "power.json";
  const Ended run = etalon(
      {"power", "--attack", "0", "--level", "smoke", "--subject", "code_first_ignored", "--json", json});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(last_line(run.out), "4 of 4 mutants killed, 0 false alarms");
  EXPECT_THAT(contents(json), StartsWith("{\n \"format\": \"etalon-power-1\""));
}

TEST(PowerCommand, ASurvivorFailsTheRun) {
  const Ended run = etalon(
      {"power", "--attack", "0", "--level", "smoke", "--subject", "middle_element_off", "--dtype", "f32"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(last_line(run.out), "0 of 1 mutants killed, 0 false alarms");
}

TEST(PowerCommand, SlipsAreOneLine) {
  expect_complaint({"power", "--subject", "no_such_*"}, 5, "see: etalon list mutants");
  expect_complaint({"power", "--clause", "XYZ-*"}, 2, "no clause matches 'XYZ-*'");
  expect_complaint({"power", "--seeds", "0"}, 2, "--seeds");
  expect_complaint({"power", "--attack", "0", "--level", "smoke", "--subject", "code_first_ignored", "--json",
                    "/nowhere/p.json"},
                   2, "give --json another place");
  expect_complaint({"list"}, 2, "what");
  expect_complaint({"list", "clauses", "--trust"}, 2, "--trust");
}

TEST(Subjects, MutantsAndVariantsAreFoundByName) {
  const Ended mutant = etalon({"check", "--backend", "mutant:code_first_ignored", "--level", "smoke"});
  EXPECT_EQ(mutant.status, 1);
  EXPECT_THAT(mutant.out, HasSubstr("--backend mutant:code_first_ignored"));
  const Ended variant = etalon({"check", "--backend", "honest:matmul_pairwise", "--level", "smoke"});
  EXPECT_EQ(variant.status, 0) << variant.out;
  expect_complaint({"check", "--backend", "mutant:none"}, 6, "see: etalon list mutants");
}

TEST(Trust, BlindCasesDoNotCount) {
  const std::vector<std::string> words = {"check",  "--backend", "reference", "--clause",
                                          "POS-11", "--level",   "smoke",     "--trust"};
  const Ended run = etalon(words);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const Ended list = etalon({"list", "--trust", "--clause", "POS-11", "--level", "smoke", "--dtype", "f32"});
  EXPECT_EQ(list.status, 0) << list.out << list.err;
  EXPECT_THAT(list.out, HasSubstr("pos_11_odd_width"));
}

TEST(Fixtures, AreWrittenAndVerified) {
  const Scratch scratch;
  const std::string folder = scratch / "fixtures";
  EXPECT_EQ(etalon({"fixtures", "write", folder}).status, 0);
  EXPECT_EQ(etalon({"fixtures", "verify", folder}).status, 0);
  std::ofstream(folder + "/position/pos_2.json", std::ios::app) << " ";
  const Ended run = etalon({"fixtures", "verify", folder});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.out, StartsWith("position/pos_2.json: differs"));
}

}  // namespace
}  // namespace etalon
