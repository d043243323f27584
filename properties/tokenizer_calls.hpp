// How the laws of tokenizers call a subject: strings and vectors in, strings and vectors out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "properties/law.hpp"
#include "properties/trial.hpp"

namespace etalon {

// Tok_ID(text), 0-based. nullopt where there are no ids to go on with: the case is settled, or the
// text is ill-formed UTF-8 and was refused as TOK-8 allows (INVALID_ARGUMENT, nothing written).
std::optional<std::vector<std::int64_t>> tokenize(Trial& trial, const std::string& text);
// The text of the ids; nullopt where the case is settled.
std::optional<std::string> detokenize(Trial& trial, const std::vector<std::int64_t>& ids);
std::optional<std::int64_t> vocabulary_size(Trial& trial);

// TOK-8: the ids are refused with INVALID_ARGUMENT and nothing is written.
void expect_refused_ids(Trial& trial, const std::vector<std::int64_t>& ids);
// TOK-9: a call with this capacity answers `count`, and writes min(count, capacity) elements, or none
// where they do not fit.
void expect_capacity_kept(Trial& trial, const std::string& text, std::int64_t capacity, std::int64_t count);
void expect_capacity_kept(Trial& trial, const std::vector<std::int64_t>& ids, std::int64_t capacity,
                          std::int64_t count);

// T0 on the values, length included.
void expect_ids(Trial& trial, const std::vector<std::int64_t>& got, const std::vector<std::int64_t>& want);
void expect_text(Trial& trial, const std::string& got, const std::string& want);

// TOK-4, TOK-7: laws of the reference's own tokenizers.
std::vector<Law> tokenizer_definition_laws();

}  // namespace etalon
