// Ids in too few bits, and ids that no vocabulary has.
#include <algorithm>

#include "properties/mutants/tokenizer_subject.hpp"

namespace etalon::tokenizing {
namespace {

using ReadId = std::optional<std::int64_t> (*)(std::int64_t id, std::int64_t size);
Change read_by(ReadId read) {
  return [read](FaultyTokenizer& subject) { subject.read_id = read; };
}

Change each_id(std::int64_t (*change)(std::int64_t)) {
  return [change](FaultyTokenizer& subject) {
    subject.after = [change](Ids ids, const Bytes&) {
      std::transform(ids.begin(), ids.end(), ids.begin(), change);
      return ids;
    };
  };
}

std::int64_t through(Dtype dtype, std::int64_t id) {
  const Format& format = format_of(dtype);
  return static_cast<std::int64_t>(decode(format, encode(format, static_cast<double>(id))));
}

}  // namespace

std::vector<Mutant> tokenizer_id_mutants() {
  constexpr std::string_view width = "id width";
  constexpr std::string_view bad = "bad id";
  constexpr std::string_view contract = "contract";
  return {
      mutant("ids_made_in_8_bits", width, "TOK-5", Frequency::rare, "keeps the ids it makes in 8 bits",
             each_id([](std::int64_t id) -> std::int64_t { return static_cast<std::uint8_t>(id); })),
      mutant("ids_made_in_bf16", width, "TOK-5", Frequency::rare, "keeps the ids it makes in bf16",
             each_id([](std::int64_t id) { return through(Dtype::bf16, id); })),
      mutant("ids_read_in_16_bits", width, "TOK-8", Frequency::occasional, "cuts the ids it reads to 16 bits",
             read_by([](auto id, auto) -> std::optional<std::int64_t> {
               return static_cast<std::uint16_t>(id);
             })),
      mutant("ids_read_in_32_bits", width, "TOK-8", Frequency::common, "cuts the ids it reads to 32 bits",
             read_by(
                 [](auto id, auto) -> std::optional<std::int64_t> { return static_cast<std::int32_t>(id); })),
      mutant("ids_clamped", bad, "TOK-8", Frequency::common, "takes the nearest good id",
             read_by([](auto id, auto size) -> std::optional<std::int64_t> {
               return std::clamp<std::int64_t>(id, 0, size - 1);
             })),
      mutant("ids_wrapped", bad, "TOK-8", Frequency::occasional, "takes ids modulo V",
             read_by([](auto id, auto size) -> std::optional<std::int64_t> {
               return (id % size + size) % size;
             })),
      mutant("ids_from_the_end", bad, "TOK-8", Frequency::common,
             "counts negative ids from the end, as scripts do",
             read_by([](auto id, auto size) -> std::optional<std::int64_t> {
               return id < 0 && id >= -size ? id + size : id;
             })),
      mutant("bad_ids_skipped", bad, "TOK-8", Frequency::common, "leaves out ids it does not know",
             read_by([](auto id, auto size) -> std::optional<std::int64_t> {
               return id < 0 || id >= size ? std::nullopt : std::optional<std::int64_t>(id);
             })),
      mutant("id_V_is_unknown", bad, "TOK-8", Frequency::occasional, "takes id = V for the unknown type",
             read_by([](auto id, auto size) -> std::optional<std::int64_t> {
               return id == size ? size - 1 : id;
             })),
      mutant("refuses_after_counting", bad, "TOK-8", Frequency::occasional,
             "sets count before it sees the bad id",
             [](FaultyTokenizer& subject) {
               subject.refusal = [](const Call& call) { store_bits(element(call.tensor("count")), 0, 8); };
             }),
      mutant("ids_from_one", contract, "TOK-8", Frequency::common, "counts ids from 1 at the interface",
             [](FaultyTokenizer& subject) {
               each_id([](std::int64_t id) { return id + 1; })(subject);
               subject.read_id = [](auto id, auto) -> std::optional<std::int64_t> {
                 return static_cast<std::int64_t>(static_cast<std::uint64_t>(id) - 1);
               };
             }),
      mutant("last_id_is_V", contract, "TOK-2", Frequency::rare, "ends every text with the id V",
             [](FaultyTokenizer& subject) {
               subject.after = [size = subject.size](Ids ids, const Bytes&) {
                 if (!ids.empty()) ids.back() = size;
                 return ids;
               };
             }),
      mutant("specials_not_counted", contract, "TOK-8", Frequency::common,
             "leaves the special types out of V", [](FaultyTokenizer& subject) { subject.size -= 3; }),
      mutant("merges_counted", contract, "TOK-2", Frequency::occasional,
             "answers the number of its rules for V",
             [](FaultyTokenizer& subject) { subject.size -= 256 + 3; }),
  };
}

}  // namespace etalon::tokenizing
