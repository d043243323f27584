// The sample texts reach what the laws rely on: without that, a law that passes says nothing.
#include "properties/texts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "reference/utf8.hpp"

namespace etalon {
namespace {

constexpr int kinds = 8;

std::string sample(TextKind kind, std::int64_t n, int round = 0) {
  Stream stream("texts test", std::to_string(round));
  return sample_text(kind, n, stream);
}

// Whether some sample of the kind has the property.
template <typename Property>
bool reached(TextKind kind, std::int64_t n, const Property& property) {
  for (int round = 0; round < 200; ++round) {
    if (property(sample(kind, n, round))) return true;
  }
  return false;
}

TEST(Texts, AreNamedForTheLawsParameter) {
  const Parameter parameter = text_kind("text");
  EXPECT_EQ(parameter.labels.size(), static_cast<std::size_t>(kinds));
  EXPECT_EQ(parameter.labels[static_cast<std::size_t>(TextKind::run)], "run");
  EXPECT_EQ(parameter.labels[static_cast<std::size_t>(TextKind::bytes)], "bytes");
}

TEST(Texts, DependOnTheStreamOnly) {
  for (int kind = 0; kind < kinds; ++kind) {
    const auto k = static_cast<TextKind>(kind);
    EXPECT_EQ(sample(k, 0), "");
    EXPECT_EQ(sample(k, 20), sample(k, 20));
    EXPECT_TRUE(reached(k, 20, [&](const std::string& text) { return text != sample(k, 20); }));
  }
}

TEST(Texts, AreWellFormedButForBytes) {
  for (int kind = 0; kind < kinds; ++kind) {
    const auto k = static_cast<TextKind>(kind);
    const bool broken = reached(k, 60, [](const std::string& text) { return utf8_error(text).has_value(); });
    EXPECT_EQ(broken, k == TextKind::bytes);
  }
}

TEST(Texts, ReachTheAwkwardSpaces) {
  EXPECT_TRUE(reached(TextKind::spaces, 3, [](const std::string& text) { return text.starts_with("  "); }));
  EXPECT_TRUE(reached(TextKind::spaces, 3, [](const std::string& text) { return text.ends_with("a "); }));
  EXPECT_TRUE(reached(TextKind::spaces, 9,
                      [](const std::string& text) { return text.find("\u3000") != std::string::npos; }));
  EXPECT_TRUE(reached(TextKind::spaces, 9,
                      [](const std::string& text) { return text.find("\r\n") != std::string::npos; }));
}

// Letters of one to four bytes, U+0000 and U+10FFFF included.
TEST(Texts, ReachAllOfUnicode) {
  std::set<std::size_t> lengths;
  std::set<char32_t> letters;
  for (int round = 0; round < 200; ++round) {
    const auto word = std::get<FiniteSequence<char32_t>>(decode_utf8(sample(TextKind::unicode, 60, round)));
    for (const char32_t letter : word) {
      lengths.insert(encode_utf8(letter).size());
      letters.insert(letter);
    }
  }
  EXPECT_EQ(lengths.size(), 4U);
  for (const char32_t edge :
       {U'\0', U'\x7F', U'\U0010FFFF', char32_t{0xD7FF}, char32_t{0xE000}, char32_t{0xFFFF}}) {
    EXPECT_TRUE(letters.contains(edge)) << static_cast<unsigned long>(edge);
  }
  EXPECT_GT(letters.size(), 5000U);
}

TEST(Texts, RunsAreOneLetterManyTimes) {
  EXPECT_TRUE(
      reached(TextKind::run, 50, [](const std::string& text) { return text == std::string(50, 'a'); }));
  EXPECT_TRUE(
      reached(TextKind::run, 50, [](const std::string& text) { return text == std::string(50, ' '); }));
  EXPECT_EQ(sample(TextKind::bytes, 77).size(), 77U);
}

TEST(Texts, SpellSpecialsAndMixScripts) {
  EXPECT_TRUE(reached(TextKind::specials, 9,
                      [](const std::string& text) { return text.find("<s>") != std::string::npos; }));
  EXPECT_TRUE(reached(TextKind::mixed, 30, [](const std::string& text) {
    return text.find("猫") != std::string::npos && text.find("the ") != std::string::npos;
  }));
}

}  // namespace
}  // namespace etalon
