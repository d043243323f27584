#include "conformance/campaign.hpp"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <exception>
#include <mutex>
#include <numeric>
#include <thread>
#include <tuple>

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
bool takes_part(const Entrant& entrant, const Law& law, Subject& subject) {
  if (law.operations.empty()) return entrant.name == reference_name;
  const bool own =
      entrant.name == reference_name || entrant.name == "longest_match" || entrant.name == "byte_bpe";
  if (!own) return true;
  const Dtype dtype = dtypes_of(law).front();
  return std::any_of(law.operations.begin(), law.operations.end(),
                     [&](std::string_view operation) { return subject.model(operation, dtype) != nullptr; });
}

bool is_own_tokenizer(const Entrant& entrant) {
  return entrant.name == "longest_match" || entrant.name == "byte_bpe";
}

std::vector<Item> items_of(const std::vector<Entrant>& entrants, const std::vector<Fixture>& fixtures,
                           const Selection& selection) {
  std::vector<Item> items;
  for (const Entrant& entrant : entrants) {
    const std::unique_ptr<Subject> subject = entrant.make();
    for (const Law& law : all_laws()) {
      if (!selection.takes_clause(law.clause) || !takes_part(entrant, law, *subject)) continue;
      for (const Dtype dtype : dtypes_of(law)) {
        if (selection.takes_dtype(dtype)) items.push_back({&entrant, &law, nullptr, dtype});
      }
    }
    for (const Fixture& fixture : fixtures) {
      if (!selection.takes_clause(fixture.clause()) || is_own_tokenizer(entrant)) continue;
      if (entrant.name == reference_name && fixture.has_definitions() && selection.takes_dtype(Dtype::u8)) {
        items.push_back({&entrant, nullptr, &fixture, Dtype::u8});
      }
      for (const Dtype dtype : fixture.dtypes()) {
        if (selection.takes_dtype(dtype)) items.push_back({&entrant, nullptr, &fixture, dtype});
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

Finding run_item(const Item& item, const RunOptions& options) {
  if (item.fixture && item.dtype == Dtype::u8) return item.fixture->replay_definitions();
  const std::unique_ptr<Subject> subject = item.entrant->make();
  Finding finding;
  if (item.fixture) {
    finding = item.fixture->replay(item.dtype, *subject);
  } else {
    const LawResult result = run_law(*item.law, item.dtype, *subject, options);
    const bool has_dtype = !item.law->dtypes.empty();
    finding = {"",
               std::string(item.law->clause),
               std::string(item.law->name),
               has_dtype ? std::string(name_of(item.dtype)) : "-",
               result.outcome,
               result.cases,
               result.unsupported,
               result.worst_case};
  }
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
  return {{std::string(reference_name), "the definitions themselves, correctly rounded", reference_subject()},
          {"longest_match", "reference tokenizer: longest match", longest_match_subject()},
          {"byte_bpe", "reference tokenizer: byte-level pairs", byte_bpe_subject()}};
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

  std::vector<Finding> found(items.size());
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;  // guards what follows
  std::size_t done = 0;
  std::exception_ptr broken;
  const auto work = [&] {
    for (std::size_t place = next++; place < order.size(); place = next++) {
      const std::size_t index = order[place];
      try {
        found[index] = run_item(items[index], selection.options);
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
  for (int i = 1; i < selection.jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (broken) std::rethrow_exception(broken);

  std::vector<Finding> findings;
  for (const std::size_t index : reporting_order(items)) findings.push_back(std::move(found[index]));
  return findings;
}

}  // namespace etalon
