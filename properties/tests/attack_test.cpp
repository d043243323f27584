// NUM-4: the adversary finds no broken bound, comes near to every one, and breaks those weakened on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

#include "properties/attack/search.hpp"

namespace etalon::attack {
namespace {

Effort tries(std::uint64_t count) {
  Effort effort;
  effort.tries = count;
  return effort;
}

TEST(Attack, BreaksNoBoundAndComesNearToEveryOne) {
  std::map<std::string, double> highest;
  for (const Highest& one : attack_all(tries(2500))) {
    std::printf("  %-10s %-50s margin %-8.4g of %llu\n", one.operation.c_str(), one.arithmetic.c_str(),
                one.margin, static_cast<unsigned long long>(one.judged));
    EXPECT_FALSE(one.failed) << one.operation << " in " << one.arithmetic << ": " << one.where;
    EXPECT_LE(one.margin, 1) << one.operation << " in " << one.arithmetic << ": " << one.where;
    EXPECT_GT(one.judged, 0U);
    highest[one.operation] = std::max(highest[one.operation], one.margin);
  }
  EXPECT_EQ(highest.size(), 3U);
  for (const auto& [operation, margin] : highest) EXPECT_GT(margin, 0.9) << operation;
}

TEST(Attack, TriesTheSameForTheSameSeed) {
  const Found first = attack_input(tries(500));
  const Found second = attack_input(tries(500));
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    EXPECT_EQ(first[i].margin, second[i].margin);
    EXPECT_EQ(first[i].where, second[i].where);
  }
}

// The row of that name, whatever is added to it about how much of a space was visited.
const Highest& row(const Found& all, const std::string& name) {
  return *std::find_if(all.begin(), all.end(), [&](const Highest& one) {
    return one.arithmetic == name || one.arithmetic.starts_with(name + ",") ||
           one.arithmetic.starts_with(name + ";");
  });
}

TEST(Attack, BreaksNineTenthsOfTheBoundOfTheInput) {
  for (const char* arithmetic : {"p = 3", "p = 4", "f64", "f32", "bf16 in f32", "f16"}) {
    const Found all = attack_input(tries(4000), {.share = 0.9});
    EXPECT_TRUE(row(all, arithmetic).failed) << arithmetic;
    EXPECT_FALSE(row(all, arithmetic).where.empty());
  }
}

TEST(Attack, BreaksABoundOfProductsWithOneAdditionTooFew) {
  const Found all = attack_linear(tries(6000), {.fewer_products = 1});
  for (const char* arithmetic : {"p = 3", "p = 5", "f64", "f32", "f16", "bf16"}) {
    EXPECT_TRUE(row(all, arithmetic).failed) << arithmetic;
  }
}

TEST(Attack, BreaksNineTenthsOfTheBoundOfPositions) {
  const Found all = attack_position(tries(1500), {.share = 0.9});
  for (const char* arithmetic : {"f32", "f64, exact angle", "bf16"}) {
    EXPECT_TRUE(row(all, arithmetic).failed) << arithmetic;
  }
}

}  // namespace
}  // namespace etalon::attack
