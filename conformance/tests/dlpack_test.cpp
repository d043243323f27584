// The conversion from DLPack, against DLPack's own types, which are declared here so that the tests need no
// package.
#include <gtest/gtest.h>

#include <cstdint>

#define DLPACK_DLPACK_H_
enum { kDLCPU = 1, kDLCUDA = 2 };
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLComplex = 5 };
struct DLDevice {
  std::int32_t device_type, device_id;
};
struct DLDataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#include "etalon/dlpack.h"
#pragma GCC diagnostic pop

namespace {

struct Sample {
  float data[24] = {};
  std::int64_t shape[3] = {2, 3, 4};
  DLTensor tensor{data, {kDLCPU, 0}, 3, {kDLFloat, 32, 1}, shape, nullptr, 8};
  etalon_tensor out{};
  std::int64_t room[3] = {};

  int convert() { return etalon_from_dlpack(&tensor, &out, room); }
};

TEST(DlPack, dense_tensors_get_row_order_strides) {
  Sample sample;
  ASSERT_EQ(sample.convert(), ETALON_OK);
  EXPECT_EQ(sample.out.data, sample.data + 2);
  EXPECT_EQ(sample.out.ndim, 3);
  EXPECT_EQ(sample.out.dtype, ETALON_F32);
  EXPECT_EQ(sample.out.shape, sample.shape);
  EXPECT_EQ(sample.out.strides[0], 12);
  EXPECT_EQ(sample.out.strides[1], 4);
  EXPECT_EQ(sample.out.strides[2], 1);
}

TEST(DlPack, strides_are_borrowed) {
  Sample sample;
  std::int64_t strides[3] = {-12, 1, 0};
  sample.tensor.strides = strides;
  ASSERT_EQ(sample.convert(), ETALON_OK);
  EXPECT_EQ(sample.out.strides, strides);
}

TEST(DlPack, types_map_one_to_one) {
  const struct {
    std::uint8_t code, bits;
    int want;
  } types[] = {{kDLFloat, 64, ETALON_F64}, {kDLFloat, 16, ETALON_F16}, {kDLBfloat, 16, ETALON_BF16},
               {kDLInt, 32, ETALON_I32},   {kDLInt, 64, ETALON_I64},   {kDLUInt, 8, ETALON_U8}};
  for (const auto& type : types) {
    Sample sample;
    sample.tensor.dtype = {type.code, type.bits, 1};
    ASSERT_EQ(sample.convert(), ETALON_OK);
    EXPECT_EQ(sample.out.dtype, type.want);
  }
}

TEST(DlPack, what_etalon_has_no_word_for_is_unsupported) {
  for (const DLDataType type :
       {DLDataType{kDLInt, 8, 1}, {kDLFloat, 32, 4}, {kDLComplex, 64, 1}, {kDLUInt, 64, 1}}) {
    Sample sample;
    sample.tensor.dtype = type;
    EXPECT_EQ(sample.convert(), ETALON_UNSUPPORTED);
  }
  Sample elsewhere, flat;
  elsewhere.tensor.device.device_type = kDLCUDA;
  EXPECT_EQ(elsewhere.convert(), ETALON_UNSUPPORTED);
  flat.tensor.ndim = 4;
  EXPECT_EQ(flat.convert(), ETALON_UNSUPPORTED);
}

}  // namespace
