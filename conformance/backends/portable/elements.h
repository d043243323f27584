/* The elements of a tensor: the four float types as doubles, ids as int64_t, and 64-bit offsets. Every value
 * of every float type here is a double; the way back rounds once, to nearest, ties to even. */
#ifndef ETALON_PORTABLE_ELEMENTS_H
#define ETALON_PORTABLE_ELEMENTS_H

#include <math.h>
#include <string.h>

#include "etalon/backend.h"

static int is_float(int32_t dtype) { return dtype >= ETALON_F64 && dtype <= ETALON_F16; }

static size_t size_of(int32_t dtype) {
  static const size_t sizes[] = {0, 8, 4, 2, 2, 4, 8, 1};
  return sizes[dtype];
}

static char* at(const etalon_tensor* tensor, int64_t offset) {
  return (char*)tensor->data + offset * (int64_t)size_of(tensor->dtype);
}

/* Offset of element (i, j) of a matrix. */
static int64_t offset_of(const etalon_tensor* tensor, int64_t i, int64_t j) {
  return i * tensor->strides[0] + j * tensor->strides[1];
}

/* Bits of the significand and exponent of the smallest normal number of the two 16-bit formats. */
static int precision_of(int32_t dtype) { return dtype == ETALON_F16 ? 11 : 8; }
static int emin_of(int32_t dtype) { return dtype == ETALON_F16 ? -14 : -126; }

static double decode16(uint16_t bits, int32_t dtype) {
  const int p = precision_of(dtype), emin = emin_of(dtype);
  const int exponent = (bits & 0x7fff) >> (p - 1), fraction = bits & ((1 << (p - 1)) - 1);
  double value;
  if (exponent == (0x7fff >> (p - 1)))
    value = fraction != 0 ? (double)NAN : (double)INFINITY;
  else if (exponent == 0)
    value = ldexp(fraction, emin - p + 1);
  else
    value = ldexp(fraction + (1 << (p - 1)), exponent + emin - p);
  return (bits & 0x8000) != 0 ? -value : value;
}

static uint16_t encode16(double value, int32_t dtype) {
  const int p = precision_of(dtype), emin = emin_of(dtype), infinity = 0x7fff >> (p - 1) << (p - 1);
  int bits = infinity;
  if (isnan(value)) {
    bits = infinity | 1 << (p - 2);
  } else if (value == 0) {
    bits = 0;
  } else if (!isinf(value)) {
    /* m units of the last place, 2^(e - p + 1) each. The hidden bit of m, and a carry out of it, add one to
     * the exponent field where they should. */
    const int e = ilogb(value) < emin ? emin : ilogb(value);
    const int m = (int)nearbyint(ldexp(fabs(value), p - 1 - e));
    bits = ((e - emin) << (p - 1)) + m;
    if (bits > infinity) bits = infinity;
  }
  return (uint16_t)(bits | (signbit(value) ? 0x8000 : 0));
}

static double load(const etalon_tensor* tensor, int64_t offset) {
  const char* from = at(tensor, offset);
  double f64;
  float f32;
  uint16_t bits;
  switch (tensor->dtype) {
    case ETALON_F64:
      memcpy(&f64, from, sizeof f64);
      return f64;
    case ETALON_F32:
      memcpy(&f32, from, sizeof f32);
      return (double)f32;
    default:
      memcpy(&bits, from, sizeof bits);
      return decode16(bits, tensor->dtype);
  }
}

static void store(const etalon_tensor* tensor, int64_t offset, double value) {
  char* to = at(tensor, offset);
  const float f32 = (float)value;
  uint16_t bits;
  switch (tensor->dtype) {
    case ETALON_F64:
      memcpy(to, &value, sizeof value);
      return;
    case ETALON_F32:
      memcpy(to, &f32, sizeof f32);
      return;
    default:
      bits = encode16(value, tensor->dtype);
      memcpy(to, &bits, sizeof bits);
  }
}

static int64_t load_id(const etalon_tensor* ids, int64_t i) {
  const char* from = at(ids, i * ids->strides[0]);
  int64_t i64;
  int32_t i32;
  if (ids->dtype == ETALON_I64) {
    memcpy(&i64, from, sizeof i64);
    return i64;
  }
  memcpy(&i32, from, sizeof i32);
  return i32;
}

#endif
