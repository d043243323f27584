// SEQ, IDX: laws of finite sequences. They speak of the reference's own definitions and run no
// operation of a subject.
#include "reference/sequences.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/law.hpp"
#include "properties/throwing.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

using Word = FiniteSequence<char>;

Word word(std::string_view letters) { return Word(std::vector<char>(letters.begin(), letters.end())); }

// The first `count` small letters.
std::set<char> letters(std::int64_t count) {
  std::set<char> set;
  for (std::int64_t i = 0; i < count; ++i) set.insert(static_cast<char>('a' + i));
  return set;
}

// A word of length n over {a, b, c}.
Word random_word(std::int64_t n, Stream stream) {
  return Word::of_map(static_cast<std::size_t>(n),
                      [&](std::size_t) { return static_cast<char>('a' + stream.below(3)); });
}

template <typename Sequences>
std::vector<Word> all_of(Sequences sequences) {
  std::vector<Word> all;
  while (auto w = sequences.next()) all.push_back(*w);
  return all;
}

// IDX-1: position i = 1..n of a sequence is index i - 1 of memory; 0 and n + 1 are no positions.
void idx_1_positions(Trial& trial) {
  const Word w = random_word(trial["n"], trial.stream("w"));
  const std::vector<char> memory(w.begin(), w.end());
  for (std::size_t i = 1; i <= w.length(); ++i)
    trial.expect(w(i) == memory[i - 1], "w(i) is not memory[i - 1]");
  trial.expect(throws<std::out_of_range>([&] { w(0); }), "position 0 exists");
  trial.expect(throws<std::out_of_range>([&] { w(w.length() + 1); }), "position n + 1 exists");
}

// SEQ-1: u = v iff |u| = |v| and u(i) = v(i) for all i.
void seq_1_equality(Trial& trial) {
  const Word u = random_word(trial["m"], trial.stream("u"));
  const Word v = random_word(trial["n"], trial.stream("v"));
  bool alike = u.length() == v.length();
  for (std::size_t i = 1; alike && i <= u.length(); ++i) alike = u(i) == v(i);
  trial.expect((u == v) == alike, "equality is not equality of lengths and values");
  trial.expect(u == Word::of_map(u.length(), u), "a word differs from the map with its values");
  for (std::size_t changed = 1; changed <= u.length(); ++changed) {
    const auto other = Word::of_map(u.length(), [&](std::size_t i) { return i == changed ? 'z' : u(i); });
    trial.expect(u != other, "words that differ in one value are equal");
  }
}

// SEQ-2: A^0 = {epsilon} for every A; for A empty and n > 0, A^n is empty.
void seq_2_empty_sequence(Trial& trial) {
  const std::set<char> set = letters(trial["letters"]);
  const std::vector<Word> words = all_of(Power<char>(set, 0));
  trial.expect_equal(static_cast<std::int64_t>(words.size()), 1, "|A^0|");
  trial.expect(words.front() == Word() && words.front().length() == 0, "A^0 holds another word than epsilon");
  const auto n = static_cast<std::size_t>(trial["n"]);
  trial.expect(all_of(Power<char>({}, n)).empty(), "a word of positive length exists over no letters");
  trial.expect(count_sequences(0, n) == Natural(0) && count_sequences(0, 0) == Natural(1),
               "|∅^n| is miscounted");
}

// SEQ-3: the enumeration of A^n has |A|^n elements, all different, all of length n over A.
void seq_3_enumeration(Trial& trial) {
  const std::set<char> set = letters(trial["letters"]);
  const auto n = static_cast<std::size_t>(trial["n"]);
  const std::vector<Word> words = all_of(Power<char>(set, n));
  const std::set<Word> distinct(words.begin(), words.end());
  trial.expect(distinct.size() == words.size(), "a word is enumerated twice");
  trial.expect(Natural(words.size()) == count_sequences(set.size(), n), "|A^n| is not |A|^n");
  for (const Word& w : words) {
    const bool over = std::all_of(w.begin(), w.end(), [&](char letter) { return set.contains(letter); });
    trial.expect(over && w.length() == n, "an enumerated word is not in A^n");
  }
}

