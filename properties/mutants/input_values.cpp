// Input: the arithmetic of one element, special values, sizes, and traces of other rows and calls.
#include <algorithm>
#include <cmath>

#include "properties/mutants/input_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

using Sum = double (*)(Dtype, double c, double x, double p);
std::function<void(PlainSubject&)> summed_by(Sum sum) {
  return [sum](PlainSubject& subject) { subject.scaled_sum = sum; };
}
double honest(Dtype dtype, double c, double x, double p) { return PlainSubject::honest_sum(dtype, c, x, p); }

Head head(std::string_view name, std::string_view kind, std::string_view clause, Frequency met,
          std::string_view does) {
  return {name, kind, clause, met, does, {"combine"}};
}

std::vector<Mutant> special_mutants() {
  constexpr std::string_view kind = "special values";
  return {
      mutant_of(head("nan_of_x_dropped", kind, "INP-1", Frequency::common, "takes NaN in X for 0"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  return honest(dtype, c, std::isnan(x) ? 0 : x, p);
                })),
      mutant_of(head("nan_of_p_dropped", kind, "INP-4", Frequency::occasional, "takes NaN in P for 0"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  return honest(dtype, c, x, std::isnan(p) ? 0 : p);
                })),
      mutant_of(head("infinity_clipped", kind, "NUM-6", Frequency::occasional,
                     "clips results to the largest finite number"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  const double z = honest(dtype, c, x, p);
                  const double most = format_of(dtype).largest_finite();
                  return std::isnan(z) ? z : std::clamp(z, -most, most);
                })),
      mutant_of(head("zero_skips_product", kind, "NUM-6", Frequency::occasional,
                     "skips the product where c = 0, so that 0 Inf is 0"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  return c == 0 ? p : honest(dtype, c, x, p);
                })),
      mutant_of(head("zero_position_skipped", kind, "NUM-6", Frequency::rare, "takes Inf - Inf for 0"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  return std::isinf(c * x) && std::isinf(p) ? 0 : honest(dtype, c, x, p);
                })),
      mutant_of(head("sum_flushes", kind, "INP-4", Frequency::common,
                     "flushes subnormal results and does not say so"),
                summed_by([](Dtype dtype, double c, double x, double p) {
                  const double z = honest(dtype, c, x, p);
                  return std::fabs(z) < format_of(dtype).smallest_normal() ? 0 : z;
                })),
  };
}

// An operand, or what was computed so far, in fewer bits.
template <Dtype narrow>
double narrow_x(Dtype dtype, double c, double x, double p) {
  return honest(dtype, c, rounded_to(narrow, x), p);
}
template <Dtype narrow>
double narrow_p(Dtype dtype, double c, double x, double p) {
  return honest(dtype, c, x, rounded_to(narrow, p));
}
template <Dtype narrow>
double narrow_product(Dtype dtype, double c, double x, double p) {
  return honest(dtype, 1, rounded_to(narrow, honest(dtype, c, x, 0)), p);
}

// c x + p towards zero, from more bits than any format has.
double truncated(Dtype dtype, double c, double x, double p) {
  const long double z = static_cast<long double>(c) * x + p;
  const double near = rounded_to(dtype, static_cast<double>(z));
  if (!(std::fabs(static_cast<long double>(near)) > std::fabs(z)) || std::isinf(z)) return near;
  return decode(format_of(dtype), encode(format_of(dtype), near) - 1);
}

