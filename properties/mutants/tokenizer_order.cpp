// Which of the pairs that have a rule is joined. Every text still comes back: only ids show these faults.
#include <algorithm>
#include <map>

#include "properties/mutants/tokenizer_subject.hpp"

namespace etalon::tokenizing {
namespace {

struct Candidate {
  std::size_t place;
  std::uint32_t rank;
  std::size_t length;  // of what the rule makes, in bytes
};
// Whether a is joined before b; both have rules, and a stands further left.
using Precedes = bool (*)(const Candidate& a, const Candidate& b);

using Symbols = std::vector<Bytes>;

const std::map<std::pair<Bytes, Bytes>, std::uint32_t>& ranks() {
  static const auto table = [] {
    std::map<std::pair<Bytes, Bytes>, std::uint32_t> made;
    for (const Merge& merge : reference_merges()) made[{merge.left, merge.right}] = merge.rank;
    return made;
  }();
  return table;
}

void join_all(Symbols& symbols, Precedes precedes) {
  for (;;) {
    std::optional<Candidate> best;
    for (std::size_t i = 1; i < symbols.size(); ++i) {
      const auto rule = ranks().find({symbols[i - 1], symbols[i]});
      if (rule == ranks().end()) continue;
      const Candidate found{i - 1, rule->second, symbols[i - 1].size() + symbols[i].size()};
      if (!best || !precedes(*best, found)) best = found;
    }
    if (!best) return;
    symbols[best->place] += symbols[best->place + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(best->place) + 1);
  }
}

Ids ids_of(const Tokenizer& tokenizer, const Symbols& symbols) {
  Ids ids;
  for (const Bytes& symbol : symbols) {
    const TokenKind kind = symbol.size() == 1 ? TokenKind::byte : TokenKind::piece;
    ids.push_back(tokenizer.iota().find({kind, symbol}).value() - 1);
  }
  return ids;
}

// The text in stretches that `ends` closes, each joined on its own. Quadratic, hence at most 500 bytes each.
Ids in_stretches(const Tokenizer& tokenizer, const Bytes& text, bool (*ends)(char here, char next),
                 Precedes precedes) {
  Ids ids;
  Symbols symbols;
  for (std::size_t i = 0; i < text.size(); ++i) {
    symbols.emplace_back(1, text[i]);
    const bool last = i + 1 == text.size();
    if (!last && symbols.size() < 500 && !ends(text[i], text[i + 1])) continue;
    join_all(symbols, precedes);
    const Ids made = ids_of(tokenizer, symbols);
    ids.insert(ids.end(), made.begin(), made.end());
    symbols.clear();
  }
  return ids;
}

bool never(char, char) { return false; }
bool lowest_rank(const Candidate& a, const Candidate& b) { return a.rank <= b.rank; }

Change joined_by(Precedes precedes, bool (*ends)(char, char) = never) {
  return [=](FaultyTokenizer& subject) {
    const Tokenizer& tokenizer = subject.tokenizer();
    subject.cut = [&tokenizer, precedes, ends](const Bytes& text) {
      return in_stretches(tokenizer, text, ends, precedes);
    };
  };
}

// One sweep of longest match over everything that some rule makes.
Ids longest_made(const Tokenizer& tokenizer, const Bytes& text) {
  Symbols symbols;
  for (std::size_t at = 0; at < text.size(); at += symbols.back().size()) {
    Bytes best(1, text[at]);
    for (const Merge& merge : reference_merges()) {
      const Bytes made = merge.left + merge.right;
      if (made.size() > best.size() && text.compare(at, made.size(), made) == 0) best = made;
    }
    symbols.push_back(best);
  }
  return ids_of(tokenizer, symbols);
}

// "aaa" is joined to "aa" and "aa": the second pair was found before the first was joined.
Ids overlapping(const Ids& ids) {
  Ids made;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    made.push_back(ids[i]);
    if (i >= 2 && ids[i] == ids[i - 1] && ids[i] == ids[i - 2]) made.push_back(ids[i]);
  }
  return made;
}

// The longest piece but one, or the shortest, of those the rest of the text begins with.
Change greedy(std::size_t (*choose)(const std::vector<std::size_t>& lengths)) {
  return [choose](FaultyTokenizer& subject) {
    const Tokenizer& tokenizer = subject.tokenizer();
    const auto honest = subject.cut;
    subject.cut = [&tokenizer, choose, honest](const Bytes& text) -> std::optional<Ids> {
      if (!honest(text)) return std::nullopt;
      Ids ids;
      for (std::size_t at = 0; at < text.size();) {
        std::vector<std::size_t> lengths;
        for (std::size_t length = 1; length <= std::min<std::size_t>(24, text.size() - at); ++length) {
          if (tokenizer.iota().find({TokenKind::piece, text.substr(at, length)})) lengths.push_back(length);
        }
        const TokenKind kind = lengths.empty() ? TokenKind::byte : TokenKind::piece;
        const std::size_t length = lengths.empty() ? 1 : choose(lengths);
        ids.push_back(tokenizer.iota().find({kind, text.substr(at, length)}).value() - 1);
        at += length;
      }
      return ids;
    };
  };
}

}  // namespace