// SEQ-3: |A|^(m+n) = |A|^m |A|^n, and 10^n is written as 1 and n zeros, whatever their size.
void seq_3_counting(Trial& trial) {
  const auto size = static_cast<std::uint64_t>(trial["letters"]);
  const auto m = static_cast<std::uint64_t>(trial["m"]);
  const auto n = static_cast<std::uint64_t>(trial["n"]);
  trial.expect(count_sequences(size, m + n) == count_sequences(size, m) * count_sequences(size, n),
               "|A^(m+n)| is not |A^m| |A^n|");
  trial.expect(count_sequences(10, n).decimal() == "1" + std::string(n, '0'), "10^n has wrong digits");
}

// SEQ-4: element_of(sequence_of(a)) = a and sequence_of(element_of(w)) = w, one word per letter.
void seq_4_letters_and_words(Trial& trial) {
  static_assert(!std::convertible_to<char, Word> && !std::convertible_to<Word, char> &&
                !std::equality_comparable_with<char, Word>);
  const std::set<char> set = letters(trial["letters"]);
  std::set<Word> images;
  for (const char a : set) {
    const Word w = sequence_of(a);
    trial.expect(w.length() == 1 && w(1) == a && element_of(w) == a, "w_a(1) is not a");
    images.insert(w);
  }
  const std::vector<Word> words = all_of(Power<char>(set, 1));
  trial.expect(images == std::set<Word>(words.begin(), words.end()), "a -> w_a is not onto A^1");
  for (const Word& w : words) trial.expect(sequence_of(element_of(w)) == w, "w -> w(1) is no inverse");
  trial.expect(throws<std::domain_error>([] { element_of(Word()); }), "epsilon has a single letter");
}

// SEQ-5: A^* lists A^0, A^1, A^2, ... one after the other and nothing twice.
void seq_5_disjoint_union(Trial& trial) {
  const std::set<char> set = letters(trial["letters"]);
  Star<char> star(set);
  std::set<Word> seen;
  for (std::size_t n = 0; n <= static_cast<std::size_t>(trial["n"]); ++n) {
    for (const Word& expected : all_of(Power<char>(set, n))) {
      const auto w = star.next();
      trial.expect(w.has_value() && *w == expected && w->length() == n, "A^* is not the union of the A^n");
      trial.expect(seen.insert(expected).second, "A^m and A^n share a word");
    }
  }
  trial.expect(!set.empty() || !star.next().has_value(), "∅^* holds more than epsilon");
}

// SEQ-5: epsilon is neither a letter nor the word that consists of a space.
void seq_5_epsilon_is_no_space(Trial& trial) {
  static_assert(!std::same_as<Word, char>);
  const Word epsilon;
  trial.expect(epsilon != sequence_of(' '), "epsilon is the one-letter word of a space");
  trial.expect(concatenate(sequence_of(' '), epsilon) == sequence_of(' '), "epsilon adds to a word");
  trial.expect_equal(static_cast<std::int64_t>(epsilon.length()), 0, "|epsilon|");
  const Alphabet<char> spaced([](char) { return true; }, {'a', ' '});
  trial.expect(spaced.spells(epsilon) && spaced.contains(' '), "epsilon or the space has lost its place");
}

