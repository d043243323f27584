#include "properties/attack/orders.hpp"

#include <algorithm>
#include <bit>

namespace etalon::attack {

Orders::Orders(const Setting& setting, const Product& product)
    : reach_(setting), product_(product), alpha_(reach_.constant(product.alpha)) {
  if (product.alpha != 0) {
    for (std::size_t i = 0; i < product.a.size(); ++i) leaves_.push_back(leaf(i));
  }
  if (product.beta != 0) leaves_.push_back(last());
}

Range Orders::every_tree() const {
  if (leaves_.empty()) return Range::of(0);
  const std::size_t all = (std::size_t{1} << leaves_.size()) - 1;
  std::vector<Partial> sums(all + 1);
  for (std::size_t subset = 1; subset <= all; ++subset) {
    if ((subset & (subset - 1)) == 0) {
      sums[subset] = leaves_[static_cast<std::size_t>(std::countr_zero(subset))];
      continue;
    }
    for (std::size_t half = (subset - 1) & subset; half > (subset ^ half); half = (half - 1) & subset) {
      sums[subset].admit(join(sums[half], sums[subset ^ half]));
    }
  }
  return reach_.result(sums[all].scaled);
}

Range Orders::one_tree(int& height) const {
  if (leaves_.empty()) return Range::of(0);
  std::vector<Partial> rest = leaves_;
  for (const std::size_t choice : product_.order) {
    if (rest.size() == 1) break;
    const std::size_t i = choice % (rest.size() - 1);
    rest[i] = join(rest[i], rest[i + 1]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  height = rest[0].height;
  return reach_.result(rest[0].scaled);
}

Orders::Partial Orders::leaf(std::size_t i) const {
  Partial leaf;
  leaf.is_product = true;
  leaf.a = reach_.operand(product_.a[i], true);
  leaf.b = reach_.operand(product_.b[i], true);
  leaf.plain = reach_.multiply(leaf.a, leaf.b);
  leaf.scaled = leaf.plain;
  if (product_.alpha == 1) return leaf;
  leaf.scaled_factors[0] = {reach_.narrowed(reach_.multiply(alpha_, leaf.a)), leaf.b};
  leaf.scaled_factors[1] = {leaf.a, reach_.narrowed(reach_.multiply(alpha_, leaf.b))};
  leaf.scaled = reach_.multiply(alpha_, leaf.plain);
  for (const auto& [x, y] : leaf.scaled_factors) leaf.scaled.admit(reach_.multiply(x, y));
  return leaf;
}

Orders::Partial Orders::last() const {
  Partial leaf;
  leaf.is_c = true;
  leaf.a = reach_.constant(product_.beta);
  leaf.b = reach_.operand(product_.c, false);
  leaf.scaled = product_.beta == 1 ? leaf.b : reach_.multiply(leaf.a, leaf.b);
  return leaf;
}

void Orders::Partial::admit(const Partial& other) {
  plain.admit(other.plain);
  scaled.admit(other.scaled);
}

Orders::Partial Orders::join(const Partial& x, const Partial& y) const {
  Partial sum;
  sum.height = std::max(x.height, y.height) + (x.is_c || y.is_c ? 0 : 1);
  sum.plain = reach_.add(x.plain, y.plain);
  fuse(sum, x, y);
  fuse(sum, y, x);
  if (product_.alpha == 1 && !x.is_c && !y.is_c && !sum.plain.empty()) {
    sum.scaled = sum.plain;
    return sum;
  }
  sum.scaled.admit(reach_.add(x.scaled, y.scaled));
  if (product_.alpha != 1) sum.scaled.admit(reach_.multiply(alpha_, sum.plain));
  return sum;
}

// x, a product, fused with the addition of y.
void Orders::fuse(Partial& sum, const Partial& x, const Partial& y) const {
  if (x.is_product) {
    sum.plain.admit(reach_.fma(x.a, x.b, y.plain));
    if (product_.alpha == 1) {
      if (y.plain.empty() || y.is_c) sum.scaled.admit(reach_.fma(x.a, x.b, y.scaled));
      return;
    }
    for (const auto& [a, b] : x.scaled_factors) sum.scaled.admit(reach_.fma(a, b, y.scaled));
  }
  if (x.is_c) sum.scaled.admit(reach_.fma(x.a, x.b, y.scaled));
  if (product_.alpha != 1) sum.scaled.admit(reach_.fma(alpha_, x.plain, y.scaled));
}

}  // namespace etalon::attack
