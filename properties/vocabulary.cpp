// VOC: laws of vocabularies and token-ID maps. They speak of the reference's own definitions and run
// no operation of a subject.
#include "reference/vocabulary.hpp"

#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "properties/law.hpp"
#include "properties/throwing.hpp"
#include "properties/trial.hpp"
#include "reference/utf8.hpp"

namespace etalon {
namespace {

using Iota = TokenIdMap<TokenType>;
using Types = FiniteSequence<TokenType>;

TokenType numbered(std::size_t i) { return {TokenKind::piece, "t" + std::to_string(i)}; }

Types types(std::int64_t count) { return Types::of_map(static_cast<std::size_t>(count), numbered); }

// Uniform over the V! permutations (Fisher and Yates).
Permutation random_permutation(std::int64_t size, Stream stream) {
  std::vector<TokenId> images(static_cast<std::size_t>(size));
  std::iota(images.begin(), images.end(), TokenId{1});
  for (std::size_t i = images.size(); i > 1; --i) {
    std::swap(images[i - 1], images[static_cast<std::size_t>(stream.below(i))]);
  }
  return Permutation(FiniteSequence<TokenId>(std::move(images)));
}

// VOC-1: the vocabulary of an enumeration does not change when its members are listed otherwise.
void voc_1_set_without_order(Trial& trial) {
  const std::int64_t size = trial["V"];
  const Types listed = types(size);
  const Types shuffled = permute_rows(listed, random_permutation(size, trial.stream("p")));
  const Vocabulary<TokenType> vocabulary = Iota(listed).vocabulary();
  trial.expect(vocabulary == Iota(shuffled).vocabulary(), "the order of a list changed the vocabulary");
  trial.expect_equal(static_cast<std::int64_t>(vocabulary.size()), size, "V");
  trial.expect(throws<std::invalid_argument>([] { Vocabulary<TokenType>({}); }),
               "an empty vocabulary exists");
}

// VOC-2: iota^-1(iota(tau)) = tau, iota(iota^-1(k)) = k, and the ids are exactly 1..V.
void voc_2_bijection(Trial& trial) {
  const std::int64_t size = trial["V"];
  const Iota iota(permute_rows(types(size), random_permutation(size, trial.stream("p"))));
  std::set<TokenId> ids;
  for (const TokenType& type : types(size)) {
    const TokenId k = iota(type);
    ids.insert(k);
    trial.expect(iota.inverse(k) == type, "iota^-1(iota(tau)) is not tau");
  }
  trial.expect(static_cast<std::int64_t>(ids.size()) == size && *ids.begin() == 1 && *ids.rbegin() == size,
               "the ids are not 1..V");
  for (TokenId k = 1; k <= size; ++k) trial.expect(iota(iota.inverse(k)) == k, "iota(iota^-1(k)) is not k");
  trial.expect(throws<std::out_of_range>([&] { iota.inverse(0); }) &&
                   throws<std::out_of_range>([&] { iota.inverse(size + 1); }) && !iota.find(numbered(0)),
               "an id or a type outside has a partner");
}

// VOC-2: a vocabulary of V types has V! token-ID maps, all different.
void voc_2_all_maps(Trial& trial) {
  const std::int64_t size = trial["V"];
  TokenIdMaps<TokenType> maps(Iota(types(size)).vocabulary());
  std::set<std::vector<TokenType>> distinct;
  std::uint64_t count = 0;
  while (const auto iota = maps.next()) {
    const Types listed = iota->enumeration();
    distinct.emplace(listed.begin(), listed.end());
    ++count;
  }
  trial.expect(distinct.size() == count, "a map is enumerated twice");
  trial.expect(Natural(count) == Natural::factorial(static_cast<std::uint64_t>(size)),
               "there are not V! maps");
}

// VOC-2: {A, B} has the maps A->1, B->2 and A->2, B->1.
void voc_2_two_types(Trial& trial) {
  const TokenType a{TokenKind::piece, "A"};
  const TokenType b{TokenKind::piece, "B"};
  TokenIdMaps<TokenType> maps(Vocabulary<TokenType>({a, b}));
  std::set<std::pair<TokenId, TokenId>> found;
  while (const auto iota = maps.next()) found.emplace((*iota)(a), (*iota)(b));
  trial.expect(found == std::set<std::pair<TokenId, TokenId>>{{1, 2}, {2, 1}},
               "the two maps of {A, B} are missing");
}

// VOC-3: a type spells some letters, one, or none; the vocabulary 私 は 猫 好き 。 has V = 5 types, and
// 好き is one of them though it spells two letters.
void voc_3_spellings(Trial& trial) {
  const std::vector<std::pair<TokenType, std::size_t>> cases = {{{TokenKind::piece, "私"}, 1},
                                                                {{TokenKind::piece, "は"}, 1},
                                                                {{TokenKind::piece, "猫"}, 1},
                                                                {{TokenKind::piece, "好き"}, 2},
                                                                {{TokenKind::piece, "。"}, 1}};
  std::set<TokenType> set;
  for (const auto& [type, letters] : cases) {
    set.insert(type);
    const auto spelled = decode_utf8(type.spelling());
    const auto* word = std::get_if<FiniteSequence<char32_t>>(&spelled);
    trial.expect(word != nullptr && word->length() == letters, "a type spells another number of letters");
  }
  trial.expect_equal(static_cast<std::int64_t>(Vocabulary<TokenType>(set).size()), 5, "V");
  const TokenType special{TokenKind::special, "<s>"};
  const TokenType piece{TokenKind::piece, "<s>"};
  trial.expect(special.spelling().empty() && piece.spelling() == "<s>" && special != piece,
               "a special type is taken for the text that spells its name");
}

// VOC-4: occurrences are pairs (i, t(i)); equal types at different places are different occurrences.
void voc_4_occurrences(Trial& trial) {
  Stream stream = trial.stream("tokens");
  const auto tokens = Types::of_map(static_cast<std::size_t>(trial["n"]),
                                    [&](std::size_t) { return numbered(stream.below(2)); });
  const auto found = occurrences(tokens);
  trial.expect(found.size() == tokens.length(), "a sequence of n tokens has not n occurrences");
  for (std::size_t i = 1; i <= found.size(); ++i) {
    trial.expect(found[i - 1].position == i && found[i - 1].type == tokens(i),
                 "occurrence i is not (i, t(i))");
    for (std::size_t j = 1; j < i; ++j) trial.expect(found[i - 1] != found[j - 1], "two occurrences are one");
  }
}

// VOC-5: for iota' = p∘iota and E'[p(k)] = E[k]: E'[iota'(tau)] = E[iota(tau)] for every tau.
void voc_5_relabelling(Trial& trial) {
  const std::int64_t size = trial["V"];
  const Permutation p = random_permutation(size, trial.stream("p"));
  const Iota iota(permute_rows(types(size), random_permutation(size, trial.stream("iota"))));
  const Iota renamed = iota.relabelled(p);
  Stream stream = trial.stream("rows");
  const auto rows = FiniteSequence<std::uint64_t>::of_map(static_cast<std::size_t>(size),
                                                          [&](std::size_t) { return stream.next(); });
  const auto moved = permute_rows(rows, p);
  trial.expect(renamed.vocabulary() == iota.vocabulary(), "relabelling changed the vocabulary");
  for (const TokenType& type : types(size)) {
    trial.expect(renamed(type) == p(iota(type)), "the new id is not p of the old one");
    trial.expect(moved(static_cast<std::size_t>(renamed(type))) == rows(static_cast<std::size_t>(iota(type))),
                 "an embedding changed with its label");
  }
}

Law law(std::string_view name, std::string_view clause, std::string_view intent, void (*check)(Trial&),
        std::vector<Parameter> parameters) {
  return {name, clause, intent, {}, {}, std::move(parameters), {}, check};
}

}  // namespace

std::vector<Law> vocabulary_laws() {
  const Parameter size = Parameter::range("V", 1, 60, {1, 2, 3});
  return {
      law("voc_1_set_without_order", "VOC-1", "A vocabulary is a set.", voc_1_set_without_order, {size}),
      law("voc_2_bijection", "VOC-2", "Iota has an inverse and takes every id once.", voc_2_bijection,
          {size}),
      law("voc_2_all_maps", "VOC-2", "There are V! token-ID maps.", voc_2_all_maps,
          {Parameter::range("V", 1, 6)}),
      law("voc_2_two_types", "VOC-2", "Both maps of two types.", voc_2_two_types, {}),
      law("voc_3_spellings", "VOC-3", "A type is not a letter.", voc_3_spellings, {}),
      law("voc_4_occurrences", "VOC-4", "An occurrence is a type at a place.", voc_4_occurrences,
          {Parameter::range("n", 0, 20, {0, 1})}),
      law("voc_5_relabelling", "VOC-5", "Labels moved together with rows change nothing.", voc_5_relabelling,
          {size}),
  };
}

}  // namespace etalon
