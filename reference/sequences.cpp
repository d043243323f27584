#include "reference/sequences.hpp"

#include <gmp.h>

#include <bit>

namespace etalon {
namespace {

constexpr std::uint64_t largest_bits = std::uint64_t{1} << 26;

// An mpz_t that clears itself.
class Integer {
 public:
  explicit Integer(const std::string& digits) { mpz_init_set_str(value_, digits.c_str(), 10); }
  Integer() { mpz_init(value_); }
  Integer(const Integer&) = delete;
  Integer& operator=(const Integer&) = delete;
  ~Integer() { mpz_clear(value_); }

  mpz_ptr get() { return value_; }
  std::string decimal() const {
    std::string digits(mpz_sizeinbase(value_, 10) + 2, '\0');
    mpz_get_str(digits.data(), 10, value_);
    digits.resize(digits.find('\0'));
    return digits;
  }

 private:
  mpz_t value_;
};

// Bounds the work before it is begun: base^exponent has at most width(base) * exponent bits.
void require_fits(std::uint64_t base, std::uint64_t exponent) {
  const auto width = static_cast<std::uint64_t>(std::bit_width(base));
  if (width > 1 && exponent > largest_bits / width) throw std::length_error("natural: too many digits");
}

}  // namespace

Natural::Natural(std::uint64_t value) : digits_(std::to_string(value)) {}

// SEQ-3
Natural Natural::power(std::uint64_t base, std::uint64_t exponent) {
  Natural result;
  if (base <= 1) {
    result.digits_ = base == 1 || exponent == 0 ? "1" : "0";
    return result;
  }
  require_fits(base, exponent);
  Integer value(std::to_string(base));
  mpz_pow_ui(value.get(), value.get(), static_cast<unsigned long>(exponent));
  result.digits_ = value.decimal();
  return result;
}

// VOC-2
Natural Natural::factorial(std::uint64_t n) {
  require_fits(n, n);
  Integer value;
  mpz_fac_ui(value.get(), static_cast<unsigned long>(n));
  Natural result;
  result.digits_ = value.decimal();
  return result;
}

Natural operator+(const Natural& a, const Natural& b) {
  Integer x(a.digits_);
  Integer y(b.digits_);
  mpz_add(x.get(), x.get(), y.get());
  Natural result;
  result.digits_ = x.decimal();
  return result;
}

Natural operator*(const Natural& a, const Natural& b) {
  Integer x(a.digits_);
  Integer y(b.digits_);
  mpz_mul(x.get(), x.get(), y.get());
  Natural result;
  result.digits_ = x.decimal();
  return result;
}

}  // namespace etalon
