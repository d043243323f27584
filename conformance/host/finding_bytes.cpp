#include "conformance/host/finding_bytes.hpp"

#include <cstring>
#include <stdexcept>
#include <type_traits>

namespace etalon {
namespace {

// Types whose bytes are their value: no padding, which would carry whatever lay in memory.
template <typename T>
concept Plain = std::is_floating_point_v<T> || std::has_unique_object_representations_v<T>;

class Writer {
 public:
  template <Plain T>
  void operator()(const T& value) {
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof value);
    std::memcpy(bytes.data() + end, &value, sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(text.size());
    bytes += text;
  }
  std::string bytes;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  template <Plain T>
  void operator()(T& value) {
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
  }
  void operator()(std::string& text) {
    std::size_t size = 0;
    (*this)(size);
    text = take(size);
  }
  bool is_empty() const { return rest_.empty(); }

 private:
  std::string_view take(std::size_t size) {
    if (size > rest_.size()) throw std::runtime_error("a child process sent a result that is cut short");
    const std::string_view head = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return head;
  }
  std::string_view rest_;
};

// One list of the parts serves both directions.
template <typename Archive, typename AnyFinding>
void visit(Archive& archive, AnyFinding& finding) {
  auto& outcome = finding.outcome;
  auto& witness = outcome.witness;
  archive(finding.subject);
  archive(finding.clause);
  archive(finding.law);
  archive(finding.dtype);
  archive(finding.cases);
  archive(finding.unsupported);
  archive(finding.blind);
  archive(finding.blind_case);
  archive(finding.least_ratio);
  archive(finding.worst_case);
  archive(outcome.verdict);
  archive(outcome.grade);
  archive(outcome.elements);
  archive(outcome.measured);
  archive(outcome.correctly_rounded);
  archive(outcome.worst_margin);
  archive(outcome.worst_ulp);
  archive(outcome.sum_ulp);
  archive(outcome.predicted);
  archive(outcome.sum_deviation);
  archive(outcome.sum_square_deviation);
  archive(outcome.usual.outputs);
  archive(outcome.usual.rejected);
  archive(outcome.usual.told);
  archive(witness.tensor);
  archive(witness.shape.rank);
  archive(witness.shape.extent);
  archive(witness.index);
  archive(witness.dtype);
  archive(witness.got);
  archive(witness.want);
  archive(witness.truth.hi);
  archive(witness.truth.lo);
  archive(witness.truth.radius);
  archive(witness.bound);
  archive(witness.margin);
  archive(witness.ulp_error);
  archive(witness.reason);
}

// A child shares its memory with a stranger: what it sends may be nonsense.
bool plausible(const Finding& finding) {
  const Outcome& outcome = finding.outcome;
  const int rank = outcome.witness.shape.rank;
  return outcome.verdict >= Verdict::pass && outcome.verdict <= Verdict::unexpected_pass &&
         outcome.grade >= Grade::exact && outcome.grade <= Grade::none && rank >= 0 && rank <= max_rank &&
         outcome.witness.dtype >= Dtype::f64 && outcome.witness.dtype <= Dtype::u8;
}

}  // namespace

std::string bytes_of(const Finding& finding) {
  Writer writer;
  visit(writer, finding);
  return std::move(writer.bytes);
}

Finding finding_of(std::string_view bytes) {
  Reader reader(bytes);
  Finding finding;
  visit(reader, finding);
  if (!plausible(finding)) throw std::runtime_error("a child process sent a result that cannot be");
  if (!reader.is_empty()) throw std::runtime_error("a child process sent more than a result");
  return finding;
}

}  // namespace etalon
