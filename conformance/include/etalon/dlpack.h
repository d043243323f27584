/* A DLPack tensor seen as an Etalon tensor, without a copy. Include <dlpack/dlpack.h> before this file;
 * Etalon itself needs it nowhere. */
#ifndef ETALON_DLPACK_H
#define ETALON_DLPACK_H

#include "etalon/backend.h"

#ifndef DLPACK_DLPACK_H_
#error "include <dlpack/dlpack.h> before <etalon/dlpack.h>"
#endif

/* Fills *out, which borrows from *in and, where *in has no strides (DLPack: dense, row order), from
 * `strides`, room for 3. ETALON_UNSUPPORTED where the tensor is not in host memory, has more than 3 axes, or
 * has a type that Etalon does not know. */
static inline int etalon_from_dlpack(const DLTensor* in, etalon_tensor* out, int64_t strides[3]) {
  static const struct {
    uint8_t code, bits;
    int32_t dtype;
  } types[] = {{kDLFloat, 64, ETALON_F64}, {kDLFloat, 32, ETALON_F32}, {kDLBfloat, 16, ETALON_BF16},
               {kDLFloat, 16, ETALON_F16}, {kDLInt, 32, ETALON_I32},   {kDLInt, 64, ETALON_I64},
               {kDLUInt, 8, ETALON_U8}};
  int32_t dtype = 0;
  int64_t step = 1;
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].code == in->dtype.code && types[i].bits == in->dtype.bits) dtype = types[i].dtype;
  if (dtype == 0 || in->dtype.lanes != 1 || in->ndim < 0 || in->ndim > 3) return ETALON_UNSUPPORTED;
  if (in->device.device_type != kDLCPU) return ETALON_UNSUPPORTED;
  for (int axis = in->ndim - 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= in->shape[axis];
  }
  out->data = (char*)in->data + in->byte_offset;
  out->ndim = in->ndim;
  out->dtype = dtype;
  out->shape = in->shape;
  out->strides = in->strides != NULL ? in->strides : strides;
  return ETALON_OK;
}

#endif /* ETALON_DLPACK_H */
