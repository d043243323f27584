// etalon-perf: how fast the operations are, on each bundled backend, on the reference, and on any
// backend given by file. Google Benchmark's own options apply as well.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "bench/perf.hpp"
#include "conformance/host/registry.hpp"
#include "properties/runner.hpp"

namespace etalon::perf {
namespace {

// The exit codes of the suite.
constexpr int usage_error = 2;
constexpr int nothing_ran = 5;
constexpr int could_not_load = 6;

constexpr std::string_view usage =
    "usage: etalon-perf [--backend NAME|FILE.so]... [Google Benchmark options]\n"
    "\n"
    "Times every operation on every bundled backend and on the reference; with --backend, on those\n"
    "backends and the reference only. Names read operation/backend/dtype/size, for example\n"
    "sinusoidal/portable/f32/512x512; --benchmark_filter=REGEX selects among them.\n"
    "Per benchmark: time of one call, bytes of its tensors per second, output elements per second.\n";

// Takes "--backend X" and "--backend=X" out of the arguments. Throws where X is missing.
std::vector<std::string> take_selectors(std::vector<char*>& arguments) {
  constexpr std::string_view option = "--backend";
  std::vector<std::string> selectors;
  std::vector<char*> rest;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    if (argument == option) {
      if (++i == arguments.size()) throw std::invalid_argument("--backend wants a name or a file");
      selectors.emplace_back(arguments[i]);
    } else if (argument.starts_with("--backend=")) {
      selectors.emplace_back(argument.substr(option.size() + 1));
    } else {
      rest.push_back(arguments[i]);
    }
  }
  arguments = rest;
  return selectors;
}

// Throws std::runtime_error with the reason where a library cannot be loaded.
std::vector<Contender> contenders(std::vector<std::string> selectors) {
  std::vector<Contender> all;
  if (selectors.empty()) {
    for (const Bundled& bundled : bundled_backends()) selectors.push_back(bundled.name);
  }
  for (const std::string& selector : selectors) {
    const auto loaded = load_backends(selector);
    if (const auto* error = std::get_if<LoadError>(&loaded)) throw std::runtime_error(error->message);
    for (const auto& library : std::get<0>(loaded)) all.push_back({library->name(), library->subjects()});
  }
  all.push_back({"reference", reference_subject()});
  all.push_back({"longest-match", longest_match_subject()});
  all.push_back({"byte-bpe", byte_bpe_subject()});
  return all;
}

int run(int count, char** values) {
  std::vector<char*> arguments(values, values + count);
  for (const char* argument : arguments) {
    if (std::strcmp(argument, "--help") == 0) fmt::print("{}\n", usage);
  }
  try {
    for (const Contender& contender : contenders(take_selectors(arguments))) {
      for (const auto family : {add_embedding, add_position, add_input, add_linear, add_tokenizer})
        family(contender);
    }
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "etalon-perf: {}\n{}", error.what(), usage);
    return usage_error;
  } catch (const std::exception& error) {
    fmt::print(stderr, "etalon-perf: {}\n", error.what());
    return could_not_load;
  }
  int left = static_cast<int>(arguments.size());
  benchmark::Initialize(&left, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(left, arguments.data())) return usage_error;
  const std::size_t ran = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return ran == 0 ? nothing_ran : 0;
}

}  // namespace
}  // namespace etalon::perf

int main(int count, char** values) { return etalon::perf::run(count, values); }
