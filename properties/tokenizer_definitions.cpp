// TOK-4, TOK-7: the reference tokenizers against their definitions, spelled out as slowly as they read.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "properties/texts.hpp"
#include "properties/tokenizer_calls.hpp"
#include "properties/trial.hpp"
#include "reference/byte_pair.hpp"
#include "reference/tokenizer.hpp"

namespace etalon {
namespace {

using Pieces = std::vector<std::string>;

std::vector<std::string> names_of(const Result<Tokens>& tokens) {
  std::vector<std::string> names;
  for (const TokenType& type : std::get<Tokens>(tokens)) names.push_back(type.name);
  return names;
}

LongestMatchTokenizer longest_match(const Pieces& pieces) {
  return LongestMatchTokenizer(TokenIdMap<TokenType>(enumerate_types(pieces, Fallback::none)),
                               Fallback::none);
}

// TOK-4: 好き is one token for a vocabulary that has it as a type, and two for one that has 好 and き.
void tok_4_depends_on_the_tokenizer(Trial& trial) {
  trial.expect(names_of(longest_match({"好き"}).tokens("好き")) == Pieces{"好き"},
               "Tok_1(好き) is not one token");
  trial.expect(names_of(longest_match({"好", "き"}).tokens("好き")) == Pieces{"好", "き"},
               "Tok_2(好き) is not two tokens");
}

// A word of length n over the small letters a, b (and c where `letters` = 3).
std::string word(std::int64_t n, std::uint64_t letters, Stream& stream) {
  std::string text;
  for (std::int64_t i = 0; i < n; ++i) text += static_cast<char>('a' + stream.below(letters));
  return text;
}

// TOK-7: among all pieces that the rest of the text begins with, the longest; then onwards from its end.
Pieces longest_match_by_definition(const Pieces& pieces, std::string_view text) {
  Pieces found;
  while (!text.empty()) {
    std::string best;
    for (const std::string& piece : pieces) {
      if (text.starts_with(piece) && piece.size() > best.size()) best = piece;
    }
    found.push_back(best);
    text.remove_prefix(best.size());
  }
  return found;
}

void tok_7_longest_match(Trial& trial) {
  Stream stream = trial.stream("vocabulary");
  std::set<std::string> set = {"a", "b", "c"};
  for (std::int64_t i = 0; i < trial["pieces"]; ++i) set.insert(word(stream.between(2, 5), 3, stream));
  const Pieces pieces(set.begin(), set.end());
  const std::string text = word(trial["n"], 3, stream);
  trial.expect(names_of(longest_match(pieces).tokens(text)) == longest_match_by_definition(pieces, text),
               "longest match of '" + text + "' departs from its definition");
}

// TOK-7: look at all adjacent pairs; of those with a rule join the one of lowest rank, the leftmost
// where ranks are equal; begin again.
Pieces byte_pair_by_definition(const std::vector<Merge>& merges, std::string_view text) {
  Pieces symbols;
  for (const char byte : text) symbols.emplace_back(1, byte);
  for (;;) {
    const Merge* best = nullptr;
    std::size_t place = 0;
    for (std::size_t i = 1; i < symbols.size(); ++i) {
      for (const Merge& merge : merges) {
        const bool fits = merge.left == symbols[i - 1] && merge.right == symbols[i];
        if (fits && (best == nullptr || merge.rank < best->rank)) {
          best = &merge;
          place = i - 1;
        }
      }
    }
    if (best == nullptr) return symbols;
    symbols[place] += symbols[place + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

// Rules over strings that earlier rules made. Ranks are drawn, so a later rule may come first and
// two rules may share a rank.
std::vector<Merge> random_merges(std::int64_t count, std::uint64_t letters, Stream& stream) {
  Pieces known;
  for (std::uint64_t i = 0; i < letters; ++i) known.emplace_back(1, static_cast<char>('a' + i));
  std::set<std::pair<std::string, std::string>> pairs;
  std::vector<Merge> merges;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::string left = known[static_cast<std::size_t>(stream.below(known.size()))];
    const std::string right = known[static_cast<std::size_t>(stream.below(known.size()))];
    if (left.size() + right.size() > 8 || !pairs.emplace(left, right).second) continue;
    const auto rank = static_cast<std::uint32_t>(stream.below(static_cast<std::uint64_t>(count)));
    merges.push_back({left, right, rank});
    known.push_back(left + right);
  }
  return merges;
}

void tok_7_byte_pairs(Trial& trial) {
  Stream stream = trial.stream("rules");
  const auto letters = static_cast<std::uint64_t>(trial["letters"]);
  const std::vector<Merge> merges = random_merges(trial["rules"], letters, stream);
  const BytePairTokenizer tokenizer(TokenIdMap<TokenType>(byte_pair_types(merges)), merges);
  const std::string text = word(trial["n"], letters, stream);
  trial.expect(names_of(tokenizer.tokens(text)) == byte_pair_by_definition(merges, text),
               "byte pairs of '" + text + "' depart from their definition");
}

// TOK-7: with the one rule aa, aaa is aa a and aaaa is aa aa.
void tok_7_leftmost_first(Trial& trial) {
  const std::vector<Merge> merges = {{"a", "a", 0}};
  const BytePairTokenizer tokenizer(TokenIdMap<TokenType>(byte_pair_types(merges)), merges);
  trial.expect(names_of(tokenizer.tokens("aaa")) == Pieces{"aa", "a"}, "aaa is not aa a");
  trial.expect(names_of(tokenizer.tokens("aaaa")) == Pieces{"aa", "aa"}, "aaaa is not aa aa");
}

// TOK-7: the name of a special type is text, unless specials are asked for; then it is one token,
// and both ways lead back to the text.
void tok_7_specials_on_request(Trial& trial) {
  const std::string name = "<|end|>";
  const BytePairTokenizer tokenizer(TokenIdMap<TokenType>(byte_pair_types({}, {name})), {});
  const std::string text = "a" + name + "b";
  const auto plain = tokenizer.token_ids(text);
  const auto marked = tokenizer.token_ids(text, Specials::as_tokens);
  trial.expect(std::get<TokenIds>(plain).length() == text.size(), "a name in the text became a special type");
  trial.expect(std::get<TokenIds>(marked).length() == 3, "a special type was asked for and not recognised");
  trial.expect(
      std::get<std::string>(tokenizer.text(std::get<TokenIds>(plain))) == text &&
          std::get<std::string>(tokenizer.text(std::get<TokenIds>(marked), Specials::as_tokens)) == text,
      "a text with a special name does not come back");
}

Law law(std::string_view name, std::string_view clause, std::string_view intent, void (*check)(Trial&),
        std::vector<Parameter> parameters) {
  return {name, clause, intent, {}, {}, std::move(parameters), {}, check};
}

}  // namespace

std::vector<Law> tokenizer_definition_laws() {
  const Parameter n = Parameter::range("n", 0, 40, {0, 1, 2, 3});
  return {
      law("tok_4_depends_on_the_tokenizer", "TOK-4", "Tokens belong to a tokenizer, not to a text.",
          tok_4_depends_on_the_tokenizer, {}),
      law("tok_7_longest_match", "TOK-7", "Longest match takes the longest piece each time.",
          tok_7_longest_match, {Parameter::range("pieces", 0, 12), n}),
      law("tok_7_byte_pairs", "TOK-7", "Pairs are joined by rank, then from the left.", tok_7_byte_pairs,
          {Parameter::range("letters", 1, 3), Parameter::range("rules", 0, 16), n}),
      law("tok_7_leftmost_first", "TOK-7", "aaa is aa a.", tok_7_leftmost_first, {}),
      law("tok_7_specials_on_request", "TOK-7", "Specials are recognised on request only.",
          tok_7_specials_on_request, {}),
  };
}

}  // namespace etalon
