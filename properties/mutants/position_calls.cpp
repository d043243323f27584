// The formula of POS-2 in most entries: special values, state, single elements, and what calls are refused.
#include <map>

#include "properties/mutants/after_call.hpp"
#include "properties/mutants/position_parts.hpp"

namespace etalon::coding {
namespace {

using enum Frequency;

double negative_zero(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return value == 0 ? -0.0 : value;
}

// cos 0 = 1 kept just below 1, so that no entry reaches it.
double below_one(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const Format& format = format_of(request.dtype);
  return std::min(double_entry(request, position, r, is_cosine), 1 - format.unit_roundoff());
}

double nan_beyond(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return position >= 65536 ? std::nan("") : double_entry(request, position, r, is_cosine);
}

double flushed(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return std::fabs(value) < format_of(request.dtype).smallest_normal() ? 0 : value;
}

// Cosines near 1 are given as 1.
double flat_top(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return is_cosine && value > 1 - 4e-5 ? 1 : value;
}

// The last bits depend on how many rows are asked for, as where short tables take another path.
double by_length(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const double value = double_entry(request, position, r, is_cosine);
  return request.n > 4 ? value * (1 + 2 * format_of(request.dtype).unit_roundoff()) : value;
}

// A buffer of the call before is swapped in every other time: the first entry is off by an ulp then.
std::unique_ptr<Subject> alternating() {
  return std::make_unique<AfterCall>([calls = 0](const Call& call) mutable {
    if (call.operation != "sinusoidal" || ++calls % 2 != 0) return;
    const View& out = call.tensor("out");
    if (out.shape.elements() > 0) nudge(out, 0, 0, 1);
  });
}

// Frequencies are kept for a width when it is first seen, and never for another base.
void keeps_frequencies(Coder& subject) {
  subject.entry = [bases = std::make_shared<std::map<std::int64_t, double>>()](
                      const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
    Request kept = request;
    kept.base = bases->try_emplace(request.d, request.base).first->second;
    return double_entry(kept, position, r, is_cosine);
  };
}

// A table is kept from the longest call of a width, and shorter calls get its first rows.
void keeps_table(Coder& subject) {
  struct Kept {
    double first, base;
    std::int64_t n;
  };
  subject.position = [tables = std::make_shared<std::map<std::int64_t, Kept>>()](const Request& request,
                                                                                 std::int64_t i) {
    Kept& kept = tables->try_emplace(request.d, Kept{request.first, request.base, request.n}).first->second;
    if (request.n > kept.n || request.base != kept.base) kept = {request.first, request.base, request.n};
    return static_cast<std::int64_t>(kept.first) + i;
  };
}

// A generator that goes on counting where the call before it ended, when that was a call of one row.
void goes_on(Coder& subject) {
  subject.position = [next = std::make_shared<std::int64_t>(0)](const Request& request, std::int64_t i) {
    if (request.n > 1 || request.first == 0) *next = static_cast<std::int64_t>(request.first) + i;
    return (*next)++;
  };
}

// One entry, given by position and pair, is off by two units in the last place.
Make one_off(std::int64_t position, std::int64_t pair) {
  return after_call([=](const Call& call) {
    const View& out = call.tensor("out");
    const double row = static_cast<double>(position) - call.attribute("first");
    if (row < 0 || row >= static_cast<double>(out.shape[0]) || 2 * pair + 1 >= out.shape[1]) return;
    const std::int64_t column = call.attribute("layout") == 1 ? out.shape[1] / 2 + pair : 2 * pair + 1;
    nudge(out, static_cast<std::int64_t>(row), column, 2);
  });
}

// The last entry of every table of at least so many.
Make last_off(std::int64_t at_least) {
  return after_call([=](const Call& call) {
    const View& out = call.tensor("out");
    if (out.shape.elements() >= at_least) nudge(out, out.shape[0] - 1, out.shape[1] - 1, 2);
  });
}

template <bool (*tolerates)(const Request&)>
void accepts(Coder& subject) {
  subject.refuses = [](const Request& request) { return refuses_honestly(request) && !tolerates(request); };
}
template <bool (*dislikes)(const Request&)>
void refuses(Coder& subject) {
  subject.refuses = [](const Request& request) { return refuses_honestly(request) || dislikes(request); };
}

bool even(const Request& request) { return request.d >= 2 && request.d % 2 == 0; }
bool negative_first(const Request& request) { return even(request) && request.first < 0; }
bool any_base(const Request& request) { return even(request) && !(request.base > 1); }
bool infinite_base(const Request& request) { return even(request) && std::isinf(request.base); }
bool any_layout(const Request& request) { return even(request) && request.base > 1; }
bool all_but_width_zero(const Request& request) { return request.d != 0 && refuses_honestly(request); }
bool no_rows(const Request& request) { return request.n == 0; }
bool beyond_4096(const Request& request) { return request.first + static_cast<double>(request.n) > 4096; }
bool no_power_of_two(const Request& request) { return (request.d & (request.d - 1)) != 0; }

}  // namespace

std::vector<Mutant> call_mutants() {
  const std::vector<std::string_view> sinusoidal = {"sinusoidal"};
  const std::vector<Dtype> floats = float_dtypes();
  return {
      {"code_negative_zero", "special values", "POS-3", rare, "Sines of 0 are -0.", sinusoidal, floats,
       coder(negative_zero)},
      {"code_below_one", "special values", "POS-3", rare, "No entry reaches 1, cos 0 included.", sinusoidal,
       floats, coder(below_one)},
      {"code_nan_far_out", "special values", "POS-2", occasional, "Positions from 65536 on give NaN.",
       sinusoidal, floats, coder(nan_beyond)},
      {"code_subnormals_flushed",
       "special values",
       "POS-2",
       occasional,
       "Subnormal entries are 0, and no flush is declared.",
       sinusoidal,
       {Dtype::f16},
       coder(flushed),
       {{Dtype::f64, "no frequency of a base below 1e307 is subnormal"},
        {Dtype::f32, "no frequency of a base below 1e37 is subnormal"},
        {Dtype::bf16, "no frequency of a base below 1e37 is subnormal"}}},
      {"code_flat_top",
       "special values",
       "POS-12",
       rare,
       "Cosines above 1 - 4e-5 are 1.",
       sinusoidal,
       {Dtype::f64, Dtype::f32},
       coder(flat_top),
       {{Dtype::bf16, "1 is the bf16 value nearest to such a cosine"},
        {Dtype::f16, "1 is the fp16 value nearest to such a cosine"}}},

      {"code_by_length", "shared state", "POS-10", occasional,
       "Tables of more than four rows take another path.", sinusoidal, floats, coder(by_length)},
      {"code_frequencies_kept", "shared state", "POS-2", common,
       "Frequencies are kept by width: another base gets those of the first.", sinusoidal, floats,
       altered(keeps_frequencies)},
      {"code_table_kept", "shared state", "POS-10", common,
       "The longest table of a width is kept, and a shorter call gets its first rows.", sinusoidal, floats,
       altered(keeps_table)},
      {"code_goes_on", "shared state", "POS-10", occasional,
       "A call of one row continues the call before it instead of starting at `first`.", sinusoidal, floats,
       altered(goes_on)},

      {"code_one_of_512_rows", "single element", "POS-2", rare,
       "The cosine of pair 77 of position 300 is two ulp off.", sinusoidal, floats, one_off(300, 77)},
      {"code_one_far_row", "single element", "POS-2", rare,
       "The cosine of pair 5 of position 1049000 is two ulp off.", sinusoidal, floats, one_off(1049000, 5)},
      {"code_one_last_row", "single element", "POS-2", rare,
       "The cosine of pair 31 of position 8190 is two ulp off.", sinusoidal, floats, one_off(8190, 31)},
      {"code_last_entry", "single element", "POS-2", rare,
       "The last entry of a table of at least 64 is two ulp off.", sinusoidal, floats, last_off(64)},

      {"code_modulo_8", "wrong row", "POS-9", rare, "Positions are taken modulo 8.", sinusoidal, floats,
       altered([](Coder& subject) {
         subject.position = [](const Request& request, std::int64_t i) {
           return (static_cast<std::int64_t>(request.first) + i) % 8;
         };
       })},
      {"code_last_row_repeated", "wrong row", "POS-9", occasional,
       "Positions beyond 1023 get the row of 1023.", sinusoidal, floats, altered([](Coder& subject) {
         subject.position = [](const Request& request, std::int64_t i) {
           return std::min<std::int64_t>(1023, static_cast<std::int64_t>(request.first) + i);
         };
       })},

      {"code_negative_first_accepted", "contract", "POS-11", common, "Negative positions get rows.",
       sinusoidal, floats, altered(accepts<negative_first>)},
      {"code_any_base_accepted", "contract", "POS-11", common, "Bases of at most 1 and NaN are accepted.",
       sinusoidal, floats, altered(accepts<any_base>)},
      {"code_infinite_base_accepted", "contract", "POS-11", occasional, "An infinite base is accepted.",
       sinusoidal, floats, altered(accepts<infinite_base>)},
      {"code_any_layout_accepted", "contract", "POS-11", common, "Unknown layouts are taken for interleaved.",
       sinusoidal, floats, altered(accepts<any_layout>)},
      {"code_written_then_refused", "contract", "POS-11", occasional,
       "A bad call is answered after it was carried out.", sinusoidal, floats,
       altered([](Coder& subject) { subject.writes_before_refusing = true; })},
      {"code_alternates", "shared state", "POS-10", rare, "Every other call has another first entry.",
       sinusoidal, floats, alternating},
      {"code_width_zero_accepted", "contract", "POS-11", rare, "A table without columns is no error.",
       sinusoidal, floats, altered([](Coder& subject) { subject.refuses = all_but_width_zero; })},
      {"code_no_rows_refused", "contract", "POS-11", common, "A table without rows is refused.", sinusoidal,
       floats, altered(refuses<no_rows>)},
      {"code_far_rows_refused", "contract", "POS-10", common, "Positions beyond 4095 are refused.",
       sinusoidal, floats, altered(refuses<beyond_4096>)},
      {"code_width_6_refused", "contract", "POS-12", rare, "Widths that are no power of two are refused.",
       sinusoidal, floats, altered(refuses<no_power_of_two>)},
  };
}

}  // namespace etalon::coding