std::vector<Mutant> narrow_mutants() {
  constexpr std::string_view operand = "narrow operand";
  constexpr std::string_view sum = "narrow accumulator";
  const std::vector<Dtype> not_bf16 = {Dtype::f64, Dtype::f32, Dtype::f16};
  const std::vector<Dtype> not_f16 = {Dtype::f64, Dtype::f32, Dtype::bf16};
  const auto narrow = [](Head made, std::vector<Dtype> dtypes, std::vector<Equivalence> same) {
    made.dtypes = std::move(dtypes);
    made.equivalent = std::move(same);
    return made;
  };
  return {
      mutant_of(narrow(head("x_in_bf16", operand, "INP-4", Frequency::common, "rounds X to bf16"), not_bf16,
                       {{Dtype::bf16, "X is in bf16 already"}}),
                summed_by(narrow_x<Dtype::bf16>)),
      mutant_of(narrow(head("x_in_f16", operand, "INP-4", Frequency::common, "rounds X to f16"), not_f16,
                       {{Dtype::f16, "X is in f16 already"}}),
                summed_by(narrow_x<Dtype::f16>)),
      mutant_of(narrow(head("p_in_bf16", operand, "INP-4", Frequency::common, "rounds P to bf16"), not_bf16,
                       {{Dtype::bf16, "P is in bf16 already"}}),
                summed_by(narrow_p<Dtype::bf16>)),
      mutant_of(narrow(head("p_in_f16", operand, "INP-4", Frequency::common, "rounds P to f16"), not_f16,
                       {{Dtype::f16, "P is in f16 already"}}),
                summed_by(narrow_p<Dtype::f16>)),
      mutant_of(
          narrow(head("sum_in_f32", sum, "INP-1", Frequency::common, "computes f64 in f32"), {Dtype::f64},
                 {{Dtype::f32, "f32 is the declared accumulator"},
                  {Dtype::bf16, "f32 is the declared accumulator"},
                  {Dtype::f16, "f32 is the declared accumulator"}}),
          summed_by([](Dtype, double c, double x, double p) { return honest(Dtype::f32, c, x, p); })),
      mutant_of(head("product_in_bf16", sum, "INP-1", Frequency::common, "rounds c x to bf16 before it adds"),
                summed_by(narrow_product<Dtype::bf16>)),
      mutant_of(
          head("product_in_f16", sum, "INP-1", Frequency::occasional, "rounds c x to f16 before it adds"),
          summed_by(narrow_product<Dtype::f16>)),
      mutant_of(head("sum_truncated", sum, "INP-1", Frequency::occasional,
                     "cuts results off instead of rounding them, and does not say so"),
                summed_by(truncated)),
  };
}

// One element of many off by some units in the last place.
Fault off_by(std::int64_t ulps, std::int64_t least, bool in_the_middle) {
  return [=](Subject& subject, const Call& call) {
    const Status status = subject.run(call);
    const View& out = call.tensor("out");
    if (status != Status::ok || out.shape.elements() < least) return status;
    std::array<std::int64_t, 3> at{};
    for (int axis = 0; axis < out.shape.rank; ++axis) {
      at[static_cast<std::size_t>(axis)] = in_the_middle ? out.shape[axis] / 2 : out.shape[axis] - 1;
    }
    const std::uint64_t bits = load(out, at[0], at[1], at[2]);
    if (std::isfinite(decode(format_of(out.dtype), bits)))
      put(out, bits + static_cast<std::uint64_t>(ulps), at[0], at[1], at[2]);
    return status;
  };
}

std::vector<Mutant> element_mutants() {
  constexpr std::string_view single = "single element";
  constexpr std::string_view width = "width";
  return {
      mutant(head("last_element_off", single, "INP-1", Frequency::rare,
                  "is 4 ulp off in the last element of 20 or more"),
             off_by(4, 20, false)),
      mutant(head("middle_element_off", single, "INP-1", Frequency::rare,
                  "is 4 ulp off in one element of 16000 or more"),
             off_by(4, 16000, true)),
      mutant_of(head("combine_tail_of_8", width, "INP-1", Frequency::common,
                     "leaves columns beyond a multiple of 8"),
                [](PlainSubject& subject) {
                  subject.writes = [](std::int64_t column, std::int64_t n) { return column < n / 8 * 8; };
                }),
      mutant_of(
          head("combine_beyond_512", width, "INP-2", Frequency::occasional, "leaves columns from 512 on"),
          [](PlainSubject& subject) {
            subject.writes = [](std::int64_t column, std::int64_t) { return column < 512; };
          }),
  };
}

}  // namespace

std::vector<Mutant> input_value_mutants() {
  return joined({special_mutants, narrow_mutants, element_mutants});
}

}  // namespace etalon
