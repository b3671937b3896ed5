// Tensors out of nothing. The last two arguments are always dtype and device.
#include "operations.h"

namespace vlgym {

namespace {
at::TensorOptions options(at::ScalarType dtype, at::Device device) { return at::dtype(dtype).device(device); }
}  // namespace

void defineCreation(const Exports& exports) {
  exports.define("zeros", [](const Shape& shape, at::ScalarType dtype, at::Device device) {
    return at::zeros(shape, options(dtype, device));
  });
  exports.define("ones", [](const Shape& shape, at::ScalarType dtype, at::Device device) {
    return at::ones(shape, options(dtype, device));
  });
  exports.define("empty", [](const Shape& shape, at::ScalarType dtype, at::Device device) {
    return at::empty(shape, options(dtype, device));
  });
  exports.define("full", [](const Shape& shape, at::Scalar value, at::ScalarType dtype, at::Device device) {
    return at::full(shape, value, options(dtype, device));
  });
  exports.define("arange", [](at::Scalar start, at::Scalar end, at::Scalar step, at::ScalarType dtype,
                              at::Device device) { return at::arange(start, end, step, options(dtype, device)); });
  exports.define("linspace", [](at::Scalar start, at::Scalar end, int64_t steps, at::ScalarType dtype,
                                at::Device device) { return at::linspace(start, end, steps, options(dtype, device)); });
  exports.define("eye", [](int64_t rows, int64_t columns, at::ScalarType dtype, at::Device device) {
    return at::eye(rows, columns, options(dtype, device));
  });
  exports.define("zerosLike", [](const Tensor& x) { return at::zeros_like(x); });
  exports.define("onesLike", [](const Tensor& x) { return at::ones_like(x); });
  exports.define("emptyLike", [](const Tensor& x) { return at::empty_like(x); });
  exports.define("fullLike", [](const Tensor& x, at::Scalar value) { return at::full_like(x, value); });
}

}  // namespace vlgym
