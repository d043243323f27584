// The list of operations: one line each. The comment is the whole contract of the call: tensors in
// order (inputs, then outputs) with shapes, attributes with units. Ids are 0-based rows (IDX-1).
#pragma once

#include <array>
#include <string_view>

namespace etalon {

struct Operation {
  std::string_view name;
  std::string_view stem;     // family: names the file in every folder
  std::string_view formula;  // for people
  bool is_float;             // its dtype ranges over the float formats (else: fixed integer types)
};

inline constexpr std::array operations = {
    // table (V,d), ids (n) i32|i64 -> out (n,d). No attributes. EMB-1, EMB-4, EMB-8
    Operation{"embed", "embedding", "out[i,:] = table[ids[i],:]", true},
    // ids (n) -> out (n,V). EMB-2
    Operation{"one_hot", "embedding", "out[i,k] = 1 if k = ids[i] else 0", true},
    // table (V,d), ids (n) -> out (n,d), computed as a matrix product with the one-hot rows. EMB-3
    Operation{"embed_product", "embedding", "out = T table, T the one-hot rows of ids", true},
    // a (m,k) or (k,m) if transpose_a, b (k,n) or (n,k) if transpose_b, c (m,n) in and out.
    // Attributes alpha, beta, transpose_a, transpose_b (0|1). LIN-1, LIN-2
    Operation{"matmul", "linear", "c = alpha op(a) op(b) + beta c", true},
    // -> out (n,d). Attributes first (position of row 0, >= 0), base (> 1), layout (0 interleaved,
    // 1 halves). POS-2
    Operation{"sinusoidal", "position", "out[i,2r] = sin((first+i) base^(-2r/d)), out[i,2r+1] = cos(...)",
              true},
    // table (N,d) -> out (n,d). Attribute first. POS-1
    Operation{"learned_positions", "position", "out[i,:] = table[first+i,:]", true},
    // x (n,d) or (B,n,d), p (n,d) -> out, shaped as x. Attributes scale (0: c = 1, 1: c = sqrt(d),
    // 2: c = value), value. INP-1
    Operation{"combine", "input", "out[b,i,:] = c x[b,i,:] + p[i,:]", true},
    // text (bytes) u8 -> ids (capacity) i64, count () i64. count may exceed the capacity: then
    // nothing but count is written. TOK-1
    Operation{"tokenize", "tokenizer", "ids = Tok_ID(text)", false},
    // ids (n) i64 -> text (capacity) u8, count () i64, likewise. TOK-5
    Operation{"detokenize", "tokenizer", "text = the spellings of ids, joined", false},
    // -> count () i64: V. TOK-2
    Operation{"vocabulary_size", "tokenizer", "count = V", false},
};

}  // namespace etalon
