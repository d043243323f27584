// TOK: text to token ids and back.
#include <string_view>

#include "bench/perf.hpp"

namespace etalon::perf {
namespace {

constexpr std::int64_t text_bytes = 16384;

// Words, spaces, letters of two and three bytes, and runs: nothing a tokenizer may shortcut.
Tensor text() {
  constexpr std::string_view phrase = "the cat sat on the mat, aaaa ab abab. \xE7\x8C\xAB \xC3\xA4 12345\n";
  Tensor tensor(Dtype::u8, {text_bytes});
  for (std::int64_t i = 0; i < text_bytes; ++i) {
    const bool whole =
        i / static_cast<std::int64_t>(phrase.size()) < text_bytes / static_cast<std::int64_t>(phrase.size());
    const char letter =
        whole ? phrase[static_cast<std::size_t>(i) % phrase.size()] : ' ';  // no letter is cut
    tensor.set_integer(i, static_cast<unsigned char>(letter));
  }
  return tensor;
}

}  // namespace

void add_tokenizer(const Contender& contender) {
  // TOK-1: bytes and elements are those of the text.
  add(contender, "tokenize", Dtype::u8, "16KiB", [] {
    Workload workload("tokenize", {{"text", text()}},
                      {{"ids", Tensor(Dtype::i64, {text_bytes})}, {"count", Tensor(Dtype::i64, {})}});
    workload.bytes = workload.elements = text_bytes;
    return workload;
  });
  // TOK-5: elements are the ids.
  constexpr std::int64_t n = 4096;
  add(contender, "detokenize", Dtype::u8, "n=4096", [] {
    Workload workload("detokenize", {{"ids", ids(n, 64)}},
                      {{"text", Tensor(Dtype::u8, {n * 64})}, {"count", Tensor(Dtype::i64, {})}});
    workload.elements = n;
    workload.bytes = n * static_cast<std::int64_t>(sizeof(std::int64_t));
    return workload;
  });
}

}  // namespace etalon::perf
