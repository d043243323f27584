#include "conformance/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>

#include "properties/mutants/discrimination.hpp"
#include "properties/operations.hpp"

namespace etalon {
namespace {

constexpr std::string_view reference_name = "reference";

// One piece of work: a law or a fixture on one dtype and one subject.
struct Item {
  const Entrant* entrant = nullptr;
  const Law* law = nullptr;
  const Fixture* fixture = nullptr;  // the cases of its operations; of its definitions where dtype is u8
  Dtype dtype = Dtype::u8;
};

bool is_tokenizer_operation(std::string_view operation) {
  return operation == "tokenize" || operation == "detokenize" || operation == "vocabulary_size";
}

// The suite's own subjects take part only where they have a part: a float law tells nothing about a
// tokenizer, and a law of the reference itself is the same for everyone.
bool takes_part(const Entrant& entrant, const Subject* own, const Law& law, Dtype dtype) {
  if (law.operations.empty()) return entrant.name == reference_name;
  if (own == nullptr) return true;
  return std::any_of(law.operations.begin(), law.operations.end(),
                     [&](std::string_view operation) { return own->model(operation, dtype) != nullptr; });
}

// The operations of fixtures are those of float laws: no tokenizer of the suite's own has them.
bool takes_part(const Subject* own, Dtype dtype) {
  return own == nullptr || std::any_of(operations.begin(), operations.end(), [&](const Operation& operation) {
           return operation.is_float && own->model(operation.name, dtype) != nullptr;
         });
}

std::vector<Item> items_of(const std::vector<Entrant>& entrants, const std::vector<Fixture>& fixtures,
                           const Selection& selection) {
  std::vector<Item> items;
  for (const Entrant& entrant : entrants) {
    // Strangers are made by child processes alone.
    const std::unique_ptr<Subject> own = entrant.is_own ? entrant.make() : nullptr;
    for (const Law& law : all_laws()) {
      if (!selection.takes_clause(law.clause)) continue;
      for (const Dtype dtype : dtypes_of(law)) {
        if (selection.takes_dtype(dtype) && takes_part(entrant, own.get(), law, dtype))
          items.push_back({&entrant, &law, nullptr, dtype});
      }
    }
    for (const Fixture& fixture : fixtures) {
      if (!selection.takes_clause(fixture.clause())) continue;
      if (entrant.name == reference_name && fixture.has_definitions() && selection.takes_dtype(Dtype::u8)) {
        items.push_back({&entrant, nullptr, &fixture, Dtype::u8});
      }
      for (const Dtype dtype : fixture.dtypes()) {
        if (selection.takes_dtype(dtype) && takes_part(own.get(), dtype))
          items.push_back({&entrant, nullptr, &fixture, dtype});
      }
    }
  }
  return items;
}

// Heavy work first, so that no thread is left alone with it at the end.
int weight(const Item& item) {
  if (item.fixture) return 0;
  int weight = 1;
  for (const std::string_view operation : item.law->operations) {
    if (operation == "matmul" || operation == "embed_product") weight = std::max(weight, 4);
    if (operation == "sinusoidal") weight = std::max(weight, 3);
    if (operation == "combine" || is_tokenizer_operation(operation)) weight = std::max(weight, 2);
  }
  return weight;
}

// What is known of an item before it is run.
Finding blank_finding(const Item& item) {
  Finding finding;
  finding.subject = item.entrant->name;
  finding.clause = item.law ? std::string(item.law->clause) : item.fixture->clause();
  finding.law = item.law ? std::string(item.law->name) : item.fixture->name();
  const bool has_dtype = item.law ? !item.law->dtypes.empty() : item.dtype != Dtype::u8;
  finding.dtype = has_dtype ? std::string(name_of(item.dtype)) : "-";
  return finding;
}

Finding run_item(const Item& item, const Selection& selection) {
  const RunOptions& options = selection.options;
  if (item.fixture && item.dtype == Dtype::u8) return item.fixture->replay_definitions();
  Finding finding = with_subject(*item.entrant, blank_finding(item), [&](Subject& subject) {
    if (item.fixture) return item.fixture->replay(item.dtype, subject, {}, options.asks_usual_rules);
    // Should the subject take the process along, the case is known.
    RunOptions announced = options;
    announced.begins = [](const Case& test_case) { announce(test_case.name()); };
    thread_local Discrimination discrimination;  // its mutants are made once
    if (selection.asks_trust) {
      announced.ratio = [](const Case& test_case, const Subject& judged) {
        return discrimination.ratio(test_case, judged);
      };
    }
    const LawResult result = run_law(*item.law, item.dtype, subject, announced);
    Finding of_law = blank_finding(item);
    of_law.outcome = result.outcome;
    of_law.cases = result.cases;
    of_law.unsupported = result.unsupported;
    of_law.blind = result.blind;
    of_law.blind_case = result.blind_case;
    of_law.least_ratio = result.least_ratio;
    of_law.worst_case = result.worst_case;
    return of_law;
  });
  finding.subject = item.entrant->name;
  return finding;
}

// The order of the report: per subject by family, number and dtype.
std::vector<std::size_t> reporting_order(const std::vector<Item>& items) {
  std::vector<std::string_view> families;
  for (const Law& law : all_laws()) {
    const std::string_view family = law.clause.substr(0, law.clause.find('-'));
    if (std::find(families.begin(), families.end(), family) == families.end()) families.push_back(family);
  }
  const auto key = [&](const Item& item) {
    const std::string_view clause = item.law ? item.law->clause : std::string_view(item.fixture->clause());
    const std::size_t hyphen = clause.find('-');
    const auto family = std::find(families.begin(), families.end(), clause.substr(0, hyphen));
    return std::tuple(item.entrant, family - families.begin(),
                      std::stoi(std::string(clause.substr(hyphen + 1))), item.dtype);
  };
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return key(items[a]) < key(items[b]); });
  return order;
}

}  // namespace

