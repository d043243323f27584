#include "reference/vocabulary.hpp"

#include <gtest/gtest.h>

#include <string>

namespace etalon {
namespace {

using Names = FiniteSequence<std::string>;
using Iota = TokenIdMap<std::string>;

Names names(std::vector<std::string> list) { return Names(std::move(list)); }
Permutation permutation(std::vector<TokenId> images) {
  return Permutation(FiniteSequence<TokenId>(std::move(images)));
}

// VOC-1
TEST(Vocabulary, IsANonEmptySet) {
  EXPECT_EQ(Vocabulary<std::string>({"猫", "私"}), Vocabulary<std::string>({"私", "猫", "猫"}));
  EXPECT_NE(Vocabulary<std::string>({"猫"}), Vocabulary<std::string>({"私"}));
  EXPECT_EQ(Vocabulary<std::string>({"私", "は", "猫", "好き", "。"}).size(), 5U);
  EXPECT_FALSE(Vocabulary<std::string>({"猫"}).contains("私"));
  EXPECT_THROW(Vocabulary<std::string>({}), std::invalid_argument);
}

// VOC-2
TEST(Vocabulary, IotaIsABijectionFromOneToV) {
  const Iota iota(names({"私", "猫", "好き"}));
  EXPECT_EQ(iota("私"), 1);
  EXPECT_EQ(iota("好き"), 3);
  EXPECT_EQ(iota.inverse(2), "猫");
  EXPECT_EQ(iota.find("犬"), std::nullopt);
  EXPECT_THROW(iota("犬"), std::out_of_range);
  EXPECT_THROW(iota.inverse(0), std::out_of_range);
  EXPECT_THROW(iota.inverse(4), std::out_of_range);
  EXPECT_THROW(Iota(names({"私", "私"})), std::invalid_argument);
  EXPECT_THROW(Iota(names({})), std::invalid_argument);
}

// VOC-2
TEST(Vocabulary, HasOneMapForEveryOrder) {
  TokenIdMaps<std::string> maps(Vocabulary<std::string>({"A", "B"}));
  const auto first = maps.next();
  const auto second = maps.next();
  ASSERT_TRUE(first && second);
  EXPECT_EQ((*first)("A"), 1);
  EXPECT_EQ((*first)("B"), 2);
  EXPECT_EQ((*second)("A"), 2);
  EXPECT_EQ((*second)("B"), 1);
  EXPECT_FALSE(maps.next().has_value());
  EXPECT_FALSE(*first == *second);
}

// VOC-3
TEST(Vocabulary, TypesAreToldApartByKindAndName) {
  const TokenType special{TokenKind::special, "<s>"};
  EXPECT_EQ(special.spelling(), "");
  EXPECT_EQ((TokenType{TokenKind::unknown, "unknown"}.spelling()), "");
  EXPECT_EQ((TokenType{TokenKind::piece, "好き"}.spelling()), "好き");
  EXPECT_EQ((TokenType{TokenKind::byte, "\x80"}.spelling()), "\x80");
  EXPECT_NE(special, (TokenType{TokenKind::piece, "<s>"}));
}

// VOC-4
TEST(Vocabulary, OccurrencesAreNumberedTypes) {
  const auto found = occurrences(names({"猫", "は", "猫"}));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].position, 1U);
  EXPECT_EQ(found[0].type, found[2].type);
  EXPECT_FALSE(found[0] == found[2]);
  EXPECT_TRUE(occurrences(Names()).empty());
}

// VOC-5
TEST(Vocabulary, RelabellingMovesRowsAlong) {
  const Iota iota(names({"私", "猫", "好き"}));
  const Permutation p = permutation({2, 3, 1});
  const Iota renamed = iota.relabelled(p);
  EXPECT_EQ(renamed("私"), 2);
  EXPECT_EQ(renamed("猫"), 3);
  EXPECT_EQ(renamed("好き"), 1);
  const auto rows = FiniteSequence<int>({10, 20, 30});
  EXPECT_EQ(permute_rows(rows, p), FiniteSequence<int>({30, 10, 20}));
  EXPECT_THROW(permute_rows(FiniteSequence<int>({1, 2}), p), std::invalid_argument);
}

TEST(Vocabulary, PermutationsAreBijections) {
  EXPECT_NO_THROW(permutation({1}));
  EXPECT_THROW(permutation({}), std::invalid_argument);
  EXPECT_THROW(permutation({0, 1}), std::invalid_argument);
  EXPECT_THROW(permutation({1, 1}), std::invalid_argument);
  EXPECT_THROW(permutation({1, 3}), std::invalid_argument);
}

}  // namespace
}  // namespace etalon
