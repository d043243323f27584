// TOK-7: byte-level byte-pair encoding. Sigma is the set of the 256 bytes, so every byte string is a
// text, ill-formed UTF-8 included.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference/tokenizer.hpp"

namespace etalon {

// The rule "left right -> left·right". The lower its rank, the earlier it is applied.
struct Merge {
  std::string left;
  std::string right;
  std::uint32_t rank = 0;
  bool operator==(const Merge&) const = default;
};

// The rules of a list, ranked by their places in it.
std::vector<Merge> ranked(const std::vector<std::pair<std::string, std::string>>& rules);

// TOK-7: start from the bytes; while some adjacent pair has a rule, join the pair whose rule has the
// lowest rank, the leftmost of these; one pair at a time. O(n log n) for n bytes.
class BytePairTokenizer final : public Tokenizer {
 public:
  // Both sides of a rule and what it makes must be types of the vocabulary: single bytes as byte
  // types, longer strings as pieces; all 256 byte types must be there; no pair may have two rules.
  // Throws std::invalid_argument otherwise. Rules of equal rank are told apart by place alone.
  BytePairTokenizer(TokenIdMap<TokenType> iota, const std::vector<Merge>& merges);

  struct Rule {
    std::uint32_t rank = 0;
    TokenId result = 0;
  };
  // The rule for two adjacent ids; nullptr where there is none.
  const Rule* rule(TokenId left, TokenId right) const;

 private:
  std::optional<TextError> refusal(std::string_view) const override { return std::nullopt; }
  std::optional<TextError> segment(std::string_view text, std::vector<TokenId>& ids) const override;

  std::vector<TokenId> bytes_;
  std::unordered_map<std::uint64_t, Rule> rules_;  // keyed by left * 2^32 + right
};

// An enumeration of token types: the 256 bytes, what the merges make (in the order of the list, each
// once), then the specials.
Tokens byte_pair_types(const std::vector<Merge>& merges, const std::vector<std::string>& specials = {});

// Learns at most `count` merges from a corpus: always the adjacent pair that occurs most often (at
// least twice; the smallest pair of byte strings where several do), joined everywhere from the left.
std::vector<Merge> learn_merges(std::string_view corpus, std::size_t count);

}  // namespace etalon
