// A backend as a subject: one context of a loaded library.
#pragma once

#include <memory>
#include <string>

#include "conformance/host/library.hpp"

namespace etalon {

class BackendSubject : public Subject {
 public:
  // Opens the context. Throws std::runtime_error where the backend refuses.
  BackendSubject(std::shared_ptr<const Library> library, const etalon_core* core);
  ~BackendSubject() override;
  BackendSubject(const BackendSubject&) = delete;
  BackendSubject& operator=(const BackendSubject&) = delete;

  const std::string& name() const override { return library_->name(); }
  const Model* model(std::string_view operation, Dtype dtype) const override;
  Status run(const Call& call) override;
  std::string last_error() const override { return last_error_; }
  // Closes the context, once. Throws std::runtime_error where that throws or changes the environment (ABI-4,
  // ABI-5); the destructor does the same without a word.
  void close();

 private:
  Status fault(std::string message);

  std::shared_ptr<const Library> library_;
  const etalon_core* core_;
  etalon_context* context_ = nullptr;
  bool open_ = false;
  std::string last_error_;
};

}  // namespace etalon
