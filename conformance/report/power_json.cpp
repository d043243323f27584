#include <cmath>
#include <nlohmann/json.hpp>

#include "conformance/report/power.hpp"

namespace etalon {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(value > 0 ? "inf" : "nan"); }

Json json_of(const Usual& usual) {
  Json json = {{"outputs", usual.outputs}};
  for (std::size_t rule = 0; rule < usual_rules.size(); ++rule) {
    const std::string name(usual_rules[rule].name);
    json["rejected"][name] = usual.rejected[rule];
    json["told_from_right"][name] = usual.told[rule];
  }
  return json;
}

Json json_of(const Finding& finding) {
  return {{"law", finding.law},
          {"case", finding.worst_case},
          {"verdict", name_of(finding.outcome.verdict)},
          {"margin", number(finding.outcome.worst_margin)},
          {"reason", finding.outcome.witness.reason}};
}

Json json_of(const MutantForm& form);
Json json_of(const VariantForm& form);

Json json_of(const Highest& attack) {
  return {{"operation", attack.operation},   {"arithmetic", attack.arithmetic},
          {"margin", number(attack.margin)}, {"results", attack.judged},
          {"broken", attack.failed},         {"where", attack.where}};
}

template <typename Items>
Json list_of(const Items& items) {
  Json list = Json::array();
  for (const auto& item : items) list.push_back(json_of(item));
  return list;
}

Json json_of(const MutantForm& form) {
  Json refutations = Json::array();
  for (const Refutation& each : form.refutations) {
    refutations.push_back({{"clause", each.clause},
                           {"law", each.law},
                           {"tier", name_of(each.tier)},
                           {"ratio", number(each.ratio)},
                           {"case", each.test_case}});
  }
  return {{"name", form.mutant->name},
          {"kind", form.mutant->kind},
          {"does", form.mutant->does},
          {"met", name_of(form.mutant->met)},
          {"clause", form.mutant->clause},
          {"dtype", name_of(form.dtype)},
          {"killed", form.killed()},
          {"killed_at", form.killed() ? Json(name_of(form.killed_at)) : Json()},
          {"killed_by_its_clause", form.killed_where_claimed()},
          {"cases", form.cases},
          {"refutations", std::move(refutations)},
          {"usual_rules", json_of(form.usual)}};
}

Json json_of(const VariantForm& form) {
  return {{"name", form.variant->name},
          {"does", form.variant->does},
          {"dtype", name_of(form.dtype)},
          {"cases", form.cases},
          {"worst_margin", number(form.worst_margin)},
          {"worst_case", form.nearest},
          {"false_alarms", list_of(form.alarms)},
          {"undecided", list_of(form.undecided)},
          {"usual_rules", json_of(form.usual)}};
}

}  // namespace

std::string power_json(const Power& power) {
  Json rules = Json::array();
  for (const UsualRule& rule : usual_rules) rules.push_back({{"name", rule.name}, {"accepts", rule.accepts}});
  const Json json = {{"format", "etalon-power-1"},
                     {"seeds", power.seeds},
                     {"cases", power.cases},
                     {"seconds", power.seconds},
                     {"forms", power.mutants.size()},
                     {"killed", power.killed()},
                     {"honest_forms", power.variants.size()},
                     {"false_alarms", power.alarms()},
                     {"rules", std::move(rules)},
                     {"mutants", list_of(power.mutants)},
                     {"variants", list_of(power.variants)},
                     {"attacks", list_of(power.attacks)}};
  return json.dump(1) + "\n";
}

}  // namespace etalon
