// How a fault is put around, or into, the plain subject.
#include <algorithm>
#include <utility>

#include "properties/law.hpp"
#include "properties/mutants/plain_subject.hpp"

namespace etalon::plain {
namespace {

class FaultySubject final : public Subject {
 public:
  explicit FaultySubject(Fault fault) : fault_(std::move(fault)) {}

  const std::string& name() const override { return honest_.name(); }
  const Model* model(std::string_view operation, Dtype dtype) const override {
    return honest_.model(operation, dtype);
  }
  Status run(const Call& call) override { return fault_(honest_, call); }

 private:
  PlainSubject honest_;
  Fault fault_;
};

}  // namespace

const std::vector<Dtype>& floats() {
  static const std::vector<Dtype> dtypes = float_dtypes();
  return dtypes;
}

std::unique_ptr<Subject> faulty(Fault fault) { return std::make_unique<FaultySubject>(std::move(fault)); }

std::unique_ptr<Subject> changed(const std::function<void(PlainSubject&)>& change) {
  auto subject = std::make_unique<PlainSubject>();
  change(*subject);
  return subject;
}

Call with_tensor(const Call& call, std::string_view name, const View& view) {
  Call other = call;
  for (auto& [label, tensor] : other.tensors) {
    if (label == name) tensor = view;
  }
  return other;
}

Call with_attribute(const Call& call, std::string_view name, double value) {
  Call other = call;
  for (auto& [label, number] : other.attributes) {
    if (label == name) number = value;
  }
  return other;
}

Call with_scale(const Call& call, double c) {
  return with_attribute(with_attribute(call, "scale", 2), "value", c);
}

std::int64_t rows_of(const Call& call) {
  return call.operation == "one_hot" ? call.tensor("out").shape[1] : call.tensor("table").shape[0];
}

std::vector<std::int64_t> ids_of(const Call& call) {
  const View& view = call.tensor("ids");
  std::vector<std::int64_t> ids(static_cast<std::size_t>(view.shape[0]));
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = id_at(view, static_cast<std::int64_t>(i));
  return ids;
}

Status run_with_ids(Subject& honest, const Call& call, const std::vector<std::int64_t>& ids) {
  Tensor changed(Dtype::i64, {static_cast<std::int64_t>(ids.size())});
  for (std::size_t i = 0; i < ids.size(); ++i) changed.set_integer(static_cast<std::int64_t>(i), ids[i]);
  return honest.run(with_tensor(call, "ids", changed.view()));
}

Fault ids_changed(IdChange change) {
  return [change = std::move(change)](Subject& honest, const Call& call) {
    std::vector<std::int64_t> ids = ids_of(call);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      ids[i] = change(ids[i], static_cast<std::int64_t>(i), rows_of(call));
    }
    return run_with_ids(honest, call, ids);
  };
}

namespace {

Mutant with_subject(const Head& head, const SubjectFactory& make) {
  return {head.name,       head.kind,   head.clause, head.met,       head.does,
          head.operations, head.dtypes, make,        head.equivalent};
}

}  // namespace

Mutant mutant(const Head& head, const Fault& fault) {
  return with_subject(head, [fault] { return faulty(fault); });
}

Mutant mutant_of(const Head& head, const std::function<void(PlainSubject&)>& change) {
  return with_subject(head, [change] { return changed(change); });
}

}  // namespace etalon::plain
