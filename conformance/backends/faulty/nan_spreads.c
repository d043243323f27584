/* EMB-3: the lookup is done by a product with one-hot rows, so 0 times the NaN of an unused row reaches the
 * result. */
#include "conformance/backends/faulty/fault.h"

FAULT(nan_spreads, embed, embed_product, {0})
