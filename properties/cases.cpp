#include "properties/cases.hpp"

#include <cmath>

namespace etalon {

Parameter layout_parameter(std::string_view name) {
  return Parameter::choice(name, {"dense", "padded", "transposed", "reversed", "unaligned"});
}

Layout layout_of(const Trial& trial, std::string_view parameter) {
  return static_cast<Layout>(trial[parameter]);
}

Parameter id_type_parameter() { return Parameter::choice("id_type", {"i32", "i64"}); }

Dtype id_type_of(const Trial& trial) { return trial["id_type"] == 0 ? Dtype::i32 : Dtype::i64; }

Tensor ids_laid_out(const Trial& trial, std::string_view label, std::int64_t count, std::int64_t rows,
                    Layout layout) {
  Tensor ids(id_type_of(trial), {count}, layout);
  Stream words = trial.stream(label);
  fill_ids(ids, rows, words);
  return ids;
}

bool holds(const Format& wide, const Format& narrow) {
  return wide.precision >= narrow.precision && wide.emax >= narrow.emax &&
         wide.emin - wide.precision <= narrow.emin - narrow.precision;
}

bool keeps_values(const Model& model, Dtype dtype) {
  const Format& format = format_of(dtype);
  return holds(format_of(model.accumulator), format) && holds(format_of(model.product_input), format) &&
         holds(format_of(model.storage), format);
}

std::uint64_t or_flushed(const Model& model, const Format& format, std::uint64_t exact, std::uint64_t got) {
  const bool tiny = std::fabs(decode(format, exact)) < format.smallest_normal();  // false for NaN
  return model.flushes_subnormals && tiny && decode(format, got) == 0 ? got : exact;
}

bool call_views(Trial& trial, const Call& call) {
  if (trial.settled()) return false;
  const Status status = trial.subject().run(call);
  if (status == Status::ok) return true;
  const std::string words = trial.subject().last_error();
  const std::string reason = std::string(call.operation) + " answered " + std::string(name_of(status)) +
                             (words.empty() ? "" : ": " + words);
  if (status == Status::unsupported) {
    trial.settle(Verdict::unsupported, reason);
  } else {
    trial.expect(false, reason);
  }
  return false;
}

}  // namespace etalon