std::vector<Mutant> tokenizer_order_mutants() {
  constexpr std::string_view kind = "merge order";
  const auto order = [kind](std::string_view name, Frequency met, std::string_view does,
                            const Change& change) { return mutant(name, kind, "TOK-7", met, does, change); };
  return {
      order("first_pair_met", Frequency::common, "joins the leftmost pair that has a rule, whatever its rank",
            joined_by([](const Candidate&, const Candidate&) { return true; })),
      order("rightmost_of_equal_rank", Frequency::common, "joins the rightmost of the pairs of lowest rank",
            joined_by([](const Candidate& a, const Candidate& b) { return a.rank < b.rank; })),
      order("highest_rank", Frequency::occasional, "joins the pair of highest rank",
            joined_by([](const Candidate& a, const Candidate& b) { return a.rank >= b.rank; })),
      order("longest_pair", Frequency::occasional, "joins the pair that makes the longest token",
            joined_by([](const Candidate& a, const Candidate& b) { return a.length >= b.length; })),
      order("rank_as_text", Frequency::rare, "compares ranks as they are written, so that 10 comes before 9",
            joined_by([](const Candidate& a, const Candidate& b) {
              return std::to_string(a.rank) <= std::to_string(b.rank);
            })),
      order("words_apart", Frequency::common,
            "splits the text before each space, where the rules know no words",
            joined_by(lowest_rank, [](char, char next) { return next == ' '; })),
      order("longest_match_of_merges", Frequency::common,
            "takes the longest token that the rest of the text begins with",
            [](FaultyTokenizer& subject) {
              const Tokenizer& tokenizer = subject.tokenizer();
              subject.cut = [&tokenizer](const Bytes& text) { return longest_made(tokenizer, text); };
            }),
      order("chunks_apart", Frequency::occasional, "joins within chunks of 16 bytes",
            [](FaultyTokenizer& subject) {
              const auto honest = subject.cut;
              subject.cut = [honest](const Bytes& text) {
                Ids ids;
                for (std::size_t at = 0; at < text.size(); at += 16) {
                  const Ids part = honest(text.substr(at, 16)).value();
                  ids.insert(ids.end(), part.begin(), part.end());
                }
                return ids;
              };
            }),
      mutant("overlapping_pairs", kind, "TOK-5", Frequency::occasional, "joins both of two overlapping pairs",
             [](FaultyTokenizer& subject) {
               subject.after = [](const Ids& ids, const Bytes&) { return overlapping(ids); };
             }),
      mutant("shortest_piece", kind, "TOK-7", Frequency::rare, "takes the shortest piece that fits",
             greedy([](const std::vector<std::size_t>& lengths) { return lengths.front(); }),
             reference_longest_match()),
      mutant("longest_piece_but_one", kind, "TOK-7", Frequency::rare,
             "takes the longest piece but one, where there are two",
             greedy([](const std::vector<std::size_t>& lengths) {
               return lengths[lengths.size() > 1 ? lengths.size() - 2 : 0];
             }),
             reference_longest_match()),
  };
}

}  // namespace etalon::tokenizing
