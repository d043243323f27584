// NUM-3: the honest common case.
#include "properties/model.hpp"

namespace etalon {

Model Model::common(Dtype dtype) {
  Model model;
  const bool wide = dtype == Dtype::f64;
  model.accumulator = wide ? Dtype::f64 : Dtype::f32;
  model.product_input = model.accumulator;
  model.storage = model.accumulator;
  return model;
}

}  // namespace etalon
