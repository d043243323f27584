// Tokenizers that reach the ids of the reference ones by other ways, over the same vocabularies.
#include <array>
#include <limits>
#include <map>
#include <optional>

#include "properties/honest/frame.hpp"
#include "properties/tokenizer_subjects.hpp"

namespace etalon {
namespace {

using namespace honest;
using Ids = std::vector<std::int64_t>;  // 0-based, as they cross the interface

// Spellings by id, and the first id of every spelling: where two types are spelled alike the piece stands
// before the byte, and longest match takes the piece.
struct Spellings {
  explicit Spellings(const Tokenizer& tokenizer) {
    for (std::size_t k = 1; k <= tokenizer.iota().size(); ++k) {
      by_id.push_back(tokenizer.iota().inverse(static_cast<TokenId>(k)).spelling());
      if (!by_id.back().empty()) ids.emplace(by_id.back(), static_cast<std::int64_t>(k - 1));
    }
  }
  std::vector<std::string> by_id;
  std::map<std::string, std::int64_t> ids;
};

// The ids of a text; none where it is refused (TOK-8).
using Segment = std::function<std::optional<Ids>(const std::string& text)>;

// TOK-9: the count always, the elements only where all of them fit.
template <typename Values>
void put(const View& out, const View& count, const Values& values) {
  store_bits(element(count), values.size(), 8);
  if (static_cast<std::int64_t>(values.size()) > out.shape[0]) return;
  std::int64_t i = 0;
  for (const auto value : values)
    store_bits(element(out, i++), static_cast<std::uint64_t>(value), size_of(out.dtype));
}

Status tokenize(const Call& call, const Segment& segment) {
  const View& text = call.tensor("text");
  std::string bytes;
  for (std::int64_t i = 0; i < text.shape[0]; ++i) bytes += static_cast<char>(load_bits(element(text, i), 1));
  const auto ids = segment(bytes);
  if (!ids) return Status::invalid_argument;
  put(call.tensor("ids"), call.tensor("count"), *ids);
  return Status::ok;
}

Status detokenize(const Call& call, const Spellings& spellings) {
  const View& ids = call.tensor("ids");
  std::vector<unsigned char> bytes;
  for (std::int64_t i = 0; i < ids.shape[0]; ++i) {
    const std::uint64_t id = load_bits(element(ids, i), 8);  // a negative one is larger than any
    if (id >= spellings.by_id.size()) return Status::invalid_argument;
    for (const char byte : spellings.by_id[id]) bytes.push_back(static_cast<unsigned char>(byte));
  }
  put(call.tensor("text"), call.tensor("count"), bytes);
  return Status::ok;
}

Compute tokenizer_by(const Segment& segment, const Tokenizer& reference) {
  return [segment, spellings = Spellings(reference)](const Call& call) {
    if (call.operation == "tokenize") return tokenize(call, segment);
    if (call.operation == "detokenize") return detokenize(call, spellings);
    store_bits(element(call.tensor("count")), spellings.by_id.size(), 8);
    return Status::ok;
  };
}

// --- Byte pairs ---

// The rule for two adjacent ids: its rank, and the id it makes.
struct Rule {
  std::uint32_t rank = std::numeric_limits<std::uint32_t>::max();  // none
  std::int64_t made = 0;
};

class Rules {
 public:
  Rules(const std::vector<Merge>& merges, const Spellings& spellings)
      : types_(spellings.by_id.size()), rules_(types_ * types_) {
    for (const Merge& merge : merges) {
      const std::int64_t left = spellings.ids.at(merge.left);
      const std::int64_t right = spellings.ids.at(merge.right);
      rules_[place(left, right)] = {merge.rank, spellings.ids.at(merge.left + merge.right)};
    }
  }
  const Rule& of(std::int64_t left, std::int64_t right) const { return rules_[place(left, right)]; }