// SEQ-6: (uv)w = u(vw), epsilon u = u = u epsilon, |uv| = |u| + |v|, (uv)(i) = u(i) or v(i - |u|).
void seq_6_concatenation(Trial& trial) {
  const Word u = random_word(trial["l"], trial.stream("u"));
  const Word v = random_word(trial["m"], trial.stream("v"));
  const Word w = random_word(trial["n"], trial.stream("w"));
  const Word uv = concatenate(u, v);
  trial.expect(concatenate(uv, w) == concatenate(u, concatenate(v, w)), "concatenation is not associative");
  trial.expect(concatenate(Word(), u) == u && concatenate(u, Word()) == u, "epsilon is not neutral");
  trial.expect(uv.length() == u.length() + v.length(), "lengths do not add");
  for (std::size_t i = 1; i <= uv.length(); ++i) {
    trial.expect(uv(i) == (i <= u.length() ? u(i) : v(i - u.length())), "(uv)(i) is another letter");
  }
}

// SEQ-6: prefix(uv, |u|) = u and suffix(uv, |v|) = v; a word has no longer prefix than itself.
void seq_6_prefix_and_suffix(Trial& trial) {
  const Word u = random_word(trial["m"], trial.stream("u"));
  const Word v = random_word(trial["n"], trial.stream("v"));
  const Word uv = concatenate(u, v);
  trial.expect(prefix(uv, u.length()) == u && suffix(uv, v.length()) == v,
               "prefix and suffix do not split uv");
  for (std::size_t k = 0; k <= uv.length(); ++k) {
    trial.expect(concatenate(prefix(uv, k), suffix(uv, uv.length() - k)) == uv,
                 "a split does not join again");
  }
  trial.expect(throws<std::out_of_range>([&] { prefix(uv, uv.length() + 1); }) &&
                   throws<std::out_of_range>([&] { suffix(uv, uv.length() + 1); }),
               "a part is longer than the whole");
}

// SEQ-7: Sigma is an alphabet iff Sigma is not empty and a subset of U; w is in Sigma^* iff every
// letter of w is in Sigma.
void seq_7_alphabet(Trial& trial) {
  const std::int64_t size = trial["letters"];
  const auto in_u = [](char letter) { return letter >= 'a' && letter <= 'c'; };
  const bool legal = size >= 1 && size <= 3;
  const bool made = !throws<std::invalid_argument>([&] { Alphabet<char>(in_u, letters(size)); });
  trial.expect(made == legal, "a set that is empty or exceeds U is an alphabet, or the other way round");
  if (!legal) return;
  const Alphabet<char> sigma(in_u, letters(size));
  const Word w = random_word(trial["n"], trial.stream("w"));
  const bool inside = std::all_of(w.begin(), w.end(), [&](char letter) { return letter < 'a' + size; });
  trial.expect(sigma.spells(w) == inside, "membership in Sigma^* is not membership of the letters");
}

// SEQ-8: {a,b,c}^1 is three maps.
void seq_8_one_letter_words(Trial& trial) {
  const std::vector<Word> words = all_of(Power<char>({'a', 'b', 'c'}, 1));
  trial.expect_equal(static_cast<std::int64_t>(words.size()), 3, "|{a,b,c}^1|");
  trial.expect(words[0](1) == 'a' && words[1](1) == 'b' && words[2](1) == 'c', "w_a, w_b, w_c are missing");
}

// SEQ-8: {0,1}^0 = {epsilon}, {0,1}^1 = {0,1}, {0,1}^2 = {00,01,10,11}, and 010 is 1->0, 2->1, 3->0.
void seq_8_binary_words(Trial& trial) {
  const std::set<char> bits = {'0', '1'};
  const std::vector<Word> expected = {word(""),   word("0"),  word("1"), word("00"),
                                      word("01"), word("10"), word("11")};
  std::vector<Word> listed;
  for (std::size_t n = 0; n <= 2; ++n) {
    for (const Word& w : all_of(Power<char>(bits, n))) listed.push_back(w);
  }
  trial.expect(listed == expected, "{0,1}^0, {0,1}^1, {0,1}^2 hold other words");
  const Word w = word("010");
  trial.expect(w.length() == 3 && w(1) == '0' && w(2) == '1' && w(3) == '0', "010 is another map");
}

