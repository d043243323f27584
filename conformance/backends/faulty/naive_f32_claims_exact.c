/* NUM-3: the same honest code under a claim that it does not keep, exact angles. */
#include "conformance/backends/faulty/naive_f32.h"

FAULT(naive_f32_claims_exact, sinusoidal, naive_f32, {.angle = ETALON_ANGLE_EXACT})
