#include "bench/perf.hpp"

#include <benchmark/benchmark.h>

#include <memory>

#include "properties/stream.hpp"

namespace etalon::perf {
namespace {

std::int64_t bytes_of(const Tensor& tensor) {
  return tensor.elements() * static_cast<std::int64_t>(size_of(tensor.dtype()));
}

void time_calls(benchmark::State& state, const Contender& contender, const std::function<Workload()>& make) {
  const std::unique_ptr<Subject> subject = contender.subjects();
  const Workload workload = make();
  for ([[maybe_unused]] auto iteration : state) {
    const Status status = subject->run(workload.call);
    if (status != Status::ok) {
      const std::string reason = std::string(name_of(status)) + ": " + subject->last_error();
      state.SkipWithError(reason.c_str());
      return;
    }
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * workload.bytes);
  const auto rate = benchmark::Counter::kIsIterationInvariantRate;
  state.counters["elements/s"] = benchmark::Counter(static_cast<double>(workload.elements), rate);
  if (workload.operations > 0) state.counters["flop/s"] = benchmark::Counter(workload.operations, rate);
}

}  // namespace

Workload::Workload(std::string_view operation,
                   std::initializer_list<std::pair<std::string_view, Tensor>> inputs,
                   std::initializer_list<std::pair<std::string_view, Tensor>> outputs,
                   std::initializer_list<std::pair<std::string_view, double>> attributes)
    : call{operation, {}, attributes} {
  for (const auto& group : {inputs, outputs}) {
    for (const auto& [name, tensor] : group) {
      call.tensors.emplace_back(name, tensor.view());
      tensors.push_back(tensor);  // shares the memory, and keeps it
      bytes += bytes_of(tensor);
    }
  }
  for (const auto& [name, tensor] : outputs) elements += tensor.elements();
}

void add(const Contender& contender, std::string_view operation, Dtype dtype, const std::string& size,
         std::function<Workload()> make) {
  if (contender.subjects()->model(operation, dtype) == nullptr) return;
  std::string name = std::string(operation) + "/" + contender.name;
  if (is_float(dtype)) name += "/" + std::string(name_of(dtype));
  name += "/" + size;
  benchmark::RegisterBenchmark(name.c_str(), [contender, make = std::move(make)](benchmark::State& state) {
    time_calls(state, contender, make);
  });
}

Tensor numbers(Dtype dtype, Shape shape, std::string_view label) {
  Tensor tensor(dtype, shape);
  Stream stream("bench", label);
  fill(tensor, Pattern::unit, stream);
  return tensor;
}

Tensor ids(std::int64_t count, std::int64_t rows) {
  Tensor tensor(Dtype::i64, {count});
  Stream stream("bench", "ids");
  fill_ids(tensor, rows, stream);
  return tensor;
}

std::int64_t copied_bytes(Dtype dtype, std::int64_t rows, std::int64_t width) {
  return 2 * rows * width * static_cast<std::int64_t>(size_of(dtype));
}

}  // namespace etalon::perf
