#include "properties/mutants/discrimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "properties/bounds/arithmetic.hpp"
#include "properties/runner.hpp"

namespace etalon {
namespace {

Dtype narrower(Dtype a, Dtype b) {
  if (!is_float(a) || !is_float(b)) return a;
  return bounds::contains(format_of(a), format_of(b)) ? b : a;
}

// A mutant that declares the looser of its own arithmetic and another subject's.
class Remodelled final : public Subject {
 public:
  Remodelled(Subject& mutant, const Subject& subject) : mutant_(mutant), subject_(subject) {}

  const std::string& name() const override { return mutant_.name(); }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const Model* own = mutant_.model(operation, dtype);
    const Model* others = subject_.model(operation, dtype);
    if (own == nullptr || others == nullptr) return own;
    return &models_.try_emplace({operation, dtype}, looser_of(*others, *own)).first->second;
  }
  Status run(const Call& call) override { return mutant_.run(call); }
  std::string last_error() const override { return mutant_.last_error(); }

 private:
  Subject& mutant_;
  const Subject& subject_;
  mutable std::map<std::pair<std::string_view, Dtype>, Model> models_;
};

bool offers_all(const Mutant& mutant, const Law& law, Dtype dtype) {
  const auto offered = [&](std::string_view operation) {
    return std::find(mutant.operations.begin(), mutant.operations.end(), operation) !=
           mutant.operations.end();
  };
  return std::find(mutant.dtypes.begin(), mutant.dtypes.end(), dtype) != mutant.dtypes.end() &&
         std::all_of(law.operations.begin(), law.operations.end(), offered);
}

bool refuted(const Outcome& outcome) { return outcome.verdict == Verdict::fail; }

}  // namespace

Model looser_of(const Model& a, const Model& b) {
  Model loose = a;
  loose.accumulator = narrower(a.accumulator, b.accumulator);
  loose.product_input = narrower(a.product_input, b.product_input);
  loose.storage = narrower(a.storage, b.storage);
  loose.rounding = std::max(a.rounding, b.rounding);
  loose.angle = std::min(a.angle, b.angle);
  loose.flushes_subnormals = a.flushes_subnormals || b.flushes_subnormals;
  loose.height = a.height == 0 || b.height == 0 ? 0 : std::max(a.height, b.height);
  loose.sine_ulp = std::max(a.sine_ulp, b.sine_ulp);
  loose.power_ulp = std::max(a.power_ulp, b.power_ulp);
  loose.lossless = a.lossless && b.lossless;
  loose.streaming = a.streaming && b.streaming;
  return loose;
}

std::vector<Discrimination::Candidate>& Discrimination::candidates(const Law& law, Dtype dtype) {
  const auto [place, is_new] = candidates_.try_emplace({&law, dtype});
  std::vector<Candidate>& found = place->second;
  if (!is_new) return found;
  for (const bool own : {true, false}) {
    for (const Mutant& mutant : all_mutants()) {
      if ((mutant.clause == law.clause) == own && offers_all(mutant, law, dtype))
        found.push_back({&mutant, nullptr});
    }
  }
  return found;
}

double Discrimination::ratio(const Case& test_case, const Subject& subject) {
  std::vector<Candidate>& all = candidates(*test_case.law, test_case.dtype);
  double best = all.empty() ? std::numeric_limits<double>::quiet_NaN() : 0;
  for (auto candidate = all.begin(); candidate != all.end(); ++candidate) {
    if (!candidate->subject) candidate->subject = candidate->mutant->make();
    Remodelled mutant(*candidate->subject, subject);
    const Outcome outcome = run_case(test_case, mutant);
    if (refuted(outcome)) {
      std::rotate(all.begin(), candidate, candidate + 1);
      return outcome.worst_margin;
    }
    best = std::fmax(best, std::fmin(outcome.worst_margin, 1));
  }
  return best;
}

}  // namespace etalon