std::vector<Entrant> own_entrants() {
  return {{std::string(reference_name), "the definitions themselves, correctly rounded", reference_subject(),
           true},
          {"longest_match", "reference tokenizer: longest match", longest_match_subject(), true},
          {"byte_bpe", "reference tokenizer: byte-level pairs", byte_bpe_subject(), true}};
}

Finding with_subject(const Entrant& entrant, Finding blank, const std::function<Finding(Subject&)>& work) {
  std::unique_ptr<Subject> subject;
  try {
    subject = entrant.make();
  } catch (const std::runtime_error& error) {
    blank.cases = 1;
    blank.outcome.verdict = Verdict::fail;
    blank.outcome.grade = Grade::none;
    blank.outcome.witness.reason = error.what();
    return blank;
  }
  return work(*subject);
}

bool Selection::takes_clause(std::string_view clause) const {
  return clauses.empty() || std::any_of(clauses.begin(), clauses.end(), [&](const std::string& pattern) {
           return glob_matches(pattern, clause);
         });
}

bool Selection::takes_dtype(Dtype dtype) const {
  return dtypes.empty() || std::find(dtypes.begin(), dtypes.end(), dtype) != dtypes.end();
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // the last `*`, and what it stands for so far
  std::size_t star_end = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || lower(pattern[p]) == lower(text[t]))) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<Finding> run_campaign(const std::vector<Entrant>& entrants, const std::vector<Fixture>& fixtures,
                                  const Selection& selection, const Progress& progress) {
  const std::vector<Item> items = items_of(entrants, fixtures, selection);
  std::vector<std::size_t> order(items.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weight(items[a]) > weight(items[b]); });

  // The children are made before the threads: each is a copy of this process.
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < selection.jobs && selection.isolated; ++i) {
    workers.push_back(std::make_unique<Worker>(
        [&](std::size_t index) { return run_item(items[index], selection); }, selection.limits));
    workers.back()->start();
  }

  std::vector<Finding> found(items.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards what follows
  std::size_t done = 0;
  std::exception_ptr broken;
  const auto work = [&](Worker* worker) {
    const Entrant* served = nullptr;
    for (std::size_t place = next++; place < order.size(); place = next++) {
      const std::size_t index = order[place];
      try {
        if (worker && served && served != items[index].entrant) worker->end();
        served = items[index].entrant;
        found[index] =
            worker ? worker->run(index, blank_finding(items[index])) : run_item(items[index], selection);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!broken) broken = std::current_exception();
        next = order.size();
        return;
      }
      const std::lock_guard lock(mutex);
      if (progress) progress(++done, order.size(), found[index]);
    }
  };
  std::vector<std::thread> threads;
  const auto worker_of = [&](std::size_t i) { return selection.isolated ? workers[i].get() : nullptr; };
  for (std::size_t i = 1; i < static_cast<std::size_t>(selection.jobs); ++i)
    threads.emplace_back(work, worker_of(i));
  work(worker_of(0));
  for (std::thread& thread : threads) thread.join();
  if (broken) std::rethrow_exception(broken);

  std::vector<Finding> findings;
  for (const std::size_t index : reporting_order(items)) {
    // A law whose cases all belong to a higher level has nothing to say at this one.
    if (found[index].cases + found[index].unsupported > 0) findings.push_back(std::move(found[index]));
  }
  return findings;
}

}  // namespace etalon
