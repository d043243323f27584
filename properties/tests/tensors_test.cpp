#include "properties/tensors.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace etalon {
namespace {

constexpr Layout layouts[] = {Layout::dense, Layout::padded, Layout::transposed, Layout::reversed,
                              Layout::unaligned};
constexpr Dtype dtypes[] = {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16,
                            Dtype::i32, Dtype::i64, Dtype::u8};

TEST(TensorsTest, EveryElementHasItsOwnPlaceInEveryLayout) {
  for (const Layout layout : layouts) {
    for (const Dtype dtype : dtypes) {
      for (const Shape& shape :
           {Shape{}, Shape{5}, Shape{3, 4}, Shape{2, 3, 4}, Shape{0}, Shape{3, 0}, Shape{0, 3}}) {
        Tensor tensor(dtype, shape, layout);
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
          tensor.set_bits(i, static_cast<std::uint64_t>(i + 1));
        for (std::int64_t i = 0; i < tensor.elements(); ++i)
          ASSERT_EQ(tensor.bits(i), static_cast<std::uint64_t>(i + 1));
        EXPECT_FALSE(tensor.first_damage()) << to_string(shape) << " layout " << static_cast<int>(layout);
      }
    }
  }
}

TEST(TensorsTest, TheViewAddressesTheSameElements) {
  for (const Layout layout : layouts) {
    Tensor tensor(Dtype::f32, {2, 3, 4}, layout);
    for (std::int64_t i = 0; i < 24; ++i) tensor.set(i, static_cast<double>(i));
    for (std::int64_t i = 0; i < 24; ++i) {
      float value = 0;
      std::memcpy(&value, element(tensor.view(), i / 12, i / 4 % 3, i % 4), sizeof value);
      EXPECT_EQ(value, static_cast<float>(i));
    }
  }
}

TEST(TensorsTest, LayoutsHaveTheStridesTheyPromise) {
  EXPECT_EQ(Tensor(Dtype::f32, {3, 4}, Layout::padded).view().stride[0], 7);
  EXPECT_EQ(Tensor(Dtype::f32, {3, 4}, Layout::transposed).view().stride[1], 3);
  EXPECT_EQ(Tensor(Dtype::f32, {3, 4}, Layout::reversed).view().stride[0], -4);
  const auto address =
      reinterpret_cast<std::uintptr_t>(Tensor(Dtype::f64, {3}, Layout::unaligned).view().data);
  EXPECT_EQ(address % 64, 8U);
}

TEST(TensorsTest, AWriteToAnyByteOutsideTheElementsShows) {
  for (const Layout layout : layouts) {
    Tensor tensor(Dtype::f32, {3, 4}, layout);
    auto* const origin = static_cast<std::byte*>(tensor.view().data);
    std::vector<bool> inside(400, false);  // offsets -200 .. 199 around the first element
    for (std::int64_t i = 0; i < 12; ++i) {
      const auto offset = element(tensor.view(), i / 4, i % 4) - origin;
      for (std::ptrdiff_t b = 0; b < 4; ++b) inside[static_cast<std::size_t>(offset + b + 200)] = true;
    }
    for (std::ptrdiff_t offset = -100; offset < 180; ++offset) {
      if (inside[static_cast<std::size_t>(offset + 200)]) continue;
      const std::byte kept = origin[offset];
      origin[offset] = std::byte{0x00};
      ASSERT_EQ(tensor.first_damage(), offset) << "layout " << static_cast<int>(layout);
      origin[offset] = kept;
    }
    EXPECT_FALSE(tensor.first_damage());
  }
}

TEST(TensorsTest, GapsReadAsNanInEveryFloatFormat) {
  for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::bf16, Dtype::f16}) {
    const Tensor tensor(dtype, {2, 4}, Layout::padded);
    const std::uint64_t gap = load_bits(element(tensor.view(), 0, 5), size_of(dtype));
    EXPECT_TRUE(std::isnan(decode(format_of(dtype), gap))) << name_of(dtype);
  }
}

TEST(TensorsTest, PoisonIsRecognisedAndOnlyWhereItIs) {
  Tensor tensor(Dtype::f16, {2, 3}, Layout::padded);
  tensor.poison();
  tensor.set(4, 1.5);
  for (std::int64_t i = 0; i < 6; ++i) {
    EXPECT_EQ(tensor.poisoned(i), i != 4);
    EXPECT_FALSE(tensor.poisoned(i, Tensor::second_poison));
  }
  EXPECT_FALSE(tensor.first_damage());
}

TEST(TensorsTest, SameBytesComparesElementsAcrossLayouts) {
  Tensor dense(Dtype::f32, {3, 4});
  Tensor padded(Dtype::f32, {3, 4}, Layout::padded);
  for (std::int64_t i = 0; i < 12; ++i) {
    dense.set(i, 0.5 * static_cast<double>(i));
    padded.set(i, 0.5 * static_cast<double>(i));
  }
  EXPECT_TRUE(dense.same_bytes(padded));
  EXPECT_TRUE(dense.same_bytes(dense.clone()));
  padded.set_bits(0, 0x80000000U);  // -0 for 0
  EXPECT_FALSE(dense.same_bytes(padded));
  EXPECT_FALSE(dense.same_bytes(Tensor(Dtype::f32, {4, 3})));
}

TEST(TensorsTest, ImpossibleShapesAreRefused) {
  EXPECT_THROW((Shape{-1}), std::length_error);
  EXPECT_THROW((Shape{1, 1, 1, 1}), std::length_error);
  EXPECT_THROW(Tensor(Dtype::f64, {std::int64_t{1} << 40, std::int64_t{1} << 40}), std::length_error);
}

}  // namespace
}  // namespace etalon
