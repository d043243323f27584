// Traceability: which clause lives where in the source tree, and what is missing or out of order.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "spec/checker.hpp"

namespace etalon::spec {

struct Source {
  std::string path;  // relative to the root, with '/': "properties/position.cpp"
  std::string text;
};

// Every text file below spec, reference, properties, conformance and bench, sorted by path, build
// folders and the pages excepted. Throws std::filesystem::filesystem_error where one cannot be read.
std::vector<Source> read_tree(const std::filesystem::path& root);
// The pages below root/spec, sorted by name.
std::vector<Page> read_pages(const std::filesystem::path& root);

struct Trace {
  // Token -> homes found, for every clause of the book.
  std::map<std::string, Homes> found;
  // Clauses without a required home, tokens that no clause bears, includes against the arrow
  // spec <- reference <- properties <- conformance <- bench.
  std::vector<Problem> problems;
};
Trace trace(const Book& book, const std::vector<Source>& sources);

// The matrix, one line a clause: `+` found, `-` required but missing, `.` not required, `*` found
// though not required.
std::string matrix(const Book& book, const Trace& result);

}  // namespace etalon::spec
