#include "conformance/fixtures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "conformance/fixtures/document.hpp"
#include "properties/runner.hpp"
#include "properties/stream.hpp"
#include "reference/oracle/rounding.hpp"
#include "reference/witness/witness.hpp"
#include "spec/tests/scratch.hpp"

namespace etalon {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::filesystem::path repository = ETALON_FIXTURES;

const std::vector<Fixture>& recorded() {
  static const std::vector<Fixture> all = load_fixtures(repository);
  return all;
}

const Fixture& recorded(const std::string& clause) {
  for (const Fixture& fixture : recorded()) {
    if (fixture.clause() == clause) return fixture;
  }
  throw std::out_of_range(clause);
}

std::string text_of_file(const std::string& name) {
  std::ifstream file(repository / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

fixtures::Document document(const std::string& name) {
  return fixtures::parse_document(text_of_file(name), name);
}

// A subject that is the reference but for what `spoil` does to a call, before or after.
class Spoiled final : public Subject {
 public:
  using Spoil = std::function<Status(Subject& inner, const Call& call)>;
  explicit Spoiled(Spoil spoil) : inner_(reference_subject()()), spoil_(std::move(spoil)) {}
  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return inner_->model(operation, dtype);
  }
  Status run(const Call& call) override { return spoil_(*inner_, call); }

 private:
  std::string name_ = "spoiled";
  std::unique_ptr<Subject> inner_;
  Spoil spoil_;
};

Call with_attribute(Call call, std::string_view name, double value) {
  for (auto& [key, old] : call.attributes) {
    if (key == name) old = value;
  }
  return call;
}

// The verdict of a spoiled reference on a clause's fixture, in f32.
Finding spoiled(const std::string& clause, Spoiled::Spoil spoil) {
  Spoiled subject(std::move(spoil));
  return recorded(clause).replay(Dtype::f32, subject);
}

// --- What is in the repository --------------------------------------------------------------------

TEST(Repository, IsWhatTheToolWrites) { EXPECT_THAT(verify_fixtures(repository), IsEmpty()); }

TEST(Repository, WritingTwiceGivesTheSameBytes) { EXPECT_EQ(written_fixtures(), written_fixtures()); }

TEST(Repository, DamageIsNoticed) {
  const Scratch scratch;
  const std::filesystem::path folder = scratch / "verify";
  write_fixtures(folder);
  EXPECT_THAT(verify_fixtures(folder), IsEmpty());
  std::filesystem::remove(folder / "position/pos_3.json");
  std::ofstream(folder / "position/pos_4.json", std::ios::app) << "\n";
  std::ofstream(folder / "position/pos_99.json") << "{}";
  const std::vector<std::string> problems = verify_fixtures(folder);
  ASSERT_THAT(problems, SizeIs(3));
  EXPECT_THAT(problems[0], HasSubstr("position/pos_3.json: is missing"));
  EXPECT_THAT(problems[1], HasSubstr("position/pos_4.json: differs"));
  EXPECT_THAT(problems[2], HasSubstr("position/pos_99.json: no clause"));
}

TEST(Repository, TheReferencePassesEveryCase) {
  const std::unique_ptr<Subject> reference = reference_subject()();
  for (const Fixture& fixture : recorded()) {
    if (fixture.has_definitions()) {
      const Finding finding = fixture.replay_definitions();
      EXPECT_EQ(finding.outcome.verdict, Verdict::pass)
          << finding.worst_case << ": " << finding.outcome.witness.reason;
    }
    for (const Dtype dtype : fixture.dtypes()) {
      const Finding finding = fixture.replay(dtype, *reference);
      EXPECT_EQ(finding.outcome.verdict, Verdict::pass)
          << finding.worst_case << ": " << finding.outcome.witness.reason;
      EXPECT_GT(finding.cases, 0U) << fixture.name();
      EXPECT_EQ(finding.unsupported, 0U) << fixture.name();
    }
  }
}

// --- The numbers, by other ways than those that wrote them ---------------------------------------

TEST(Numbers, RoundedOutputsAreTheRoundedEnclosures) {
  for (const auto& [name, text] : written_fixtures()) {
    for (const fixtures::Case& test_case : fixtures::parse_document(text, name).cases) {
      for (const auto& [dtype, bits] : test_case.output.rounded) {
        for (std::size_t i = 0; i < bits.size(); ++i) {
          const Ball ball = fixtures::ball_of(test_case.output.enclosure[i]);
          if (!ball.finite() || ball.hi == 0) continue;  // classes and signs of zero are no rounding
          const auto rounded = oracle::round_to(format_of(dtype), ball);
          EXPECT_TRUE(rounded && *rounded == bits[i]) << name << " " << test_case.id << " " << i;
        }
      }
    }
  }
}

TEST(Numbers, TheSecondWitnessAgreesOnPositions) {
  int compared = 0;
  for (const char* name : {"position/pos_2.json", "position/pos_10.json", "position/pos_12.json"}) {
    for (const fixtures::Case& test_case : document(name).cases) {
      if (test_case.operation != "sinusoidal" || test_case.status != Status::ok) continue;
      const std::int64_t d = test_case.output.shape[1];
      for (std::int64_t i = 0; i < test_case.output.shape.elements(); ++i) {
        const Ball ball = fixtures::ball_of(test_case.output.enclosure[static_cast<std::size_t>(i)]);
        const Ball witness =
            witness::sinusoidal(static_cast<std::int64_t>(test_case.attribute("first")) + i / d, i % d, d,
                                test_case.attribute("base"), test_case.attribute("layout") != 0);
        const double distance = std::fabs((ball.hi - witness.hi) + (ball.lo - witness.lo));
        EXPECT_LE(distance, ball.radius + witness.radius) << name << " " << test_case.id << " " << i;
        EXPECT_LE(ball.radius, 0x1p-100);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 80);
}

TEST(Numbers, TheSecondWitnessAgreesOnSums) {
  int compared = 0;
  for (const char* name : {"input/inp_2.json", "input/inp_4.json", "input/inp_5.json"}) {
    for (const fixtures::Case& test_case : document(name).cases) {
      if (test_case.attribute("scale") != 1) continue;
      const fixtures::Input& x = test_case.input("x");
      const fixtures::Input& p = test_case.input("p");
      for (std::size_t i = 0; i < x.bits.size(); ++i) {
        const Ball ball = fixtures::ball_of(test_case.output.enclosure[i]);
        const Ball witness = witness::combine_with_root(x.shape[1], decode(format_of(x.dtype), x.bits[i]),
                                                        decode(format_of(p.dtype), p.bits[i]));
        EXPECT_LE(std::fabs((ball.hi - witness.hi) + (ball.lo - witness.lo)), ball.radius + witness.radius)
            << name << " " << test_case.id << " " << i;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 80);
}

TEST(Numbers, PrintedDecimalsAreThoseOfTheTexts) {
  int compared = 0;
  for (const char* name : {"position/pos_12.json", "input/inp_5.json"}) {
    for (const fixtures::Case& test_case : document(name).cases) {
      for (std::size_t i = 0; i < test_case.output.printed.size(); ++i) {
        const double printed = std::stod(test_case.output.printed[i]);
        EXPECT_NEAR(fixtures::ball_of(test_case.output.enclosure[i]).hi, printed, 0.5001e-4)
            << test_case.id << " " << i;
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 6 + 24 + 2 * (6 + 4 + 12));
}

TEST(Definitions, SayWhatTheTextsSay) {
  const auto expected = [](const std::string& name, const std::string& id) {
    for (const fixtures::Case& test_case : document(name).cases) {
      if (test_case.id == id) return test_case.expected.dump();
    }
    return std::string("no such case");
  };
  EXPECT_EQ(expected("sequences/seq_8.json", "binary_2"),
            R"({"count":"4","sequences":[["0","0"],["0","1"],["1","0"],["1","1"]]})");
  EXPECT_EQ(expected("sequences/seq_8.json", "binary_0"), R"({"count":"1","sequences":[[]]})");
  EXPECT_EQ(expected("sequences/seq_8.json", "010"), R"({"length":3,"map":{"1":"0","2":"1","3":"0"}})");
  EXPECT_EQ(expected("sequences/seq_2.json", "empty_set_1"), R"({"count":"0","sequences":[]})");
  // 256^64 = 2^512
  EXPECT_EQ(
      expected("sequences/seq_3.json", "beyond_64_bits"),
      R"({"count":"13407807929942597099574024998205846127479365820592393377723561443721764030073546976801874298166903427690031858186486050853753882811946569946433649006084096"})");
  EXPECT_EQ(expected("vocabulary/voc_2.json", "two_types"),
            R"({"count":"2","maps":[{"A":1,"B":2},{"A":2,"B":1}]})");
  EXPECT_EQ(expected("vocabulary/voc_4.json", "cat_twice"), R"({"occurrences":[[1,"猫"],[2,"猫"]]})");
  EXPECT_EQ(expected("tokenizer/tok_4.json", "one_type"),
            R"({"V":1,"ids":[1],"tokens":["好き"],"text":"好き"})");
  EXPECT_EQ(expected("tokenizer/tok_4.json", "two_types"),
            R"({"V":2,"ids":[1,2],"tokens":["好","き"],"text":"好き"})");
  EXPECT_EQ(expected("tokenizer/tok_7.json", "leftmost"),
            R"({"V":257,"ids":[257,98],"tokens":["aa","a"],"text":"aaa"})");
}

// --- Faulty subjects ------------------------------------------------------------------------------

TEST(Replay, FaultsFailAtTheClauseThatNamesThem) {
  const auto halves = [](Subject& inner, const Call& call) {
    return inner.run(call.operation == "sinusoidal" ? with_attribute(call, "layout", 1) : call);
  };
  EXPECT_EQ(spoiled("POS-2", halves).outcome.verdict, Verdict::fail);
  EXPECT_EQ(spoiled("POS-12", halves).outcome.verdict, Verdict::fail);
  const auto starts_at_one = [](Subject& inner, const Call& call) {
    return inner.run(
        call.operation == "sinusoidal" ? with_attribute(call, "first", call.attribute("first") + 1) : call);
  };
  EXPECT_EQ(spoiled("POS-3", starts_at_one).outcome.verdict, Verdict::fail);
  const auto no_root = [](Subject& inner, const Call& call) {
    return inner.run(call.operation == "combine" ? with_attribute(call, "scale", 0) : call);
  };
  EXPECT_EQ(spoiled("INP-2", no_root).outcome.verdict, Verdict::fail);
  EXPECT_EQ(spoiled("INP-5", no_root).outcome.verdict, Verdict::fail);
  const auto beta_ignored = [](Subject& inner, const Call& call) {
    return inner.run(call.operation == "matmul" ? with_attribute(call, "beta", 0) : call);
  };
  EXPECT_EQ(spoiled("LIN-1", beta_ignored).outcome.verdict, Verdict::fail);
  EXPECT_EQ(spoiled("LIN-4", beta_ignored).outcome.verdict, Verdict::fail);
  EXPECT_EQ(spoiled("EMB-1", beta_ignored).outcome.verdict, Verdict::pass);
}

TEST(Replay, TheFailingCaseIsNamedAndReplaysAlone) {
  const auto no_root = [](Subject& inner, const Call& call) {
    return inner.run(call.operation == "combine" ? with_attribute(call, "scale", 0) : call);
  };
  const Finding finding = spoiled("INP-2", no_root);
  EXPECT_EQ(finding.worst_case, "fixtures/input/inp_2.json#root_of_4/f32");
  EXPECT_EQ(finding.outcome.witness.got, 0x3f800000U);
  EXPECT_EQ(finding.outcome.witness.want, 0x40000000U);
  Spoiled subject(no_root);
  EXPECT_EQ(recorded("INP-2").replay(Dtype::f32, subject, "declared").outcome.verdict, Verdict::fail);
  const std::unique_ptr<Subject> reference = reference_subject()();
  EXPECT_EQ(recorded("INP-2").replay(Dtype::f32, *reference, "root_of_4").cases, 1U);
}

TEST(Replay, ARefusedCallMustBeRefused) {
  const auto never_refuses = [](Subject& inner, const Call& call) {
    inner.run(call);
    return Status::ok;
  };
  EXPECT_EQ(spoiled("EMB-8", never_refuses).outcome.verdict, Verdict::fail);
  EXPECT_EQ(spoiled("POS-11", never_refuses).outcome.verdict, Verdict::fail);
}

TEST(Replay, WhatIsDeclinedIsNotJudged) {
  const Finding finding = spoiled("POS-12", [](Subject&, const Call&) { return Status::unsupported; });
  EXPECT_EQ(finding.outcome.verdict, Verdict::unsupported);
  EXPECT_EQ(finding.cases, 0U);
  EXPECT_EQ(finding.unsupported, 2U);
}

TEST(Replay, ADefinitionThatWasChangedFails) {
  for (const auto& [file, from, to] :
       {std::tuple{"sequences/seq_8.json", R"("count":"4")", R"("count":"5")"},
        std::tuple{"position/pos_4.json", "0.7539", "0.7538"},
        std::tuple{"tokenizer/tok_7.json", R"("ids":[257,98])", R"("ids":[98,257])"}}) {
    std::string text = text_of_file(file);
    const std::size_t place = text.find(from);
    ASSERT_NE(place, std::string::npos) << file;
    text.replace(place, std::string_view(from).size(), to);
    EXPECT_EQ(Fixture::parse(text, file).replay_definitions().outcome.verdict, Verdict::fail) << file;
  }
}

// An enclosure may be neither beside the value nor so wide that anything would do.
TEST(Replay, AWideEnclosureIsNoRecord) {
  std::string text = text_of_file("position/pos_6.json");
  const std::size_t place = text.find("[[\"2.99");
  ASSERT_NE(place, std::string::npos);
  text.replace(place, text.find("]]", place) - place, R"([["-9","9")");
  EXPECT_EQ(Fixture::parse(text, "f.json").replay_definitions().outcome.verdict, Verdict::fail);
}

// --- Damaged files --------------------------------------------------------------------------------

// "" where the text is accepted; the message otherwise. Anything but a FixtureError is a failure.
std::string refusal(const std::string& text) {
  try {
    const Fixture fixture = Fixture::parse(text, "f.json");
    if (fixture.has_definitions()) fixture.replay_definitions();
    return "";
  } catch (const FixtureError& error) {
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
    EXPECT_THAT(error.what(), HasSubstr("f.json"));
    return error.what();
  }
}

constexpr std::string_view sound = R"({"clause": "INP-1", "title": "T", "cases": [
  {"id": "a", "purpose": "p", "operation": "combine", "attributes": {"scale": 0, "value": 0},
   "inputs": {"x": {"dtype": "f32", "shape": [1, 1], "bits": ["3f800000"], "decimal": ["1"]},
              "p": {"dtype": "f32", "shape": [1, 1], "bits": ["40000000"], "decimal": ["2"]}},
   "status": "OK", "agreement": "bits", "dtypes": ["f32"],
   "outputs": {"out": {"shape": [1, 1], "enclosure": [["3", "3"]],
                       "rounded": {"f32": {"bits": ["40400000"], "decimal": ["3"]}}}}}]})";

// The sound text with one part replaced.
std::string with(std::string_view from, std::string_view to) {
  std::string text(sound);
  const std::size_t place = text.find(from);
  EXPECT_NE(place, std::string::npos) << from;
  return text.replace(place, from.size(), to);
}

TEST(Damage, TheSoundTextIsSound) {
  EXPECT_EQ(refusal(std::string(sound)), "");
  const std::unique_ptr<Subject> reference = reference_subject()();
  EXPECT_EQ(Fixture::parse(sound, "f.json").replay(Dtype::f32, *reference).outcome.verdict, Verdict::pass);
}

TEST(Damage, EachIsNamedWithItsPlace) {
  const std::pair<std::string, const char*> damages[] = {
      {"", "parse error at line 1, column 1"},
      {"[]", "f.json: is not an object"},
      {with("\"clause\"", "\"claus\""), "unknown key 'claus'"},
      {with("\"title\": \"T\", ", ""), "has no 'title'"},
      {with("\"cases\": [", "\"cases\": 3, \"x\": ["), "unknown key 'x'"},
      {with("\"id\": \"a\"", "\"id\": \"a#b\""), "/cases/0/id is no name"},
      {with("\"id\": \"a\"", "\"id\": \"a\\u001b\""), "/cases/0/id is no name"},
      {with("\"id\": \"a\"", "\"id\": \"" + std::string(101, 'a') + "\""), "/cases/0/id is no name"},
      {with("\"INP-1\"",
            "\"INP-"
            "999\""),
       "/clause no page states this clause"},
      {with("\"INP-1\"", "\"\""), "/clause no page states this clause"},
      {with("\"scale\": 0", "\"scale\": 1e308"), "/attributes/scale is not an integer"},
      {with("\"scale\": 0", "\"scale\": 0.5"), "/attributes/scale is not an integer"},
      {with("\"scale\": 0", "\"scale\": 9223372036854775807"), "/attributes/scale is outside"},
      {with("[[\"3\", \"3\"]]", "[[\"nan\", \"3\"]]"), "only one end is a number"},
      {with("[[\"3\", \"3\"]]", "[[\"-inf\", \"inf\"]]"), "only one end is a number"},
      {with("[[\"3\", \"3\"]]", "[[\"1e999999999\", \"1e999999999\"]]"), "too large or too small to be read"},
      {with("\"id\": \"a\"", "\"id\": 7"), "/cases/0/id is not a string"},
      {with("\"combine\"", "\"conjure\""), "no operation with fixtures is named 'conjure'"},
      {with("\"scale\": 0", "\"scale\": \"0\""), "/attributes/scale is not an integer"},
      {with("\"scale\": 0, ", ""), "has no 'scale'"},
      {with("\"value\": 0", "\"value\": 0, \"extra\": 1"), "an attribute that the operation does not take"},
      {with("\"dtype\": \"f32\"", "\"dtype\": \"f33\""), "no dtype is named 'f33'"},
      {with("\"dtype\": \"f32\"", "\"dtype\": \"i64\""), "of a float dtype"},
      {with("\"shape\": [1, 1]", "\"shape\": [1, -1]"), "is outside [0, 65536]"},
      {with("\"shape\": [1, 1]", "\"shape\": [65536, 65536]"), "more than 65536 elements"},
      {with("\"shape\": [1, 1]", "\"shape\": [1, 1, 1, 1]"), "more than 3 axes"},
      {with("\"shape\": [1, 1]", "\"shape\": [1]"), "wrong number of axes"},
      {with("\"shape\": [1, 1]", "\"shape\": [1, 18446744073709551615]"), "is outside [0, 65536]"},
      {with("\"shape\": [1, 1]", "\"shape\": [1, 1.5]"), "is not an integer"},
      {with("\"shape\": [1, 1]", "\"shape\": [1, 2]"), "does not have the 2 elements"},
      {with("3f800000", "3f80000"), "is no bit pattern of f32"},
      {with("3f800000", "3f80000g"), "is no bit pattern of f32"},
      {with("\"decimal\": [\"1\"]", "\"decimal\": [\"1.5\"]"), "is not the value of the bits beside it"},
      {with("\"status\": \"OK\"", "\"status\": \"FINE\""), "no status of a fixture is named 'FINE'"},
      {with("\"agreement\": \"bits\"", "\"agreement\": \"luck\""), "neither 'bits' nor 'bound'"},
      {with("[\"f32\"]", "[]"), "/dtypes is empty"},
      {with("[\"f32\"]", "[\"f32\", \"f32\"]"), "is listed twice"},
      {with("[\"f32\"]", "[\"i32\"]"), "is not a float dtype"},
      {with("[\"f32\"]", "[\"f64\"]"), "has no 'f64'"},
      {with("[[\"3\", \"3\"]]", "[[\"3\"]]"), "an enclosure has two ends"},
      {with("[[\"3\", \"3\"]]", "[[\"3\", \"x\"]]"), "is no decimal number"},
      {with("[[\"3\", \"3\"]]", "[[\"4\", \"3\"]]"), "the lower end is above the upper end"},
      {with("[[\"3\", \"3\"]]", "[]"), "does not have one pair an element"},
      {with("\"enclosure\"", "\"printed\": [], \"enclosure\""), ""},
      {with("\"rounded\": {\"f32\"", "\"rounded\": {\"f64\": {\"bits\": [], \"decimal\": []}, \"f32\""),
       "exactly the dtypes of the case"},
      {with("\"purpose\": \"p\"", "\"purpose\": \"p\", \"id\": \"b\""), "appears twice in one object"},
      {"{\"clause\": " + std::string(100, '[') + std::string(100, ']') + "}", "nested too deeply"},
      {std::string(sound) + "x", "parse error"},
      {std::string("\xff\xfe"), "parse error"},
      {R"({"clause": "SEQ-1", "title": "T", "cases": [{"id": "a", "purpose": "p", "definition": "map", "given": {"values": [1]}, "expected": {}}]})",
       ""},
  };
  for (const auto& [text, message] : damages)
    EXPECT_THAT(refusal(text), HasSubstr(message)) << text.substr(0, 300);
}

TEST(Damage, ShapesThatDoNotFitAreRefused) {
  std::string text = with("\"x\": {\"dtype\": \"f32\", \"shape\": [1, 1]",
                          "\"x\": {\"dtype\": \"f32\", \"shape\": [1, 1, 1]");
  EXPECT_THAT(refusal(text), HasSubstr("do not fit the operation"));
}

TEST(Damage, ADefinitionThatIsMalformedFailsInsteadOfCrashing) {
  for (const char* given :
       {R"({})", R"({"set": "ab", "length": 2})", R"({"set": ["a", "a"], "length": 2})",
        R"({"set": ["a"], "length": -1})", R"({"set": ["a", "b", "c", "d"], "length": 12})",
        R"({"set": ["a"], "length": 2, "more": 1})"}) {
    const std::string text =
        R"({"clause": "SEQ-3", "title": "T", "cases": [{"id": "a", "purpose": "p", "definition": "power", "given": )" +
        std::string(given) + R"(, "expected": {}}]})";
    EXPECT_EQ(Fixture::parse(text, "f.json").replay_definitions().outcome.verdict, Verdict::fail) << given;
  }
}

// Any byte of any recorded file may be wrong: the file is refused, or it is another sound file; never more.
TEST(Damage, RandomBytesNeverCrash) {
  Stream stream("damage", "bytes");
  int refused = 0;
  for (const char* name :
       {"embedding/emb_7.json", "position/pos_5.json", "tokenizer/tok_8.json", "linear/lin_2.json"}) {
    const std::string text = text_of_file(name);
    ASSERT_FALSE(text.empty());
    for (int i = 0; i < 150; ++i) {
      std::string damaged = text;
      damaged[stream.below(damaged.size())] = static_cast<char>(stream.below(256));
      if (i % 3 == 0) damaged.resize(stream.below(damaged.size()));
      refused += refusal(damaged).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(refused, 300);
}

TEST(Damage, AFileThatCannotBeReadSaysSo) {
  try {
    Fixture::load("/nowhere/f.json", "f.json");
    FAIL();
  } catch (const FixtureError& error) {
    EXPECT_THAT(error.what(), HasSubstr("f.json: cannot be read"));
  }
  EXPECT_THROW(load_fixtures("/nowhere"), FixtureError);
}

}  // namespace
}  // namespace etalon
