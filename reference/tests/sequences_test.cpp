#include "reference/sequences.hpp"

#include <gtest/gtest.h>

#include <array>
#include <concepts>
#include <set>
#include <string_view>

namespace etalon {
namespace {

using Word = FiniteSequence<char>;

Word word(std::string_view letters) { return Word(std::vector<char>(letters.begin(), letters.end())); }

template <typename Sequences>
std::vector<Word> all_of(Sequences sequences) {
  std::vector<Word> all;
  while (auto w = sequences.next()) all.push_back(*w);
  return all;
}

// IDX-1
TEST(Sequences, PositionsBeginAtOneAndEndAtN) {
  const Word w = word("abc");
  EXPECT_EQ(w(1), 'a');
  EXPECT_EQ(w(3), 'c');
  EXPECT_THROW(w(0), std::out_of_range);
  EXPECT_THROW(w(4), std::out_of_range);
  EXPECT_THROW(Word()(1), std::out_of_range);
}

// SEQ-1
TEST(Sequences, AreEqualWithEqualLengthsAndValuesOnly) {
  EXPECT_EQ(word("aba"), Word::of_map(3, [](std::size_t i) { return i == 2 ? 'b' : 'a'; }));
  EXPECT_NE(word("aba"), word("ab"));
  EXPECT_NE(word("aba"), word("abb"));
  EXPECT_NE(word("ab"), word("ba"));
}

// SEQ-2
TEST(Sequences, HaveOneEmptyMember) {
  EXPECT_EQ(all_of(Power<char>({'a', 'b'}, 0)), std::vector<Word>{Word()});
  EXPECT_EQ(all_of(Power<char>({}, 0)), std::vector<Word>{Word()});
  EXPECT_TRUE(all_of(Power<char>({}, 1)).empty());
  EXPECT_TRUE(all_of(Power<char>({}, 7)).empty());
}

// SEQ-3
TEST(Sequences, AreEnumeratedOnceEach) {
  const auto words = all_of(Power<char>({'a', 'b', 'c'}, 5));
  EXPECT_EQ(words.size(), 243U);
  EXPECT_EQ(std::set<Word>(words.begin(), words.end()).size(), 243U);
  Power<char> finished({'a'}, 1);
  EXPECT_TRUE(finished.next().has_value());
  EXPECT_FALSE(finished.next().has_value());
  EXPECT_FALSE(finished.next().has_value()) << "an enumeration began again";
}

// SEQ-3
TEST(Sequences, AreCountedAtAnySize) {
  EXPECT_EQ(count_sequences(0, 0).decimal(), "1");
  EXPECT_EQ(count_sequences(0, 5).decimal(), "0");
  EXPECT_EQ(count_sequences(1, ~std::uint64_t{0}).decimal(), "1");
  EXPECT_EQ(count_sequences(2, 64).decimal(), "18446744073709551616");
  EXPECT_EQ(count_sequences(~std::uint64_t{0}, 2).decimal(), "340282366920938463426481119284349108225");
  EXPECT_EQ(count_sequences(10, 1000).decimal(), "1" + std::string(1000, '0'));
  EXPECT_THROW(count_sequences(2, ~std::uint64_t{0}), std::length_error);
  EXPECT_THROW(Natural::factorial(~std::uint64_t{0}), std::length_error);
}

TEST(Sequences, NaturalsAddAndMultiply) {
  const Natural big = count_sequences(2, 64);
  EXPECT_EQ((big + Natural(1)).decimal(), "18446744073709551617");
  EXPECT_EQ((big * Natural(0)).decimal(), "0");
  EXPECT_EQ(big * big, count_sequences(2, 128));
  EXPECT_EQ(Natural::factorial(0).decimal(), "1");
  EXPECT_EQ(Natural::factorial(21).decimal(), "51090942171709440000");
}

// SEQ-4
TEST(Sequences, KeepLettersAndOneLetterWordsApart) {
  static_assert(!std::convertible_to<char, Word> && !std::convertible_to<Word, char>);
  static_assert(!std::equality_comparable_with<char, Word>);
  EXPECT_EQ(element_of(sequence_of('a')), 'a');
  EXPECT_EQ(sequence_of(element_of(word("b"))), word("b"));
  EXPECT_THROW(element_of(Word()), std::domain_error);
  EXPECT_THROW(element_of(word("ab")), std::domain_error);
}

// SEQ-5
TEST(Sequences, StarGoesByLengthAndEndsForTheEmptySetOnly) {
  Star<char> star({'0', '1'});
  for (const char* expected : {"", "0", "1", "00", "01", "10", "11", "000"}) {
    EXPECT_EQ(star.next(), word(expected));
  }
  Star<char> nothing({});
  EXPECT_EQ(nothing.next(), Word());
  EXPECT_FALSE(nothing.next().has_value());
}

// SEQ-6
TEST(Sequences, JoinAndSplit) {
  EXPECT_EQ(concatenate(word("ab"), word("c")), word("abc"));
  EXPECT_EQ(concatenate(Word(), Word()), Word());
  EXPECT_EQ(prefix(word("abc"), 2), word("ab"));
  EXPECT_EQ(suffix(word("abc"), 2), word("bc"));
  EXPECT_EQ(prefix(word("abc"), 0), Word());
  EXPECT_EQ(suffix(word("abc"), 0), Word());
  EXPECT_THROW(prefix(word("abc"), 4), std::out_of_range);
  EXPECT_THROW(suffix(word("abc"), 4), std::out_of_range);
}

// SEQ-7, SEQ-8: U = {0, 1, +, x, a, b, c} has the alphabets {0,1} and {a,b,c}.
TEST(Sequences, AlphabetsAreNonEmptySubsetsOfTheCandidates) {
  const auto in_u = [](char letter) {
    return std::string_view("01+xabc").find(letter) != std::string_view::npos;
  };
  EXPECT_EQ(Alphabet<char>(in_u, {'0', '1'}).letters().size(), 2U);
  EXPECT_EQ(Alphabet<char>(in_u, {'a', 'b', 'c'}).letters().size(), 3U);
  EXPECT_THROW(Alphabet<char>(in_u, {}), std::invalid_argument);
  EXPECT_THROW(Alphabet<char>(in_u, {'0', ' '}), std::invalid_argument);
  const Alphabet<char> bits(in_u, {'0', '1'});
  EXPECT_TRUE(bits.spells(word("010")));
  EXPECT_TRUE(bits.spells(Word()));
  EXPECT_FALSE(bits.spells(word("01a")));
}

}  // namespace
}  // namespace etalon
