// A subject that makes position codes entry by entry, honestly or with one fault.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>

#include "properties/position_code.hpp"
#include "properties/runner.hpp"

namespace etalon::coding {

inline double rounded_to(Dtype dtype, double value) {
  return decode(format_of(dtype), encode(format_of(dtype), value));
}

struct Request {
  double first, base;
  bool halves;
  std::int64_t n, d;
  Dtype dtype;
  double layout = 0;
};

// Entry of the position's pair r: `is_cosine` picks the cosine. The value is rounded to the dtype after.
using Entry = std::function<double(const Request&, std::int64_t position, std::int64_t r, bool is_cosine)>;

inline double exponent_of(const Request& request, std::int64_t r) {
  return -2.0 * static_cast<double>(r) / static_cast<double>(request.d);
}

inline double wave(double angle, bool is_cosine) { return is_cosine ? std::cos(angle) : std::sin(angle); }

// The angle by the plain formula in binary64.
inline double double_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return wave(static_cast<double>(position) * std::pow(request.base, exponent_of(request, r)), is_cosine);
}

// The angle by the same formula in binary32: what a float program does.
inline double float_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  const float frequency = std::pow(static_cast<float>(request.base),
                                   -2.0F * static_cast<float>(r) / static_cast<float>(request.d));
  const float angle = static_cast<float>(position) * frequency;
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

// The arithmetic of the dtype's own accumulator.
inline double working_entry(const Request& request, std::int64_t position, std::int64_t r, bool is_cosine) {
  return (request.dtype == Dtype::f64 ? double_entry : float_entry)(request, position, r, is_cosine);
}

using Refusal = std::function<bool(const Request&)>;

inline bool refuses_honestly(const Request& request) {
  return request.d < 2 || request.d % 2 != 0 || !(request.first >= 0) || !(request.base > 1) ||
         !std::isfinite(request.base) || (request.layout != 0 && request.layout != 1);
}

// A call of `learned_positions`: n rows from `first` of a table of so many rows.
struct Lookup {
  double first;
  std::int64_t n, rows;
};

inline bool refuses_lookup_honestly(const Lookup& lookup) {
  return lookup.first < 0 || lookup.first + static_cast<double>(lookup.n) > static_cast<double>(lookup.rows);
}

class Coder final : public Subject {
 public:
  Coder(Angle angle, Entry made) : entry(std::move(made)) {
    for (const Dtype dtype : float_dtypes()) {
      Model& model = models_[static_cast<std::size_t>(dtype)];
      model = Model::common(dtype);
      model.angle = angle;
    }
  }

  Entry entry;
  Refusal refuses = refuses_honestly;
  bool writes_before_refusing = false;
  // Columns written of a row.
  std::function<std::int64_t(const Request&)> columns = [](const Request& request) { return request.d; };
  // Row i instead of the position first + i, for subjects that walk.
  std::function<std::int64_t(const Request&, std::int64_t i)> position =
      [](const Request& request, std::int64_t i) { return static_cast<std::int64_t>(request.first) + i; };

  std::function<bool(const Lookup&)> refuses_lookup = refuses_lookup_honestly;
  // The row of the learned table that is shown in row i.
  std::function<std::int64_t(const Lookup&, std::int64_t i)> row = [](const Lookup& lookup, std::int64_t i) {
    return static_cast<std::int64_t>(lookup.first) + i;
  };
  // What becomes of the bits of an entry of the learned table.
  std::function<std::uint64_t(Dtype, std::uint64_t)> copied = [](Dtype, std::uint64_t bits) { return bits; };

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const bool offered = (operation == "sinusoidal" || operation == "learned_positions") && is_float(dtype);
    return offered ? &models_[static_cast<std::size_t>(dtype)] : nullptr;
  }
  Status run(const Call& call) override {
    return call.operation == "sinusoidal" ? sinusoidal(call) : learned(call);
  }

 private:
  Status sinusoidal(const Call& call) const {
    const View& out = call.tensor("out");
    const double layout = call.attribute("layout");
    const Request request{call.attribute("first"),
                          call.attribute("base"),
                          layout == 1,
                          out.shape[0],
                          out.shape[1],
                          out.dtype,
                          layout};
    const bool refused = refuses(request);
    if (refused && !writes_before_refusing) return Status::invalid_argument;
    const Format& format = format_of(out.dtype);
    for (std::int64_t i = 0; i < request.n; ++i) {
      const std::int64_t pos = position(request, i);
      for (std::int64_t c = 0; c < columns(request); ++c) {
        const std::int64_t half = request.d / 2;
        const bool is_cosine = request.halves ? c >= half : c % 2 == 1;
        const std::int64_t r = request.halves ? (is_cosine ? c - half : c) : c / 2;
        store_bits(element(out, i, c), encode(format, entry(request, pos, r, is_cosine)), size_of(out.dtype));
      }
    }
    return refused ? Status::invalid_argument : Status::ok;
  }

  Status learned(const Call& call) const {
    const View& table = call.tensor("table");
    const View& out = call.tensor("out");
    const Lookup lookup{call.attribute("first"), out.shape[0], table.shape[0]};
    if (refuses_lookup(lookup)) return Status::invalid_argument;
    for (std::int64_t i = 0; i < out.shape[0]; ++i) {
      // A faulty subject must not leave the memory it was given.
      const std::int64_t from = std::clamp<std::int64_t>(row(lookup, i), 0, lookup.rows - 1);
      for (std::int64_t j = 0; j < out.shape[1]; ++j) {
        const std::uint64_t bits = load_bits(element(table, from, j), size_of(table.dtype));
        store_bits(element(out, i, j), copied(table.dtype, bits), size_of(out.dtype));
      }
    }
    return Status::ok;
  }

  std::string name_ = "coder";
  std::array<Model, 8> models_;
};

inline const Law& law_named(std::string_view name) {
  static const std::vector<Law> laws = position_laws();
  const auto found = std::find_if(laws.begin(), laws.end(), [&](const Law& law) { return law.name == name; });
  if (found == laws.end()) throw std::out_of_range(std::string(name));
  return *found;
}

inline LawResult run_standard(std::string_view law, Dtype dtype, Subject& subject) {
  return run_law(law_named(law), dtype, subject, {Level::standard, 0});
}

}  // namespace etalon::coding