 private:
  std::size_t place(std::int64_t left, std::int64_t right) const {
    return static_cast<std::size_t>(left) * types_ + static_cast<std::size_t>(right);
  }
  std::size_t types_;
  std::vector<Rule> rules_;
};

// Where the leftmost pair of the lowest rank begins; the number of ids where no pair has a rule.
std::size_t lowest_pair(const Ids& ids, const Rules& rules) {
  std::size_t best = ids.size();
  std::uint32_t lowest = Rule().rank;
  for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
    const std::uint32_t rank = rules.of(ids[i], ids[i + 1]).rank;
    if (rank >= lowest) continue;
    best = i;
    lowest = rank;
  }
  return best;
}

// One pair, then all pairs are looked at again.
void join_by_scanning(Ids& ids, const Rules& rules) {
  for (std::size_t i = lowest_pair(ids, rules); i < ids.size(); i = lowest_pair(ids, rules)) {
    ids[i] = rules.of(ids[i], ids[i + 1]).made;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// The pair of the lowest rank at all its places from the left, then the next: what a join makes is part of
// later rules only, since the rules were learned in the order of their ranks.
void join_by_rounds(Ids& ids, const Rules& rules) {
  for (std::size_t i = lowest_pair(ids, rules); i < ids.size(); i = lowest_pair(ids, rules)) {
    const auto pair = std::pair(ids[i], ids[i + 1]);
    Ids joined;
    for (std::size_t at = 0; at < ids.size(); ++at) {
      const bool joins = at + 1 < ids.size() && std::pair(ids[at], ids[at + 1]) == pair;
      joined.push_back(joins ? rules.of(pair.first, pair.second).made : ids[at]);
      if (joins) ++at;
    }
    ids = std::move(joined);
  }
}

Segment byte_pairs_by(void (*join_all)(Ids&, const Rules&)) {
  const Spellings spellings(reference_byte_pairs());
  return [join_all, spellings,
          rules = Rules(reference_merges(), spellings)](const std::string& text) -> std::optional<Ids> {
    Ids ids;
    for (const char byte : text) ids.push_back(spellings.ids.at(std::string(1, byte)));
    join_all(ids, rules);
    return ids;
  };
}

// --- Longest match. Byte types are spelled by one byte; pieces are whole letters, so where none fits the
// bytes of the letter are the longest matches, one by one. ---

class Trie {
 public:
  explicit Trie(const Spellings& spellings) : nodes_(1) {
    for (const auto& [spelling, id] : spellings.ids) {
      std::size_t node = 0;
      for (const char byte : spelling) node = child(node, static_cast<unsigned char>(byte));
      nodes_[node].id = id;
    }
  }
  // The id of the longest spelling at `at`, which is then moved behind it.
  std::int64_t take(const std::string& text, std::size_t& at) const {
    std::int64_t id = -1;
    std::size_t end = at;
    std::size_t node = 0;
    for (std::size_t i = at; i < text.size(); ++i) {
      node = nodes_[node].next[static_cast<unsigned char>(text[i])];
      if (node == 0) break;
      if (nodes_[node].id < 0) continue;
      id = nodes_[node].id;
      end = i + 1;
    }
    at = end;
    return id;
  }

 private:
  struct Node {
    std::int64_t id = -1;
    std::array<std::size_t, 256> next{};  // 0: none
  };
  std::size_t child(std::size_t node, unsigned char byte) {
    if (nodes_[node].next[byte] == 0) {
      nodes_[node].next[byte] = nodes_.size();
      nodes_.emplace_back();
    }
    return nodes_[node].next[byte];
  }
  std::vector<Node> nodes_;
};

// All spellings, the longest first: the first that fits is the longest.
class LongestFirst {
 public:
  explicit LongestFirst(const Spellings& spellings) : list_(spellings.ids.begin(), spellings.ids.end()) {
    std::stable_sort(list_.begin(), list_.end(),
                     [](const auto& x, const auto& y) { return x.first.size() > y.first.size(); });
  }
  std::int64_t take(const std::string& text, std::size_t& at) const {
    const auto fits = [&](const auto& each) { return text.compare(at, each.first.size(), each.first) == 0; };
    const auto found = std::find_if(list_.begin(), list_.end(), fits);
    at += found->first.size();
    return found->second;
  }

 private:
  std::vector<std::pair<std::string, std::int64_t>> list_;
};

template <typename Matcher>
Segment longest_match_by() {
  return [matcher =
              Matcher(Spellings(reference_longest_match()))](const std::string& text) -> std::optional<Ids> {
    if (utf8_error(text)) return std::nullopt;
    Ids ids;
    for (std::size_t at = 0; at < text.size();) ids.push_back(matcher.take(text, at));
    return ids;
  };
}

Variant tokenizer(std::string_view name, std::string_view does, const Segment& segment,
                  const Tokenizer& reference) {
  const Declare restores_text = [](Dtype) {
    Model model;
    model.lossless = true;
    model.streaming = true;
    return model;
  };
  return variant(name, does, {"tokenize", "detokenize", "vocabulary_size"}, {Dtype::u8}, restores_text,
                 tokenizer_by(segment, reference));
}

}  // namespace

std::vector<Variant> tokenizer_variants() {
  return {
      tokenizer("pairs_by_scanning", "looks at all pairs before every join", byte_pairs_by(join_by_scanning),
                reference_byte_pairs()),
      tokenizer("pairs_by_rounds", "joins the pair of the lowest rank at all its places at once",
                byte_pairs_by(join_by_rounds), reference_byte_pairs()),
      tokenizer("match_by_trie", "follows the text down a trie of all spellings", longest_match_by<Trie>(),
                reference_longest_match()),
      tokenizer("match_longest_first", "tries all spellings, the longest first",
                longest_match_by<LongestFirst>(), reference_longest_match()),
  };
}

}  // namespace etalon
