// Learned tables: rows, ends and bits.
#include "properties/mutants/position_parts.hpp"

namespace etalon::coding {
namespace {

using enum Frequency;

void accepts_all(Coder& subject) {
  subject.refuses_lookup = [](const Lookup&) { return false; };
}

void wraps(Coder& subject) {
  accepts_all(subject);
  subject.row = [](const Lookup& lookup, std::int64_t i) {
    const double rows = static_cast<double>(lookup.rows);
    const double wanted = std::fmod(lookup.first + static_cast<double>(i), rows);
    return static_cast<std::int64_t>(wanted < 0 ? wanted + rows : wanted);
  };
}

// first + n and the rows are compared in 32 bits.
void compares_in_32_bits(Coder& subject) {
  const auto narrow = [](double first) {
    return static_cast<std::int32_t>(
        static_cast<std::uint32_t>(static_cast<std::uint64_t>(std::fabs(first))));
  };
  subject.refuses_lookup = [narrow](const Lookup& lookup) {
    return lookup.first < 0 || narrow(lookup.first) < 0 || narrow(lookup.first) + lookup.n > lookup.rows;
  };
  subject.row = [narrow](const Lookup& lookup, std::int64_t i) { return narrow(lookup.first) + i; };
}

template <typename Narrow>
void counts_in(Coder& subject) {
  subject.row = [](const Lookup& lookup, std::int64_t i) {
    return static_cast<std::int64_t>(static_cast<Narrow>(static_cast<std::int64_t>(lookup.first) + i));
  };
}

// The bits of a value that was a number on its way.
template <double (*passes)(const Format&, double)>
void copies(Coder& subject) {
  subject.copied = [](Dtype dtype, std::uint64_t bits) {
    return encode(format_of(dtype), passes(format_of(dtype), decode(format_of(dtype), bits)));
  };
}

double as_it_is(const Format&, double value) { return value; }
double flushed(const Format& format, double value) {
  return std::fabs(value) < format.smallest_normal() ? std::copysign(0.0, value) : value;
}
double through_f16(const Format&, double value) { return rounded_to(Dtype::f16, value); }

}  // namespace

std::vector<Mutant> learned_mutants() {
  const std::vector<std::string_view> learned = {"learned_positions"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"learned_next_row", "wrong row", "POS-1", occasional, "Every row is the one after it.", learned,
       floats, altered([](Coder& subject) {
         subject.row = [](const Lookup& lookup, std::int64_t i) {
           return static_cast<std::int64_t>(lookup.first) + i + 1;
         };
       })},
      {"learned_first_ignored", "origin", "POS-1", common, "Every lookup starts at row 0.", learned, floats,
       altered([](Coder& subject) { subject.row = [](const Lookup&, std::int64_t i) { return i; }; })},
      {"learned_clamped", "bad id", "POS-1", common, "Positions outside the table get its first or last row.",
       learned, floats, altered([](Coder& subject) {
         accepts_all(subject);
         subject.row = [](const Lookup& lookup, std::int64_t i) {
           return static_cast<std::int64_t>(
               std::clamp(lookup.first + static_cast<double>(i), 0.0, static_cast<double>(lookup.rows - 1)));
         };
       })},
      {"learned_wraps", "bad id", "POS-1", common, "Positions are taken modulo the rows of the table.",
       learned, floats, altered(wraps)},
      {"learned_negative_accepted", "bad id", "POS-1", common, "A negative start is not looked at.", learned,
       floats, altered([](Coder& subject) {
         subject.refuses_lookup = [](const Lookup& lookup) {
           return lookup.first >= 0 && refuses_lookup_honestly(lookup);
         };
       })},
      {"learned_end_in_32_bits", "offset width", "POS-1", common, "The start is cut to 32 bits: 2^32 is 0.",
       learned, floats, altered(compares_in_32_bits)},
      {"learned_row_8_bits", "id width", "POS-1", rare, "Rows are counted in 8 bits.", learned, floats,
       altered(counts_in<std::uint8_t>)},
      {"learned_row_16_bits", "id width", "POS-1", occasional, "Rows are counted in 16 bits.", learned,
       floats, altered(counts_in<std::uint16_t>)},
      {"learned_last_row_refused", "contract", "POS-1", common,
       "The last row of the table is taken to be outside.", learned, floats, altered([](Coder& subject) {
         subject.refuses_lookup = [](const Lookup& lookup) {
           return lookup.first < 0 ||
                  lookup.first + static_cast<double>(lookup.n) >= static_cast<double>(lookup.rows);
         };
       })},
      {"learned_no_rows_refused", "empty sizes", "POS-1", common, "A lookup of no rows is refused.", learned,
       floats, altered([](Coder& subject) {
         subject.refuses_lookup = [](const Lookup& lookup) {
           return lookup.n == 0 || refuses_lookup_honestly(lookup);
         };
       })},
      {"learned_nan_canonical", "inexact copy", "POS-1", occasional,
       "Entries are read as numbers: NaNs lose their payload.", learned, floats, altered(copies<as_it_is>)},
      {"learned_subnormals_flushed", "inexact copy", "POS-1", occasional, "Subnormal entries become zeros.",
       learned, floats, altered(copies<flushed>)},
      {"learned_through_f16", "inexact copy", "POS-1", common, "Entries pass through fp16.", learned, floats,
       altered(copies<through_f16>)},
  };
}

}  // namespace etalon::coding
