#include "reference/byte_pair.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <tuple>

namespace etalon {
namespace {

TokenType type_of(const std::string& bytes) {
  return {bytes.size() == 1 ? TokenKind::byte : TokenKind::piece, bytes};
}

TokenId id_of(const TokenIdMap<TokenType>& iota, const std::string& bytes) {
  const auto id = iota.find(type_of(bytes));
  if (!id.has_value()) throw std::invalid_argument("byte pair: a rule needs a type outside the vocabulary");
  return *id;
}

std::uint64_t key_of(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint64_t>(right);
}

// The symbols of a text as a doubly linked list over the places of their first bytes, and the pairs
// that could be joined, the next one on top. A join leaves outdated pairs in the queue; they are
// recognised when they come up: a symbol only ever grows, so a place that still starts the same two
// symbols still holds the same pair.
class Symbols {
 public:
  Symbols(std::vector<TokenId> ids, const BytePairTokenizer& rules)
      : ids_(std::move(ids)), next_(ids_.size()), previous_(ids_.size()), rules_(rules) {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      next_[i] = i + 1;
      previous_[i] = i == 0 ? none : i - 1;
    }
    for (std::size_t i = 0; i < ids_.size(); ++i) consider(i);
  }

  // TOK-7: lowest rank first, leftmost on ties.
  void join_all() {
    while (!candidates_.empty()) {
      const Candidate top = candidates_.top();
      candidates_.pop();
      if (is_current(top)) join(top.place);
    }
  }

  void append_to(std::vector<TokenId>& out) const {
    for (std::size_t i = 0; i < ids_.size(); i = next_[i]) out.push_back(ids_[i]);
  }

 private:
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  struct Candidate {
    std::uint32_t rank;
    std::size_t place;
    TokenId left;
    TokenId right;
    bool operator>(const Candidate& other) const {
      return std::tie(rank, place) > std::tie(other.rank, other.place);
    }
  };

  void consider(std::size_t i) {
    if (i == none || next_[i] >= ids_.size()) return;
    const TokenId left = ids_[i];
    const TokenId right = ids_[next_[i]];
    if (const auto* rule = rules_.rule(left, right)) candidates_.push({rule->rank, i, left, right});
  }

  bool is_current(const Candidate& c) const {
    return ids_[c.place] == c.left && next_[c.place] < ids_.size() && ids_[next_[c.place]] == c.right;
  }

  void join(std::size_t i) {
    const std::size_t gone = next_[i];
    ids_[i] = rules_.rule(ids_[i], ids_[gone])->result;
    ids_[gone] = 0;  // no token id
    next_[i] = next_[gone];
    if (next_[i] < ids_.size()) previous_[next_[i]] = i;
    consider(previous_[i]);
    consider(i);
  }

  std::vector<TokenId> ids_;
  std::vector<std::size_t> next_;
  std::vector<std::size_t> previous_;
  const BytePairTokenizer& rules_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

using Pair = std::pair<std::string, std::string>;

std::optional<Pair> most_frequent_pair(const std::vector<std::string>& symbols) {
  std::map<Pair, std::size_t> counts;
  for (std::size_t i = 1; i < symbols.size(); ++i) ++counts[{symbols[i - 1], symbols[i]}];
  const auto most = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  if (most == counts.end() || most->second < 2) return std::nullopt;
  return most->first;
}

std::vector<std::string> joined_everywhere(const std::vector<std::string>& symbols, const Pair& pair) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool joins = i + 1 < symbols.size() && symbols[i] == pair.first && symbols[i + 1] == pair.second;
    result.push_back(joins ? pair.first + pair.second : symbols[i]);
    if (joins) ++i;
  }
  return result;
}

}  // namespace

std::vector<Merge> ranked(const std::vector<Pair>& rules) {
  std::vector<Merge> merges;
  for (const auto& [left, right] : rules)
    merges.push_back({left, right, static_cast<std::uint32_t>(merges.size())});
  return merges;
}

BytePairTokenizer::BytePairTokenizer(TokenIdMap<TokenType> iota_map, const std::vector<Merge>& merges)
    : Tokenizer(std::move(iota_map)) {
  if (iota().size() > std::numeric_limits<std::uint32_t>::max())
    throw std::invalid_argument("byte pair: V >= 2^32");
  for (int byte = 0; byte < 256; ++byte)
    bytes_.push_back(id_of(iota(), std::string(1, static_cast<char>(byte))));
  for (const Merge& merge : merges) {
    if (merge.left.empty() || merge.right.empty())
      throw std::invalid_argument("byte pair: a side of a rule is empty");
    const std::uint64_t key = key_of(id_of(iota(), merge.left), id_of(iota(), merge.right));
    const Rule made{merge.rank, id_of(iota(), merge.left + merge.right)};
    if (!rules_.emplace(key, made).second) throw std::invalid_argument("byte pair: a pair has two rules");
  }
}

const BytePairTokenizer::Rule* BytePairTokenizer::rule(TokenId left, TokenId right) const {
  const auto found = rules_.find(key_of(left, right));
  return found == rules_.end() ? nullptr : &found->second;
}

std::optional<TextError> BytePairTokenizer::segment(std::string_view text, std::vector<TokenId>& ids) const {
  std::vector<TokenId> start;
  start.reserve(text.size());
  for (const char byte : text) start.push_back(bytes_[static_cast<unsigned char>(byte)]);
  Symbols symbols(std::move(start), *this);
  symbols.join_all();
  symbols.append_to(ids);
  return std::nullopt;
}

Tokens byte_pair_types(const std::vector<Merge>& merges, const std::vector<std::string>& specials) {
  std::vector<TokenType> types;
  for (int byte = 0; byte < 256; ++byte)
    types.push_back({TokenKind::byte, std::string(1, static_cast<char>(byte))});
  std::set<std::string> made;
  for (const Merge& merge : merges) {
    if (made.insert(merge.left + merge.right).second) types.push_back(type_of(merge.left + merge.right));
  }
  for (const std::string& special : specials) types.push_back({TokenKind::special, special});
  return Tokens(std::move(types));
}

std::vector<Merge> learn_merges(std::string_view corpus, std::size_t count) {
  std::vector<std::string> symbols;
  for (const char byte : corpus) symbols.emplace_back(1, byte);
  std::vector<Pair> rules;
  while (rules.size() < count) {
    const auto pair = most_frequent_pair(symbols);
    if (!pair.has_value()) break;
    rules.push_back(*pair);
    symbols = joined_everywhere(symbols, *pair);
  }
  return ranked(rules);
}

}  // namespace etalon
