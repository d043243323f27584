// Input: c X + P with the factor, the positions or the arithmetic wrong.
#include <cmath>

#include "properties/mutants/input_parts.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon {
namespace {

using namespace plain;

std::int64_t width_of(const Call& call) {
  const Shape& shape = call.tensor("x").shape;
  return shape[shape.rank - 1];
}

// The honest sum with another number for c.
Fault scale_changed(double (*change)(const Call&, double c)) {
  return [change](Subject& honest, const Call& call) {
    return honest.run(with_scale(call, change(call, scale_of(call, width_of(call)))));
  };
}

Head scale_head(std::string_view name, std::string_view clause, Frequency met, std::string_view does) {
  return {name, "scale", clause, met, does, {"combine"}};
}

std::vector<Mutant> scale_mutants() {
  return {
      mutant(scale_head("scale_missing", "INP-2", Frequency::common, "forgets c"),
             scale_changed([](const Call&, double) { return 1.0; })),
      mutant(scale_head("scale_inverted", "INP-2", Frequency::common, "divides by c"),
             scale_changed([](const Call&, double c) { return 1 / c; })),
      mutant(scale_head("scale_twice", "INP-2", Frequency::common, "multiplies by c in two places"),
             scale_changed([](const Call&, double c) { return c * c; })),
      mutant(scale_head("scale_d", "INP-2", Frequency::common, "takes d for its root"),
             scale_changed([](const Call& call, double c) {
               return call.attribute("scale") == 1 ? static_cast<double>(width_of(call)) : c;
             })),
      mutant(
          scale_head("scale_root_always", "INP-2", Frequency::common, "takes sqrt(d) whatever was declared"),
          scale_changed(
              [](const Call& call, double) { return std::sqrt(static_cast<double>(width_of(call))); })),
      mutant(scale_head("scale_root_of_n", "INP-2", Frequency::rare, "takes the root of the length"),
             scale_changed([](const Call& call, double c) {
               const Shape& shape = call.tensor("x").shape;
               return call.attribute("scale") == 1 ? std::sqrt(static_cast<double>(shape[shape.rank - 2]))
                                                   : c;
             })),
      mutant(
          scale_head("scale_value_ignored", "INP-2", Frequency::occasional, "knows c = 1 and sqrt(d) only"),
          scale_changed([](const Call& call, double c) { return call.attribute("scale") == 2 ? 1.0 : c; })),
      mutant(scale_head("scale_value_integer", "INP-2", Frequency::rare,
                        "keeps the declared number as an integer"),
             scale_changed([](const Call& call, double c) {
               return call.attribute("scale") == 2 ? std::trunc(c) : c;
             })),
      mutant(scale_head("scale_value_positive", "INP-2", Frequency::rare,
                        "loses the sign of the declared number"),
             scale_changed([](const Call&, double c) { return std::fabs(c); })),
      mutant_of(scale_head("scale_on_position", "INP-4", Frequency::common, "multiplies P as well"),
                [](PlainSubject& subject) {
                  subject.scaled_sum = [](Dtype dtype, double c, double x, double p) {
                    return PlainSubject::honest_sum(
                        dtype, c, x, rounded_to(dtype == Dtype::f64 ? dtype : Dtype::f32, c * p));
                  };
                }),
      mutant_of(scale_head("scale_on_position_alone", "INP-4", Frequency::rare, "multiplies P and leaves X"),
                [](PlainSubject& subject) {
                  subject.scaled_sum = [](Dtype dtype, double c, double x, double p) {
                    return PlainSubject::honest_sum(dtype, c, p, x);
                  };
                }),
  };
}

// c rounded to another format.
template <Dtype narrow>
double rounded(const Call&, double c) {
  return rounded_to(narrow, c);
}

// A reciprocal root from a table of 12 bits, as some instructions give it, without the Newton step.
double estimated(const Call& call, double c) {
  if (call.attribute("scale") != 1) return c;
  const double reciprocal = std::ldexp(std::round(std::ldexp(1 / c, 12)), -12);
  return reciprocal == 0 ? c : 1 / reciprocal;
}

std::vector<Mutant> rounded_scale_mutants() {
  const auto head = [](std::string_view name, Frequency met, std::string_view does, std::vector<Dtype> dtypes,
                       std::vector<Equivalence> same = {}) {
    return Head{name, "scale rounded", "INP-4", met, does, {"combine"}, std::move(dtypes), std::move(same)};
  };
  return {
      mutant(head("scale_bf16", Frequency::common, "rounds c to bf16", floats()),
             scale_changed(rounded<Dtype::bf16>)),
      mutant(head("scale_f16", Frequency::common, "rounds c to f16", floats()),
             scale_changed(rounded<Dtype::f16>)),
      mutant(head("scale_f32", Frequency::common, "rounds c to f32", {Dtype::f64},
                  {{Dtype::f32, "the declared accumulator is f32: one rounding of c is its right"},
                   {Dtype::bf16, "the declared accumulator is f32: one rounding of c is its right"},
                   {Dtype::f16, "the declared accumulator is f32: one rounding of c is its right"}}),
             scale_changed(rounded<Dtype::f32>)),
      mutant(
          head("scale_estimated", Frequency::occasional, "takes the root from a table of 12 bits", floats()),
          scale_changed(estimated)),
      mutant(head("scale_whole", Frequency::rare, "takes the root of d as an integer", floats()),
             scale_changed([](const Call& call, double c) {
               return call.attribute("scale") == 1 ? std::floor(c) : c;
             })),
  };
}

// P with its rows chosen otherwise: row(b, i, n).
Fault positions_changed(std::int64_t (*row)(std::int64_t b, std::int64_t i, std::int64_t n)) {
  return [row](Subject& honest, const Call& call) {
    const View& x = call.tensor("x");
    const View& p = call.tensor("p");
    const bool batched = x.shape.rank == 3;
    for (std::int64_t b = 0; b < (batched ? x.shape[0] : 1); ++b) {
      Tensor chosen(p.dtype, p.shape);
      for_each(p, [&](std::int64_t i, std::int64_t j, std::int64_t) {
        put(chosen.view(), load(p, row(b, i, p.shape[0]), j), i, j);
      });
      const auto member = [&](View view) {
        if (!batched) return view;
        view.data = element(view, b);
        view.shape.extent[0] = 1;
        return view;
      };
      Call one = with_tensor(call, "p", chosen.view());
      one = with_tensor(with_tensor(one, "x", member(x)), "out", member(call.tensor("out")));
      if (const Status status = honest.run(one); status != Status::ok) return status;
    }
    return call.tensor("out").shape == x.shape ? Status::ok : Status::invalid_argument;
  };
}

// Rows of X that are zero count as padding: the positions go on counting behind them.
Status without_padding(Subject& honest, const Call& call) {
  const View& x = call.tensor("x");
  const View& p = call.tensor("p");
  if (x.shape.rank != 2 || p.shape != x.shape) return honest.run(call);
  Tensor chosen(p.dtype, p.shape);
  std::int64_t next = 0;
  for (std::int64_t i = 0; i < x.shape[0]; ++i) {
    bool padding = true;
    for (std::int64_t j = 0; j < x.shape[1]; ++j) padding = padding && get(x, i, j) == 0;
    for (std::int64_t j = 0; j < x.shape[1]; ++j) put(chosen.view(), load(p, next, j), i, j);
    next += padding ? 0 : 1;
  }
  return honest.run(with_tensor(call, "p", chosen.view()));
}

std::vector<Mutant> position_row_mutants() {
  constexpr std::string_view broadcast = "broadcast";
  constexpr std::string_view offset = "position offset";
  return {
      mutant({"position_by_batch", broadcast, "INP-6", Frequency::common, "adds row b of P", {"combine"}},
             positions_changed([](auto b, auto, auto n) { return b % n; })),
      mutant({"position_moves_with_batch",
              broadcast,
              "INP-6",
              Frequency::occasional,
              "goes on counting positions in the next member of the batch",
              {"combine"}},
             positions_changed([](auto b, auto i, auto n) { return (i + b) % n; })),
      mutant({"first_position_for_all",
              broadcast,
              "INP-6",
              Frequency::common,
              "adds the first row of P everywhere",
              {"combine"}},
             positions_changed([](auto, auto, auto) { return std::int64_t{0}; })),
      mutant({"batch_ignored",
              broadcast,
              "INP-6",
              Frequency::occasional,
              "shows the first member of the batch for all",
              {"combine"}},
             [](Subject& honest, const Call& call) {
               View x = call.tensor("x");
               if (x.shape.rank == 3) x.stride[0] = 0;
               return honest.run(with_tensor(call, "x", x));
             }),
      mutant({"position_next",
              offset,
              "INP-3",
              Frequency::common,
              "adds the next position's row, and the first to the last",
              {"combine"}},
             positions_changed([](auto, auto i, auto n) { return (i + 1) % n; })),
      mutant({"position_previous",
              offset,
              "INP-4",
              Frequency::common,
              "gives the first two tokens one position, and counts on from there",
              {"combine"}},
             positions_changed([](auto, auto i, auto) { return i > 0 ? i - 1 : i; })),
      mutant({"positions_from_the_end",
              offset,
              "INP-3",
              Frequency::occasional,
              "counts positions from the last token, as padding on the left asks for",
              {"combine"}},
             positions_changed([](auto, auto i, auto n) { return n - 1 - i; })),
      mutant({"padding_not_counted",
              offset,
              "INP-4",
              Frequency::occasional,
              "takes zero rows for padding that has no position",
              {"combine"}},
             without_padding),
  };
}

}  // namespace

std::vector<Mutant> input_mutants() {
  return joined(
      {scale_mutants, rounded_scale_mutants, position_row_mutants, input_value_mutants, input_call_mutants});
}

}  // namespace etalon
