// LIN-1, NUM-8: everything that the orders of evaluation may make of alpha sum a_i b_i + beta c.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "properties/attack/reach.hpp"

namespace etalon::attack {

struct Product {
  std::vector<double> a, b;
  double alpha = 1, beta = 0, c = 0;
  std::vector<std::size_t> order;  // of the additions of a tree drawn at random; empty: every tree
};

class Orders {
 public:
  Orders(const Setting& setting, const Product& product);  // both outlive it

  // Every tree over the leaves: sums of subsets from the sums of all their halves. 2^n of them.
  Range every_tree() const;
  // One tree: each number of `order` says which two neighbours are added next. Its height, beside c.
  Range one_tree(int& height) const;

 private:
  // What may be in a register after some of the leaves are summed: before alpha, or after it.
  struct Partial {
    Range plain, scaled;
    int height = 0;           // additions of products on the longest path
    bool is_product = false;  // of two factors, so that it may be fused with an addition
    bool is_c = false;        // beta c, likewise
    Range a, b;               // the factors, without alpha
    std::array<std::pair<Range, Range>, 2> scaled_factors;  // alpha in the one or in the other

    void admit(const Partial& other);
  };

  Partial leaf(std::size_t i) const;
  Partial last() const;
  Partial join(const Partial& x, const Partial& y) const;
  void fuse(Partial& sum, const Partial& x, const Partial& y) const;

  Reach reach_;
  const Product& product_;
  Range alpha_;
  std::vector<Partial> leaves_;
};

}  // namespace etalon::attack
