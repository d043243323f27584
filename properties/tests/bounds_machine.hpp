// NUM-3: a machine of any formats, that does what a model allows: it rounds to nearest or cuts, converts,
// narrows, stores and flushes where it may, each time as a coin falls.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "properties/bounds/arithmetic.hpp"
#include "properties/tests/bounds_support.hpp"

namespace etalon::tests {

class Machine {
 public:
  Machine(const Model& model, const bounds::Formats& formats, const Format& out, std::mt19937_64& random)
      : model_(model), formats_(formats), out_(out), random_(random) {}

  bool coin() { return random_() % 2 == 0; }

  // An element of a tensor on its way into an operation; into a product, it is narrowed.
  double operand(double x) {
    x = flushed(out_, x);
    return coin() ? rounded(formats_.accumulator, x) : x;
  }
  double narrowed(double x) { return coin() ? rounded(formats_.product_input, x) : x; }
  double constant(double x) { return rounded(formats_.accumulator, x); }
  double stored(double x) { return coin() ? rounded(formats_.storage, x) : x; }

  double add(double x, double y) { return result(arithmetic().add(x, y)); }
  double multiply(double x, double y) { return result(arithmetic().multiply(x, y)); }
  double fused(double x, double y, double z) {
    const bool finite = std::isfinite(x) && std::isfinite(y) && std::isfinite(z);
    return result(finite ? arithmetic().fma(x, y, z) : x * y + z);
  }
  double output(double x) { return rounded(out_, x); }

 private:
  bool cuts() { return model_.rounding == Rounding::faithful && coin(); }
  Arithmetic arithmetic() { return Arithmetic(formats_.accumulator, cuts()); }
  double result(double x) { return stored(flushed(formats_.accumulator, x)); }
  double rounded(const Format& format, double x) {
    return flushed(format, Arithmetic(format, cuts()).round(x));
  }
  double flushed(const Format& format, double x) {
    const bool flushes = model_.flushes_subnormals && std::fabs(x) < format.smallest_normal();
    return flushes && coin() ? 0 : x;
  }

  const Model& model_;
  const bounds::Formats& formats_;
  const Format& out_;
  std::mt19937_64& random_;
};

// Formats of a few bits, two of a wide range and three of a narrow one.
inline const std::vector<Format>& low_formats() {
  static const std::vector<Format> formats = {{"wide4", 4, -6, 7, 8},
                                              {"wide3", 3, -6, 7, 7},
                                              {"low5", 5, -2, 3, 8},
                                              {"low4", 4, -2, 3, 7},
                                              {"low3", 3, -2, 3, 6}};
  return formats;
}

// Calls what(model, formats, out, random) for every choice of formats, rounding and flushing.
template <typename What>
void for_every_machine(const What& what) {
  std::mt19937_64 random(17);
  for (const Format& out : low_formats()) {
    for (const Format& accumulator : low_formats()) {
      for (const Format& product_input : low_formats()) {
        for (const Format& storage : low_formats()) {
          for (int kind = 0; kind < 4; ++kind) {
            Model model;
            model.rounding = kind % 2 == 0 ? Rounding::nearest : Rounding::faithful;
            model.flushes_subnormals = kind / 2 == 1;
            if (::testing::Test::HasFatalFailure()) return;
            what(model, bounds::Formats{accumulator, product_input, storage}, out, random);
          }
        }
      }
    }
  }
}

inline std::string name_of(const Model& model, const bounds::Formats& formats, const Format& out) {
  const std::string rounding = model.rounding == Rounding::nearest ? " nearest" : " faithful";
  return std::string(out.name) + " data, " + std::string(formats.accumulator.name) + " accumulator, " +
         std::string(formats.product_input.name) + " operands, " + std::string(formats.storage.name) +
         " storage," + rounding + (model.flushes_subnormals ? " flushing" : "");
}

}  // namespace etalon::tests
