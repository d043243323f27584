/* No fault: float angles, and declared as such. */
#include "conformance/backends/faulty/naive_f32.h"

FAULT(naive_f32_position, sinusoidal, naive_f32, {.angle = ETALON_ANGLE_WORKING})
