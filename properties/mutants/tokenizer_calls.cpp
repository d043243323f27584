// Capacities, sizes of 0, and what one call leaves in another.
#include <algorithm>
#include <map>
#include <memory>
#include <thread>

#include "properties/mutants/tokenizer_subject.hpp"

namespace etalon::tokenizing {
namespace {

using Answer = void (*)(const View& out, const View& count, const Ids& values);
Mutant answered(std::string_view name, std::string_view kind, Frequency met, std::string_view does,
                Answer answer) {
  return mutant(name, kind, "TOK-9", met, does,
                [answer](FaultyTokenizer& subject) { subject.answer = answer; });
}

void store(const View& out, std::size_t i, std::int64_t value) {
  store_bits(element(out, static_cast<std::int64_t>(i)), static_cast<std::uint64_t>(value),
             size_of(out.dtype));
}

std::size_t capacity_of(const View& out) { return static_cast<std::size_t>(out.shape[0]); }

std::vector<Mutant> capacity_mutants() {
  constexpr std::string_view contract = "contract";
  constexpr std::string_view memory = "memory";
  return {
      answered("short_output_filled", contract, Frequency::common,
               "writes what fits into too short an output",
               [](const View& out, const View& count, const Ids& values) {
                 store_bits(element(count), values.size(), 8);
                 for (std::size_t i = 0; i < std::min(values.size(), capacity_of(out)); ++i)
                   store(out, i, values[i]);
               }),
      answered("count_of_what_fits", contract, Frequency::common,
               "answers a count no larger than the capacity",
               [](const View& out, const View& count, const Ids& values) {
                 FaultyTokenizer::write_answer(out, count, values);
                 store_bits(element(count), std::min(values.size(), capacity_of(out)), 8);
               }),
      answered("count_of_short_output_missing", contract, Frequency::occasional,
               "sets no count where the output is too short",
               [](const View& out, const View& count, const Ids& values) {
                 if (values.size() <= capacity_of(out)) FaultyTokenizer::write_answer(out, count, values);
               }),
      answered("terminator", memory, Frequency::common, "writes a 0 behind the last element",
               [](const View& out, const View& count, const Ids& values) {
                 FaultyTokenizer::write_answer(out, count, values);
                 if (values.size() < capacity_of(out)) store(out, values.size(), 0);
               }),
      answered("one_beyond_capacity", memory, Frequency::common, "takes a capacity of count - 1 for enough",
               [](const View& out, const View& count, const Ids& values) {
                 FaultyTokenizer::write_answer(out, count, values);
                 if (values.size() != capacity_of(out) + 1) return;
                 for (std::size_t i = 0; i < values.size(); ++i) store(out, i, values[i]);
               }),
      answered("output_cleared", memory, Frequency::occasional, "clears all of the output first",
               [](const View& out, const View& count, const Ids& values) {
                 for (std::size_t i = 0; i < capacity_of(out); ++i) store(out, i, 0);
                 FaultyTokenizer::write_answer(out, count, values);
               }),
      mutant("count_negative", contract, "TOK-2", Frequency::rare, "answers a negative count",
             [](FaultyTokenizer& subject) {
               subject.answer = [](const View& out, const View& count, const Ids& values) {
                 FaultyTokenizer::write_answer(out, count, values);
                 store_bits(element(count), ~static_cast<std::uint64_t>(values.size()) + 1, 8);
               };
             }),
      mutant("empty_text_refused", "empty sizes", "TOK-3", Frequency::common,
             "takes the empty text for an error",
             [](FaultyTokenizer& subject) {
               subject.refuses = [](const Call& call) {
                 return call.operation == "tokenize" && call.tensor("text").shape[0] == 0;
               };
             }),
      mutant("no_ids_refused_to_decode", "empty sizes", "TOK-3", Frequency::common,
             "takes no ids for an error",
             [](FaultyTokenizer& subject) {
               subject.refuses = [](const Call& call) {
                 return call.operation == "detokenize" && call.tensor("ids").shape[0] == 0;
               };
             }),
  };
}

// One id for the beginning of a text, there or not there.
void mark_after_space(FaultyTokenizer& subject) {
  subject.after = [space = false, mark = subject.size - 1](Ids ids, const Bytes& text) mutable {
    if (space) ids.insert(ids.begin(), mark);
    space = text.ends_with(' ');
    return ids;
  };
}

// Every third call leaves its last join out, as BPE-dropout in training does.
void drops_joins(FaultyTokenizer& subject) {
  const auto honest = subject.cut;
  subject.cut = [honest, calls = 0](const Bytes& text) mutable -> std::optional<Ids> {
    if (++calls % 3 != 0) return honest(text);
    const std::size_t half = text.size() / 2;
    auto left = honest(text.substr(0, half));
    const auto right = honest(text.substr(half));
    if (!left || !right) return honest(text);
    left->insert(left->end(), right->begin(), right->end());
    return left;
  };
}

// Results kept by a key that several texts share.
void cache_by_length(FaultyTokenizer& subject) {
  const auto honest = subject.cut;
  subject.cut = [honest,
                 kept = std::map<std::size_t, Ids>()](const Bytes& text) mutable -> std::optional<Ids> {
    const std::size_t key = text.size();
    if (const auto found = kept.find(key); found != kept.end()) return found->second;
    auto ids = honest(text);
    if (ids) kept[key] = *ids;
    return ids;
  };
}

void differs_across_threads(FaultyTokenizer& subject) {
  subject.after = [home = std::this_thread::get_id(), mark = subject.size - 1](Ids ids, const Bytes&) {
    if (std::this_thread::get_id() != home) ids.push_back(mark);
    return ids;
  };
}

// A streaming decoder that was not reset: an unfinished letter appears in the next text.
void pending_bytes_kept(FaultyTokenizer& subject) {
  subject.decoded = [pending = Bytes()](Bytes text) mutable {
    text = pending + text;
    pending = text.substr(text.size() - unfinished_bytes(text));
    return text.substr(0, text.size() - pending.size());
  };
}

std::vector<Mutant> state_mutants() {
  const auto state = [](std::string_view name, std::string_view clause, Frequency met, std::string_view does,
                        const Change& change) {
    return mutant(name, "shared state", clause, met, does, change);
  };
  return {
      state("mark_after_space", "TOK-1", Frequency::occasional,
            "begins a text differently when the one before ended in a space", mark_after_space),
      state("joins_dropped", "TOK-1", Frequency::occasional, "leaves joins out now and then, as in training",
            drops_joins),
      state("cache_by_length", "TOK-5", Frequency::rare, "keeps results by the length of the text",
            cache_by_length),
      state("differs_across_threads", "TOK-1", Frequency::occasional, "answers otherwise in another thread",
            differs_across_threads),
      state("pending_bytes_kept", "TOK-6", Frequency::occasional,
            "holds an unfinished letter back for the next call", pending_bytes_kept),
  };
}

}  // namespace

std::vector<Mutant> tokenizer_call_mutants() {
  std::vector<Mutant> mutants = capacity_mutants();
  for (Mutant& each : state_mutants()) mutants.push_back(std::move(each));
  return mutants;
}

}  // namespace etalon::tokenizing
