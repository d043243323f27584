// Another formula than POS-2: columns, exponents, bases, origins and widths.
#include "properties/mutants/position_parts.hpp"

namespace etalon::coding {
namespace {

using enum Frequency;

// The frequency base^exponent, the exponent as the fault has it.
Entry with_exponent(double (*exponent)(double r, double d, bool is_cosine)) {
  return [exponent](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    const double e = exponent(static_cast<double>(r), static_cast<double>(request.d), is_cosine);
    return wave(static_cast<double>(position) * std::pow(request.base, e), is_cosine);
  };
}

Entry with_base(double (*base)(double)) {
  return [base](const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    Request changed = request;
    changed.base = base(request.base);
    return double_entry(changed, position, r, is_cosine);
  };
}

double swapped(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position, r, !is_cosine);
}

// Sines in the first half of the row whatever was asked for.
double in_halves(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  if (request.halves) return double_entry(request, position, r, is_cosine);
  const std::int64_t column = 2 * r + (is_cosine ? 1 : 0);
  return double_entry(request, position, column % (request.d / 2), column >= request.d / 2);
}

double halves_ignored(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  if (!request.halves) return double_entry(request, position, r, is_cosine);
  const std::int64_t column = r + (is_cosine ? request.d / 2 : 0);
  return double_entry(request, position, column / 2, column % 2 == 1);
}

double pairs_reversed(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position, request.d / 2 - 1 - r, is_cosine);
}

double from_one(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, position + 1, r, is_cosine);
}

// The row of position zero twice, as after a padding token of its own.
double after_padding(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return double_entry(request, std::max<std::int64_t>(0, position - 1), r, is_cosine);
}

void accepts_odd(Coder& subject) {
  subject.refuses = [](const Request& request) {
    Request even = request;
    even.d = 2;
    return request.d < 2 || refuses_honestly(even);
  };
}

}  // namespace

