#include <algorithm>
#include <string>
#include <utility>

#include "properties/mutants/mutant.hpp"

namespace etalon {
namespace {

class Restricted final : public Subject {
 public:
  Restricted(std::unique_ptr<Subject> subject, std::string_view name,
             std::vector<std::string_view> operations, std::vector<Dtype> dtypes)
      : subject_(std::move(subject)),
        name_(name),
        operations_(std::move(operations)),
        dtypes_(std::move(dtypes)) {}

  const std::string& name() const override { return name_; }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    const bool offered = std::find(operations_.begin(), operations_.end(), operation) != operations_.end() &&
                         std::find(dtypes_.begin(), dtypes_.end(), dtype) != dtypes_.end();
    return offered ? subject_->model(operation, dtype) : nullptr;
  }
  Status run(const Call& call) override { return subject_->run(call); }
  std::string last_error() const override { return subject_->last_error(); }

 private:
  std::unique_ptr<Subject> subject_;
  std::string name_;
  std::vector<std::string_view> operations_;
  std::vector<Dtype> dtypes_;
};

}  // namespace

std::string_view name_of(Frequency frequency) {
  constexpr std::string_view names[] = {"common", "occasional", "rare"};
  return names[static_cast<std::size_t>(frequency)];
}

std::span<const FaultKind> fault_kinds() {
  static const std::vector<FaultKind> kinds = {
      {"merge order", "joins another pair than the leftmost of lowest rank",
       "texts without overlapping pairs"},
      {"text boundaries", "adds, drops or merges spaces, and mistakes the empty text or a special token",
       "ordinary sentences"},
      {"id width", "keeps ids in a type too narrow for them", "small vocabularies"},
      {"offset width", "computes row times width in 32 bits", "tables below 2^31 elements"},
      {"bad id", "answers an id outside the table with some row", "valid ids alone"},
      {"product for lookup", "multiplies by one-hot rows, so that rows not asked for leave a trace",
       "tables of ordinary numbers"},
      {"inexact copy", "changes the bits of the row it copies", "comparison within a tolerance"},
      {"wrong row", "shows the row of another id or another place", "constant or symmetric tables"},
      {"width", "leaves columns beyond a tile, or outside a fixed width", "widths that are powers of two"},
      {"column order", "puts sines and cosines where the other order has them", "d = 2"},
      {"divisor", "divides the exponent by another width", "pos = 0, large d"},
      {"exponent", "counts columns where pairs are to be counted", "d = 2, pos = 0"},
      {"base", "uses another base, its reciprocal, or a truncated exponent", "d = 2, where no base is used"},
      {"origin", "counts positions from another place", "differences of rows alone"},
      {"odd width", "accepts an odd width and overruns or drops a column", "even widths"},
      {"narrow position", "keeps position, frequency or angle in few bits", "positions up to 256"},
      {"narrow table", "stores right values in fewer bits", "tolerances of 1e-3"},
      {"recurrence", "walks from pair to pair or row to row, gathering errors", "the first rows and pairs"},
      {"argument reduction", "takes sines without an exact reduction", "positions up to 1000"},
      {"scale", "forgets, inverts, repeats or misplaces the factor c", "d = 1, X = 0 or P = 0"},
      {"scale rounded", "rounds sqrt(d) further than its format", "d a power of four"},
      {"broadcast", "adds the position of another axis", "B = 1 or n = 1"},
      {"position offset", "adds the positions of shifted rows", "n = 1, constant P"},
      {"special values", "drops or invents NaN, Inf or a sign of zero", "finite inputs"},
      {"narrow accumulator", "keeps sums in few bits", "short sums of random terms"},
      {"narrow operand", "rounds operands before it multiplies", "tolerances of 1e-3, large sums"},
      {"strides", "reads or writes a view as if it were dense", "dense views"},
      {"operand order", "ignores a transposition or a leading dimension", "square or symmetric matrices"},
      {"alpha and beta", "multiplies where the standard says not to read, or forgets a factor",
       "alpha = 1, beta = 0 and finite c"},
      {"empty sizes", "does something, or nothing, where a size is 0", "sizes of at least 1"},
      {"tile tails", "loses what lies beyond a multiple of its tile", "sizes that are multiples of it"},
      {"memory", "reads or writes outside what it was given", "buffers with slack"},
      {"shared state", "lets one call or one row leave a trace in another", "one call, one row"},
      {"single element", "is wrong in one element of many", "norms over the whole tensor"},
      {"contract", "answers a wrong call with OK, or a right one with an error", "right calls alone"},
  };
  return kinds;
}

std::vector<Mutant> joined(std::initializer_list<MutantList> lists) {
  std::vector<Mutant> all;
  for (const MutantList list : lists) {
    for (Mutant& mutant : list()) all.push_back(std::move(mutant));
  }
  return all;
}

std::span<const Mutant> all_mutants() {
  static const std::vector<Mutant> mutants = [] {
    std::vector<Mutant> all = joined({tokenizer_mutants, embedding_mutants, position_mutants, input_mutants,
                                      linear_mutants, tensors_mutants});
    for (Mutant& mutant : all) {
      mutant.make = [make = std::move(mutant.make), name = mutant.name, operations = mutant.operations,
                     dtypes = mutant.dtypes] { return restricted(make(), name, operations, dtypes); };
    }
    return all;
  }();
  return mutants;
}

std::unique_ptr<Subject> restricted(std::unique_ptr<Subject> subject, std::string_view name,
                                    std::vector<std::string_view> operations, std::vector<Dtype> dtypes) {
  return std::make_unique<Restricted>(std::move(subject), name, std::move(operations), std::move(dtypes));
}

}  // namespace etalon