// SEQ-8: "a b" is a word over {a, b, space} and none over {a, b}.
void seq_8_space_is_a_letter(Trial& trial) {
  const auto in_u = [](char letter) { return letter == ' ' || (letter >= 'a' && letter <= 'z'); };
  const Alphabet<char> plain(in_u, {'a', 'b'});
  const Alphabet<char> spaced(in_u, {'a', 'b', ' '});
  trial.expect(!plain.spells(word("a b")) && plain.spells(word("ab")), "a space came for free");
  trial.expect(spaced.spells(word("a b")) && spaced.spells(word("")), "a listed space is no letter");
}

Law law(std::string_view name, std::string_view clause, std::string_view intent, void (*check)(Trial&),
        std::vector<Parameter> parameters, std::vector<Example> examples = {}) {
  return {name, clause, intent, {}, {}, std::move(parameters), std::move(examples), check};
}

Parameter size(std::string_view name, std::int64_t high) { return Parameter::range(name, 0, high, {0, 1}); }

}  // namespace

std::vector<Law> sequences_laws() {
  const Parameter few = size("letters", 4);
  return {
      law("idx_1_positions", "IDX-1", "Position i is index i - 1 of memory.", idx_1_positions,
          {size("n", 20)}),
      law("seq_1_equality", "SEQ-1", "Sequences are equal iff lengths and values are.", seq_1_equality,
          {size("m", 4), size("n", 4)}, {{Level::smoke, {0, 0}}, {Level::smoke, {3, 3}}}),
      law("seq_2_empty_sequence", "SEQ-2", "There is one sequence of length 0, over any set.",
          seq_2_empty_sequence, {few, Parameter::range("n", 1, 9)}, {{Level::smoke, {0, 1}}}),
      law("seq_3_enumeration", "SEQ-3", "A^n is enumerated completely and without repetition.",
          seq_3_enumeration, {few, size("n", 6)}, {{Level::smoke, {3, 4}}, {Level::standard, {4, 6}}}),
      law("seq_3_counting", "SEQ-3", "|A|^n is counted exactly at any size.", seq_3_counting,
          {size("letters", 4294967296), size("m", 200), size("n", 200)},
          {{Level::smoke, {50257, 1024, 1024}}}),
      law("seq_4_letters_and_words", "SEQ-4", "Letters and one-letter words correspond one to one.",
          seq_4_letters_and_words, {size("letters", 26)}),
      law("seq_5_disjoint_union", "SEQ-5", "A^* is the disjoint union of all A^n.", seq_5_disjoint_union,
          {size("letters", 3), size("n", 5)}),
      law("seq_5_epsilon_is_no_space", "SEQ-5", "The empty word is not the word of one space.",
          seq_5_epsilon_is_no_space, {}),
      law("seq_6_concatenation", "SEQ-6", "Words form a monoid under concatenation.", seq_6_concatenation,
          {size("l", 8), size("m", 8), size("n", 8)}, {{Level::smoke, {0, 0, 0}}}),
      law("seq_6_prefix_and_suffix", "SEQ-6", "A word splits into prefix and suffix at every place.",
          seq_6_prefix_and_suffix, {size("m", 12), size("n", 12)}),
      law("seq_7_alphabet", "SEQ-7", "An alphabet is a non-empty finite subset of the candidates.",
          seq_7_alphabet, {few, size("n", 6)}),
      law("seq_8_one_letter_words", "SEQ-8", "{a,b,c}^1 in full.", seq_8_one_letter_words, {}),
      law("seq_8_binary_words", "SEQ-8", "{0,1}^0, {0,1}^1, {0,1}^2 and 010.", seq_8_binary_words, {}),
      law("seq_8_space_is_a_letter", "SEQ-8", "An alphabet with and one without the space.",
          seq_8_space_is_a_letter, {}),
  };
}

}  // namespace etalon
