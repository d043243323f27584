// The reference as a subject, with something done to its outputs after every call: as accurate as can be
// but for that.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "properties/runner.hpp"

namespace etalon {

class AfterCall final : public Subject {
 public:
  using Deed = std::function<void(const Call&)>;
  explicit AfterCall(Deed deed) : subject_(reference_subject()()), deed_(std::move(deed)) {}

  const std::string& name() const override { return subject_->name(); }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return subject_->model(operation, dtype);
  }
  Status run(const Call& call) override {
    const Status status = subject_->run(call);
    if (status == Status::ok) deed_(call);
    return status;
  }
  std::string last_error() const override { return subject_->last_error(); }

 private:
  std::unique_ptr<Subject> subject_;
  Deed deed_;
};

inline std::function<std::unique_ptr<Subject>()> after_call(const AfterCall::Deed& deed) {
  return [deed] { return std::make_unique<AfterCall>(deed); };
}

// Moves an element of a matrix by so many units in its last place, away from zero.
inline void nudge(const View& view, std::int64_t i, std::int64_t j, std::uint64_t ulps) {
  std::byte* at = element(view, i, j);
  store_bits(at, load_bits(at, size_of(view.dtype)) + ulps, size_of(view.dtype));
}

}  // namespace etalon
