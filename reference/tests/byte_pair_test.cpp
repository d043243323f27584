#include "reference/byte_pair.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <set>
#include <stdexcept>

namespace etalon {
namespace {

using Strings = std::vector<std::string>;

BytePairTokenizer make(const std::vector<Merge>& merges, const Strings& specials = {}) {
  return BytePairTokenizer(TokenIdMap<TokenType>(byte_pair_types(merges, specials)), merges);
}

Strings names(const Tokenizer& tokenizer, std::string_view text) {
  const auto tokens = std::get<Tokens>(tokenizer.tokens(text));
  Strings result;
  for (const TokenType& type : tokens) result.push_back(type.name);
  return result;
}

// The definition, quadratic: an oracle that shares no code with the tokenizer.
Strings slow(const std::vector<Merge>& merges, std::string_view text) {
  Strings symbols;
  for (const char byte : text) symbols.emplace_back(1, byte);
  for (;;) {
    std::size_t place = symbols.size();
    std::uint32_t lowest = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      for (const Merge& merge : merges) {
        if (merge.left != symbols[i] || merge.right != symbols[i + 1]) continue;
        if (place == symbols.size() || merge.rank < lowest) {
          place = i;
          lowest = merge.rank;
        }
      }
    }
    if (place == symbols.size()) return symbols;
    symbols[place] += symbols[place + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

// TOK-7
TEST(BytePair, JoinsTheLeftmostOfEqualPairs) {
  const auto tokenizer = make(ranked({{"a", "a"}}));
  EXPECT_EQ(names(tokenizer, "aa"), (Strings{"aa"}));
  EXPECT_EQ(names(tokenizer, "aaa"), (Strings{"aa", "a"}));
  EXPECT_EQ(names(tokenizer, "aaaa"), (Strings{"aa", "aa"}));
  EXPECT_EQ(names(tokenizer, "aaaaa"), (Strings{"aa", "aa", "a"}));
  EXPECT_EQ(names(tokenizer, "baaab"), (Strings{"b", "aa", "a", "b"}));
}

// TOK-7
TEST(BytePair, JoinsTheLowestRankFirst) {
  EXPECT_EQ(names(make(ranked({{"b", "c"}, {"a", "b"}})), "abc"), (Strings{"a", "bc"}));
  EXPECT_EQ(names(make(ranked({{"a", "b"}, {"b", "c"}})), "abc"), (Strings{"ab", "c"}));
}

// TOK-7
TEST(BytePair, BreaksEqualRanksFromTheLeft) {
  const std::vector<Merge> equal = {{"b", "c", 0}, {"a", "b", 0}, {"c", "d", 0}};
  EXPECT_EQ(names(make(equal), "abc"), (Strings{"ab", "c"}));
  EXPECT_EQ(names(make(equal), "abcd"), (Strings{"ab", "cd"}));
  EXPECT_EQ(names(make(equal), "bcd"), (Strings{"bc", "d"}));
}

// TOK-7: one pair at a time. A sweep that joins every ab before it looks again would give ab ab here,
// and lose the rule of rank 0 that the first join makes possible.
TEST(BytePair, LooksAgainAfterEveryJoin) {
  const std::vector<Merge> merges = {{"ab", "a", 0}, {"a", "b", 1}};
  EXPECT_EQ(names(make(merges), "abab"), (Strings{"aba", "b"}));
}

// VOC-3: two rules may make the same type.
TEST(BytePair, RulesMayMeetInOneType) {
  const std::vector<Merge> merges = ranked({{"a", "b"}, {"b", "c"}, {"ab", "c"}, {"a", "bc"}});
  const auto tokenizer = make(merges);
  EXPECT_EQ(tokenizer.iota().size(), 256U + 3U);
  EXPECT_EQ(names(tokenizer, "abc"), (Strings{"abc"}));
}

// TOK-5: every byte string is a text.
TEST(BytePair, RestoresEveryPairOfBytes) {
  const auto tokenizer = make(ranked({{"\xE7", "\x8C"}, {"\xE7\x8C", "\xAB"}, {"\x80", "\x80"}}));
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const std::string text = {static_cast<char>(a), static_cast<char>(b)};
      const auto ids = std::get<TokenIds>(tokenizer.token_ids(text));
      ASSERT_EQ(std::get<std::string>(tokenizer.text(ids)), text);
    }
  }
  EXPECT_EQ(names(tokenizer, "猫"), (Strings{"猫"}));
}

// TOK-6: a letter that is split over three tokens.
TEST(BytePair, StreamsSplitLetters) {
  const auto tokenizer = make({});
  StreamingDecoder decoder(tokenizer);
  const auto ids = std::get<TokenIds>(tokenizer.token_ids("a猫"));
  Strings pieces;
  for (const TokenId id : ids) {
    pieces.push_back(std::get<std::string>(decoder.feed(id)));
  }
  EXPECT_EQ(pieces, (Strings{"a", "", "", "猫"}));
}

// TOK-7
TEST(BytePair, AgreesWithTheSlowOracleOnRandomStrings) {
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t bound) {
    return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
  };
  int joined = 0;
  for (int round = 0; round < 400; ++round) {
    Strings known = {"a", "b", "c"};
    std::set<std::pair<std::string, std::string>> pairs;
    std::vector<Merge> merges;
    for (std::size_t i = 0, rules = below(20); i < rules; ++i) {
      const std::string left = known[below(known.size())];
      const std::string right = known[below(known.size())];
      if (!pairs.emplace(left, right).second) continue;
      merges.push_back({left, right, static_cast<std::uint32_t>(below(10))});
      known.push_back(left + right);
    }
    const auto tokenizer = make(merges);
    for (int k = 0; k < 10; ++k) {
      std::string text;
      for (std::size_t i = 0, n = below(60); i < n; ++i)
        text += static_cast<char>('a' + below(round % 2 == 0 ? 2 : 3));
      const Strings expected = slow(merges, text);
      ASSERT_EQ(names(tokenizer, text), expected) << text;
      joined += expected.size() < text.size() ? 1 : 0;
    }
  }
  EXPECT_GT(joined, 1000) << "the rules hardly ever applied";
}

// TOK-7: O(n log n). The quadratic algorithm needs 10^11 steps for a run of this length.
TEST(BytePair, IsFastOnLongRuns) {
  std::vector<std::pair<std::string, std::string>> rules;
  for (std::string side = "a"; side.size() < 64; side += side) rules.emplace_back(side, side);
  const auto tokenizer = make(ranked(rules));
  const std::size_t n = 300007;
  const auto start = std::chrono::steady_clock::now();
  const auto ids = std::get<TokenIds>(tokenizer.token_ids(std::string(n, 'a')));
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(ids.length(), 4687U + 4U) << "300007 = 64 * 4687 + 32 + 4 + 2 + 1";
  EXPECT_LT(seconds.count(), 20.0);
}

TEST(BytePair, RefusesRulesItCannotUse) {
  const TokenIdMap<TokenType> bytes(byte_pair_types({}));
  EXPECT_THROW(BytePairTokenizer(bytes, ranked({{"a", "b"}})), std::invalid_argument) << "ab is no type";
  EXPECT_THROW(make({{"ab", "c", 0}}), std::invalid_argument) << "nothing makes ab";
  EXPECT_THROW(make({{"a", "b", 0}, {"a", "b", 1}}), std::invalid_argument) << "two rules for a pair";
  EXPECT_THROW(make({{"a", "", 0}}), std::invalid_argument);
  const TokenIdMap<TokenType> few(Tokens({{TokenKind::byte, "a"}}));
  EXPECT_THROW(BytePairTokenizer(few, {}), std::invalid_argument) << "255 byte types are missing";
}

// Learning is deterministic: the most frequent pair, the smallest of those.
TEST(BytePair, LearnsTheMostFrequentPairs) {
  EXPECT_EQ(learn_merges("abababcd", 10), ranked({{"a", "b"}, {"ab", "ab"}}));
  EXPECT_EQ(learn_merges("cdxabycdzab", 1), ranked({{"a", "b"}}));
  EXPECT_TRUE(learn_merges("abcdefg", 10).empty()) << "no pair occurs twice";
  EXPECT_TRUE(learn_merges("", 10).empty());
  EXPECT_EQ(learn_merges("aaaaaaaa", 2), ranked({{"a", "a"}, {"aa", "aa"}}));
}

}  // namespace
}  // namespace etalon
