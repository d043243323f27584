// ABI: a backend library, loaded and checked. What it hands out are subjects like any other.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "etalon/backend.h"
#include "properties/subject.hpp"

namespace etalon {

// Why a backend could not be loaded: one line that says what is wrong and what to do about it.
struct LoadError {
  std::string message;
};

// One operation on one dtype, as declared. For the tokenizer's operations the dtype is u8.
struct Offer {
  std::string_view operation;  // of properties/operations.hpp
  Dtype dtype = Dtype::f32;
  Model model;
  const etalon_operation* entry = nullptr;
};

class Library : public std::enable_shared_from_this<Library> {
 public:
  using Result = std::variant<std::shared_ptr<const Library>, LoadError>;

  // ABI-2: opens the file, checks everything that it declares, and opens one context to see that it can.
  static Result load(const std::filesystem::path& file);
  // The same checks on a description that is already in memory; `origin` begins the messages. `keep` is held
  // for as long as anything uses the backend.
  static Result adopt(const etalon_core* core, const std::string& origin,
                      std::shared_ptr<void> keep = nullptr);

  const std::string& name() const { return name_; }  // as it calls itself
  const std::string& version() const { return version_; }
  const std::string& origin() const { return origin_; }  // the file's path
  const std::vector<Offer>& offers() const { return offers_; }
  // ABI-8: names in its list that this suite does not know; they are left alone.
  const std::vector<std::string>& unknown_operations() const { return unknown_; }
  const Offer* offer(std::string_view operation, Dtype dtype) const;

  // Subjects with a context each. The factory throws std::runtime_error where a context cannot be opened.
  SubjectFactory subjects() const;

 private:
  friend class BackendSubject;
  Library() = default;

  const etalon_core* core_ = nullptr;
  std::string name_;
  std::string version_;
  std::string origin_;
  std::vector<Offer> offers_;
  std::vector<std::string> unknown_;
  std::shared_ptr<void> keep_;
};

}  // namespace etalon
