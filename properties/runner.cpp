#include "properties/runner.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "properties/stream.hpp"
#include "properties/trial.hpp"

namespace etalon {
namespace {

using Values = std::vector<std::int64_t>;

// What shrinking one failure may cost; the verdict is there already, only the witness gets smaller.
constexpr int shrink_trials = 120;
constexpr std::chrono::seconds shrink_time{5};

int draws_of(Level level) {
  constexpr int draws[] = {4, 32, 500};
  return draws[static_cast<std::size_t>(level)];
}

// Half of the draws take an edge, the others the whole range, growing with RapidCheck's size.
rc::Gen<std::int64_t> generator_of(const Parameter& parameter) {
  if (!parameter.only.empty()) return rc::gen::elementOf(parameter.only);
  auto whole = rc::gen::inRange<std::int64_t>(parameter.low, parameter.high + 1);
  if (parameter.edges.empty()) return whole;
  return rc::gen::oneOf(rc::gen::elementOf(parameter.edges), whole);
}

Values draw(const Law& law, const rc::Random& random, int size) {
  Values values;
  rc::Random source = random;
  for (const Parameter& parameter : law.parameters) {
    values.push_back(generator_of(parameter)(source.split(), size).value());
  }
  return values;
}

// Towards the low end, one parameter at a time; only values that the parameter may take.
rc::Seq<Values> smaller(const Law& law, const Values& values) {
  auto candidates = rc::Seq<Values>();
  for (std::size_t i = law.parameters.size(); i-- > 0;) {
    const Parameter& parameter = law.parameters[i];
    auto lower = rc::shrink::towards(values[i], parameter.low);
    auto legal = rc::seq::filter(std::move(lower), [&parameter](std::int64_t value) {
      return parameter.only.empty() ||
             std::find(parameter.only.begin(), parameter.only.end(), value) != parameter.only.end();
    });
    auto replaced = rc::seq::map(std::move(legal), [values, i](std::int64_t value) {
      Values changed = values;
      changed[i] = value;
      return changed;
    });
    candidates = rc::seq::concat(std::move(replaced), std::move(candidates));
  }
  return candidates;
}

class LawRun {
 public:
  LawRun(const Law& law, Dtype dtype, Subject& subject, const RunOptions& options)
      : law_(law), dtype_(dtype), subject_(subject), options_(options) {
    result_.law = &law;
    result_.dtype = dtype;
    result_.outcome.verdict = Verdict::unsupported;
  }

  LawResult run() {
    if (!offered()) {
      result_.unsupported = 1;
      result_.outcome.witness.reason = "not offered";
      return result_;
    }
    for (const Example& example : law_.examples) {
      if (example.from <= options_.level) judge(example.values);
    }
    if (law_.parameters.empty()) {
      if (law_.examples.empty()) judge({});
    } else if (law_.draws) {
      draw_cases();
    }
    // Cases without elements (n = 0) are worth running, but a law of nothing else has shown nothing.
    if (result_.cases > 0 && result_.outcome.verdict == Verdict::pass && result_.outcome.elements == 0) {
      result_.outcome.verdict = Verdict::mistrusted;
      result_.outcome.witness.reason = "no element was judged";
    }
    if (result_.cases > 0 && result_.blind == result_.cases) {
      result_.outcome.verdict = Verdict::mistrusted;
      result_.outcome.witness.reason = "no case can tell a faulty subject from an honest one";
    }
    return result_;
  }

 private:
  Outcome run(const Case& test_case) {
    if (options_.begins) options_.begins(test_case);
    return run_case(test_case, subject_, options_.asks_usual_rules);
  }

  bool offered() const {
    return std::all_of(law_.operations.begin(), law_.operations.end(), [&](std::string_view operation) {
      const Model* model = subject_.model(operation, dtype_);
      return model != nullptr && (law_.applies == nullptr || law_.applies(*model));
    });
  }

