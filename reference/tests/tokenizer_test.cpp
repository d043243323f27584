#include "reference/tokenizer.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace etalon {
namespace {

using Strings = std::vector<std::string>;

LongestMatchTokenizer make(const Strings& pieces, Fallback fallback, const Strings& specials = {}) {
  return LongestMatchTokenizer(TokenIdMap<TokenType>(enumerate_types(pieces, fallback, specials)), fallback);
}

Strings names(const Tokenizer& tokenizer, std::string_view text, Specials specials = Specials::as_text) {
  const auto tokens = std::get<Tokens>(tokenizer.tokens(text, specials));
  Strings result;
  for (const TokenType& type : tokens) result.push_back(type.name);
  return result;
}

template <typename T>
TextError error_of(const Result<T>& result) {
  const auto* error = std::get_if<TextError>(&result);
  return error != nullptr ? *error : TextError{0, "no error"};
}

const Strings japanese = {"私", "は", "猫", "好き", "。"};

// TOK-2, VOC-3
TEST(LongestMatch, SplitsTheExampleIntoFiveTypes) {
  const auto tokenizer = make(japanese, Fallback::none);
  EXPECT_EQ(tokenizer.iota().size(), 5U);
  EXPECT_EQ(names(tokenizer, "私は猫好き。"), japanese);
  const auto ids = tokenizer.token_ids("猫は猫");
  EXPECT_EQ(std::get<TokenIds>(ids), TokenIds({3, 2, 3}));
}

// TOK-3
TEST(LongestMatch, GivesTheEmptyTextNoTokens) {
  const auto tokenizer = make(japanese, Fallback::none);
  EXPECT_EQ(std::get<TokenIds>(tokenizer.token_ids("")).length(), 0U);
  EXPECT_EQ(std::get<std::string>(tokenizer.text(TokenIds())), "");
}

// TOK-7: longest, not first; and not the fewest tokens.
TEST(LongestMatch, IsGreedyFromTheLeft) {
  const auto tokenizer = make({"a", "ab", "abc", "bcd", "c", "d"}, Fallback::none);
  EXPECT_EQ(names(tokenizer, "abcd"), (Strings{"abc", "d"}));
  EXPECT_EQ(names(tokenizer, "abab"), (Strings{"ab", "ab"}));
  const auto stuck = make({"a", "ab", "bc"}, Fallback::none);
  EXPECT_EQ(error_of(stuck.token_ids("abc")).offset, 2U) << "a bc would do, but ab is longer";
}

// TOK-7: byte fallback.
TEST(LongestMatch, FallsBackToBytes) {
  const auto tokenizer = make({"猫"}, Fallback::bytes);
  EXPECT_EQ(names(tokenizer, "猫é"), (Strings{"猫", "\xC3", "\xA9"}));
  EXPECT_EQ(std::get<std::string>(tokenizer.text(std::get<TokenIds>(tokenizer.token_ids("猫é😀")))), "猫é😀");
}

// TOK-7: the unknown type, one for a letter.
TEST(LongestMatch, FallsBackToTheUnknownType) {
  const auto tokenizer = make({"猫"}, Fallback::unknown);
  EXPECT_EQ(names(tokenizer, "é猫😀"), (Strings{"unknown", "猫", "unknown"}));
  EXPECT_EQ(std::get<std::string>(tokenizer.text(TokenIds({2, 1}))), "猫");
}

// TOK-8
TEST(LongestMatch, RefusesLettersThatItCannotSpell) {
  const auto tokenizer = make(japanese, Fallback::none);
  const TextError error = error_of(tokenizer.token_ids("猫好"));
  EXPECT_EQ(error.offset, 3U);
  EXPECT_NE(error.message.find("no token type"), std::string::npos);
}

// TOK-8
TEST(LongestMatch, RefusesIllFormedText) {
  const auto tokenizer = make(japanese, Fallback::bytes, {"<s>"});
  for (const Specials specials : {Specials::as_text, Specials::as_tokens}) {
    const TextError error = error_of(tokenizer.token_ids("猫<s>\xED\xA0\x80", specials));
    EXPECT_EQ(error.offset, 6U);
    EXPECT_NE(error.message.find("surrogate"), std::string::npos);
  }
}

// TOK-8
TEST(Tokenizer, RefusesIdsOutside) {
  const auto tokenizer = make(japanese, Fallback::none);
  for (const TokenId k : {TokenId{0}, TokenId{6}, TokenId{-1}, std::numeric_limits<TokenId>::min(),
                          std::numeric_limits<TokenId>::max()}) {
    const TextError error = error_of(tokenizer.text(TokenIds({1, k})));
    EXPECT_EQ(error.offset, 1U);
    EXPECT_EQ(error.message, "token ID " + std::to_string(k) + " is outside 1..5");
  }
}

// TOK-7
TEST(Tokenizer, RecognisesSpecialsOnRequestOnly) {
  const auto tokenizer = make({"a", "b", "<", "s", ">"}, Fallback::none, {"<s>", "<s><s>"});
  EXPECT_EQ(names(tokenizer, "a<s>b"), (Strings{"a", "<", "s", ">", "b"}));
  EXPECT_EQ(names(tokenizer, "a<s>b", Specials::as_tokens), (Strings{"a", "<s>", "b"}));
  EXPECT_EQ(names(tokenizer, "<s><s><s>a", Specials::as_tokens), (Strings{"<s><s>", "<s>", "a"}));
  EXPECT_EQ(names(tokenizer, "<s", Specials::as_tokens), (Strings{"<", "s"}));
  const auto ids = std::get<TokenIds>(tokenizer.token_ids("a<s>b", Specials::as_tokens));
  EXPECT_EQ(std::get<std::string>(tokenizer.text(ids)), "ab");
  EXPECT_EQ(std::get<std::string>(tokenizer.text(ids, Specials::as_tokens)), "a<s>b");
}

// TOK-8: offsets count from the start of the whole text, specials included.
TEST(Tokenizer, CountsOffsetsAcrossSpecials) {
  const auto tokenizer = make({"a"}, Fallback::none, {"<s>"});
  EXPECT_EQ(error_of(tokenizer.token_ids("a<s>ab", Specials::as_tokens)).offset, 5U);
  EXPECT_EQ(error_of(tokenizer.token_ids("ab<s>a", Specials::as_tokens)).offset, 1U);
}

// TOK-6
TEST(StreamingDecoder, ReleasesWholeLettersOnly) {
  const auto tokenizer = make({"猫"}, Fallback::bytes);
  const auto ids = std::get<TokenIds>(tokenizer.token_ids("é猫😀"));
  ASSERT_EQ(ids.length(), 7U);
  StreamingDecoder decoder(tokenizer);
  Strings pieces;
  for (const TokenId id : ids) pieces.push_back(std::get<std::string>(decoder.feed(id)));
  EXPECT_EQ(pieces, (Strings{"", "é", "猫", "", "", "", "😀"}));
  EXPECT_EQ(decoder.finish(), "");
}

// TOK-6
TEST(StreamingDecoder, PassesOnWhatNeverBecomesALetter) {
  const auto tokenizer = make({"猫"}, Fallback::bytes);
  const auto byte = [&](int value) {
    return tokenizer.iota()({TokenKind::byte, std::string(1, static_cast<char>(value))});
  };
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(std::get<std::string>(decoder.feed(byte(0xE7))), "");
  EXPECT_EQ(std::get<std::string>(decoder.feed(1)), "\xE7猫");
  EXPECT_EQ(std::get<std::string>(decoder.feed(byte(0xF0))), "");
  EXPECT_EQ(error_of(decoder.feed(0)).message, "token ID 0 is outside 1..257");
  EXPECT_EQ(decoder.finish(), "\xF0");
  EXPECT_EQ(decoder.finish(), "") << "the rest is handed out once";
}

TEST(Tokenizer, RefusesVocabulariesItCannotUse) {
  const auto iota = [](std::vector<TokenType> types) {
    return TokenIdMap<TokenType>(Tokens(std::move(types)));
  };
  const TokenType a{TokenKind::piece, "a"};
  EXPECT_THROW(LongestMatchTokenizer(iota({a}), Fallback::bytes), std::invalid_argument);
  EXPECT_THROW(LongestMatchTokenizer(iota({a}), Fallback::unknown), std::invalid_argument);
  EXPECT_THROW(
      LongestMatchTokenizer(iota({{TokenKind::unknown, "1"}, {TokenKind::unknown, "2"}}), Fallback::unknown),
      std::invalid_argument);
  EXPECT_THROW(LongestMatchTokenizer(iota({{TokenKind::piece, ""}}), Fallback::none), std::invalid_argument);
  EXPECT_THROW(LongestMatchTokenizer(iota({{TokenKind::piece, "\x80"}}), Fallback::none),
               std::invalid_argument);
  EXPECT_THROW(LongestMatchTokenizer(iota({{TokenKind::special, ""}}), Fallback::none),
               std::invalid_argument);
}

// VOC-5: a relabelled tokenizer gives the same tokens and renamed ids.
TEST(Tokenizer, RelabellingRenamesIdsOnly) {
  const auto types = enumerate_types(japanese, Fallback::none);
  const Permutation p(FiniteSequence<TokenId>({5, 4, 3, 2, 1}));
  const TokenIdMap<TokenType> iota(types);
  const LongestMatchTokenizer plain(iota, Fallback::none);
  const LongestMatchTokenizer renamed(iota.relabelled(p), Fallback::none);
  EXPECT_EQ(names(plain, "私は猫"), names(renamed, "私は猫"));
  EXPECT_EQ(std::get<TokenIds>(renamed.token_ids("私は猫")), TokenIds({5, 4, 3}));
}

}  // namespace
}  // namespace etalon
