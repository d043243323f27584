#include "conformance/host/backend_subject.hpp"

#include <cstring>
#include <exception>
#include <stdexcept>
#include <utility>

#include "conformance/crossing.hpp"
#include "conformance/host/float_environment.hpp"
#include "fmt/format.h"

namespace etalon {
namespace {

// The dtype that selects an entry of the list: that of the output, which every operation has last.
Dtype selecting_dtype(const Call& call) {
  return call.tensors.empty() ? Dtype::u8 : call.tensors.back().second.dtype;
}

// A stranger's words, as a report can show them: so many bytes at most, and nothing that moves a cursor.
std::string presentable(const char* words) {
  constexpr std::size_t most = 500;
  std::string text(words, strnlen(words, most));
  for (char& c : text) c = (c >= 0 && c < ' ') || c == 0x7f ? ' ' : c;
  return text;
}

std::string said(const etalon_core& core, etalon_context* context) {
  const char* words = nullptr;
  try {
    words = core.last_error != nullptr ? core.last_error(context) : nullptr;
  } catch (...) {
    return "last_error() threw a C++ exception; nothing may be thrown across the interface";
  }
  return words != nullptr ? presentable(words) : "";
}

}  // namespace

BackendSubject::BackendSubject(std::shared_ptr<const Library> library, const etalon_core* core)
    : library_(std::move(library)), core_(core) {
  const FloatEnvironment before = FloatEnvironment::current();
  int status = ETALON_INTERNAL;
  try {
    status = core_->open != nullptr ? core_->open(&context_) : ETALON_OK;
  } catch (...) {
    throw std::runtime_error(library_->origin() +
                             ": open() threw a C++ exception; nothing may be thrown across the interface");
  }
  const std::string change = before.change_to(FloatEnvironment::current());
  before.restore();
  if (status != ETALON_OK)
    throw std::runtime_error(
        fmt::format("{}: open() answered status {} instead of ETALON_OK; it has no context to work with",
                    library_->origin(), status));
  open_ = true;
  if (!change.empty()) {
    close();
    throw std::runtime_error(fmt::format(
        "{}: open() did not leave the floating-point environment as found: {}", library_->origin(), change));
  }
}

void BackendSubject::close() {
  if (!open_ || core_->close == nullptr) return;
  open_ = false;
  const FloatEnvironment before = FloatEnvironment::current();
  bool thrown = false;
  try {
    core_->close(context_);
  } catch (...) {
    thrown = true;
  }
  const std::string change = before.change_to(FloatEnvironment::current());
  before.restore();
  if (thrown)
    throw std::runtime_error(library_->origin() +
                             ": close() threw a C++ exception; nothing may be thrown across the interface");
  if (!change.empty())
    throw std::runtime_error(fmt::format(
        "{}: close() did not leave the floating-point environment as found: {}", library_->origin(), change));
}

BackendSubject::~BackendSubject() {
  try {
    close();
  } catch (const std::exception&) {
    context_ = nullptr;  // loading has told so already, or else it comes too late
  }
}

const Model* BackendSubject::model(std::string_view operation, Dtype dtype) const {
  const Offer* offer = library_->offer(operation, dtype);
  return offer != nullptr ? &offer->model : nullptr;
}

Status BackendSubject::fault(std::string message) {
  last_error_ = std::move(message);
  return Status::internal;
}

// ABI-4, ABI-5: whatever happens inside, a status comes out, and the floating-point environment is as before.
Status BackendSubject::run(const Call& call) {
  last_error_.clear();
  const Offer* offer = library_->offer(call.operation, selecting_dtype(call));
  if (offer == nullptr) return Status::unsupported;
  const FloatEnvironment before = FloatEnvironment::current();
  int status = ETALON_INTERNAL;
  std::string thrown;
  try {
    status = crossing_of(call.operation)->call(*offer->entry, context_, call);
  } catch (const std::exception& error) {
    thrown = fmt::format("{} threw an exception: {}", call.operation, presentable(error.what()));
  } catch (...) {
    thrown = fmt::format("{} threw something that is no std::exception", call.operation);
  }
  const std::string change = before.change_to(FloatEnvironment::current());
  before.restore();
  if (!thrown.empty()) return fault(thrown);
  if (!change.empty())
    return fault(
        fmt::format("{} did not leave the floating-point environment as found: {}", call.operation, change));
  if (status < ETALON_OK || status > ETALON_INTERNAL)
    return fault(fmt::format("{} answered {}, which is no status", call.operation, status));
  if (status != ETALON_OK) last_error_ = said(*core_, context_);
  return static_cast<Status>(status);
}

}  // namespace etalon