std::vector<Mutant> formula_mutants() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"code_halves_for_interleaved", "column order", "POS-2", common,
       "All sines, then all cosines, whatever layout was asked for.", sinusoidal, floats, coder(in_halves)},
      {"code_interleaved_for_halves", "column order", "POS-2", occasional,
       "Sines and cosines in turn where the layout of halves was asked for.", sinusoidal, floats,
       coder(halves_ignored)},
      {"code_cosine_first", "column order", "POS-2", common, "Cosines stand where sines belong.", sinusoidal,
       floats, coder(swapped)},
      {"code_pairs_reversed", "column order", "POS-2", rare, "The slowest pair stands first.", sinusoidal,
       floats, coder(pairs_reversed)},

      {"code_divisor_half_less_one", "divisor", "POS-2", common,
       "The exponent is r/(d/2 - 1), so that the last wavelength is 2 pi base.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return -r / std::max(1.0, d / 2 - 1); }))},
      {"code_divisor_width_less_one", "divisor", "POS-2", occasional, "The exponent is 2r/(d - 1).",
       sinusoidal, floats, coder(with_exponent([](double r, double d, bool) { return -2 * r / (d - 1); }))},

      {"code_exponent_per_column", "exponent", "POS-2", common, "The exponent is 2c/d for every column c.",
       sinusoidal, floats, coder(with_exponent([](double r, double d, bool is_cosine) {
         return -2 * (2 * r + (is_cosine ? 1 : 0)) / d;
       }))},
      {"code_exponent_column_of_cosine", "exponent", "POS-2", common,
       "The exponent is c/d: right for sines, half a step too far for cosines.", sinusoidal, floats,
       coder(with_exponent(
           [](double r, double d, bool is_cosine) { return -(2 * r + (is_cosine ? 1 : 0)) / d; }))},
      {"code_exponent_doubled", "exponent", "POS-2", common,
       "The exponent is 4r/d: an even column is doubled again.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return -4 * r / d; }))},
      {"code_exponent_halved", "exponent", "POS-2", occasional, "The exponent is r/d.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return -r / d; }))},
      {"code_exponent_from_one", "exponent", "POS-8", rare,
       "Pairs are counted from 1: the exponent is 2(r + 1)/d.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return -2 * (r + 1) / d; }))},

      {"code_base_fixed", "base", "POS-2", common, "The base is 10000 whatever was asked for.", sinusoidal,
       floats, coder(with_base([](double) { return 10000.0; }))},
      {"code_base_near", "base", "POS-4", rare, "The base is a hundredth too large.", sinusoidal, floats,
       coder(with_base([](double base) { return base * 1.01; }))},
      {"code_base_whole", "base", "POS-2", occasional, "The base is cut to an integer.", sinusoidal, floats,
       coder(with_base([](double base) { return std::floor(base); }))},
      {"code_base_bf16", "base", "POS-2", occasional, "The base is rounded to bf16: 9984 for 10000.",
       sinusoidal, floats, coder(with_base([](double base) { return rounded_to(Dtype::bf16, base); }))},
      {"code_base_32_bits", "base", "POS-2", rare, "The base is kept in 32 bits: 1e10 is 2^31 - 1.",
       sinusoidal, floats, coder(with_base([](double base) { return std::min(base, 0x1p31 - 1); }))},
      {"code_wavelength_for_frequency", "base", "POS-2", common,
       "Multiplies by base^(2r/d) where it must divide.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return 2 * r / d; }))},
      {"code_exponent_truncated", "base", "POS-2", common,
       "2r/d is a division of integers: the exponent is 0 for every pair.", sinusoidal, floats,
       coder(with_exponent([](double r, double d, bool) { return -std::floor(2 * r / d); }))},

      {"code_from_one", "origin", "POS-3", common, "Positions are counted from 1.", sinusoidal, floats,
       coder(from_one)},
      {"code_after_padding", "origin", "POS-5", occasional, "Row zero is given twice: the first for padding.",
       sinusoidal, floats, coder(after_padding)},
      {"code_first_ignored", "origin", "POS-10", common, "Every table starts at position 0.", sinusoidal,
       floats,
       altered([](Coder& subject) { subject.position = [](const Request&, std::int64_t i) { return i; }; })},
      {"code_one_row_late", "origin", "POS-2", occasional,
       "A table that does not start at 0 starts one row late.", sinusoidal, floats,
       altered([](Coder& subject) {
         subject.position = [](const Request& request, std::int64_t i) {
           return static_cast<std::int64_t>(request.first) + i + (request.first > 0 ? 1 : 0);
         };
       })},

      {"code_odd_width_accepted", "odd width", "POS-11", common,
       "An odd width gets a last sine without a cosine.", sinusoidal, floats, altered(accepts_odd)},
      {"code_odd_width_drops", "odd width", "POS-11", occasional, "The last column of an odd width is left.",
       sinusoidal, floats, altered([](Coder& subject) {
         accepts_odd(subject);
         subject.columns = [](const Request& request) { return request.d / 2 * 2; };
       })},
      {"code_odd_width_overruns", "odd width", "POS-11", common,
       "The cosine of the last pair of an odd width is written beyond the row.", sinusoidal, floats,
       altered([](Coder& subject) {
         accepts_odd(subject);
         subject.columns = [](const Request& request) { return (request.d + 1) / 2 * 2; };
       })},

      {"code_columns_beyond_1024", "width", "POS-2", rare, "Columns beyond 1024 are left as they were.",
       sinusoidal, floats, altered([](Coder& subject) {
         subject.columns = [](const Request& request) { return std::min<std::int64_t>(request.d, 1024); };
       })},
      {"code_columns_beyond_lanes", "width", "POS-2", common,
       "Columns beyond a multiple of 8 are left as they were.", sinusoidal, floats,
       altered([](Coder& subject) {
         subject.columns = [](const Request& request) {
           return request.d < 8 ? request.d : request.d / 8 * 8;
         };
       })},
  };
}

}  // namespace etalon::coding