  // A higher level draws what a lower one draws, and more: its i-th case is the same.
  static int size_of_draw(int i) { return i < draws_of(Level::smoke) ? 25 * (i + 1) : 1 + 37 * i % 100; }

  void draw_cases() {
    const int draws = draws_of(options_.level);
    rc::Random random(Stream(law_.name, name_of(dtype_)).word(options_.seed));
    for (int i = 0; i < draws && (!failed_ || options_.asks_usual_rules); ++i) {
      judge(draw(law_, random.split(), size_of_draw(i)));
    }
  }

  // Runs one case, adds it up, and shrinks it when it is the first to fail.
  void judge(const Values& values) {
    Case test_case{&law_, dtype_, values, options_.seed};
    Outcome outcome = run(test_case);
    if (outcome.verdict == Verdict::unsupported) {
      ++result_.unsupported;
      if (result_.cases == 0) result_.outcome.witness.reason = outcome.witness.reason;
      return;
    }
    if (outcome.verdict == Verdict::fail && !failed_ && law_.draws && options_.shrinks)
      shrink(test_case, outcome);
    failed_ = failed_ || outcome.verdict == Verdict::fail;
    if (options_.ratio && !law_.operations.empty() && outcome.verdict == Verdict::pass) weigh(test_case);
    if (result_.cases++ == 0) {
      result_.worst_case = test_case.name();
      result_.outcome = std::move(outcome);
      return;
    }
    // The graver verdict decides, and among passing cases the worse margin.
    const Verdict before = result_.outcome.verdict;
    const double margin_before = result_.outcome.worst_margin;
    result_.outcome.absorb(outcome);
    const bool graver = result_.outcome.verdict != before;
    const bool worse = before == Verdict::pass && result_.outcome.worst_margin > margin_before;
    if (graver || worse) result_.worst_case = test_case.name();
  }

  // A case that passes is worth what a planted fault would have done to it.
  void weigh(const Case& test_case) {
    const double ratio = options_.ratio(test_case, subject_);
    if (ratio > 1) {
      result_.least_ratio = std::min(result_.least_ratio, ratio);
    } else if (result_.blind++ == 0) {
      result_.blind_case = test_case.name();
    }
  }

  void shrink(Case& test_case, Outcome& outcome) {
    int trials = 0;
    const auto deadline = std::chrono::steady_clock::now() + shrink_time;
    auto candidates = smaller(law_, test_case.values);
    while (trials < shrink_trials && std::chrono::steady_clock::now() < deadline) {
      const auto candidate = candidates.next();
      if (!candidate) return;
      ++trials;
      Case attempt{&law_, dtype_, *candidate, options_.seed};
      Outcome found = run(attempt);
      if (found.verdict != Verdict::fail) continue;
      test_case = attempt;
      outcome = std::move(found);
      candidates = smaller(law_, test_case.values);
    }
  }

  const Law& law_;
  Dtype dtype_;
  Subject& subject_;
  RunOptions options_;
  LawResult result_;
  bool failed_ = false;
};

}  // namespace

Outcome outcome_of(Trial& trial, const std::function<void(Trial&)>& check) {
  try {
    check(trial);
  } catch (const std::exception& error) {
    Outcome broken;
    broken.verdict = Verdict::inconclusive;
    broken.witness.reason = "the suite itself failed: " + std::string(error.what());
    return broken;
  }
  return trial.outcome();
}

Outcome run_case(const Case& test_case, Subject& subject, bool asks_usual_rules) {
  Trial trial(test_case, subject, asks_usual_rules);
  return outcome_of(trial, test_case.law->check);
}

LawResult run_law(const Law& law, Dtype dtype, Subject& subject, const RunOptions& options) {
  return LawRun(law, dtype, subject, options).run();
}

std::vector<Dtype> dtypes_of(const Law& law) {
  return law.dtypes.empty() ? std::vector<Dtype>{Dtype::u8} : law.dtypes;
}

}  // namespace etalon
