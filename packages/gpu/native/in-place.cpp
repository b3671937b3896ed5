// Operations that write into their first argument; they return it so that JavaScript can chain, without a new handle.
#include "operations.h"

namespace vlgym {

namespace {

/// The bits of a float tensor as whole numbers, in the same memory; autograd does not see what happens to them.
Tensor bits(const Tensor& x) {
  const Tensor data = x.variable_data();
  switch (x.element_size()) {
    case 2: return data.view(at::kShort);
    case 4: return data.view(at::kInt);
    case 8: return data.view(at::kLong);
    default: throw ArgumentError("bits are those of numbers of 2, 4 or 8 bytes");
  }
}

}  // namespace

void defineInPlace(const Exports& exports) {
  exports.define("add_", [](const Tensor& x, const Tensor& y, at::Scalar alpha) { x.add_(y, alpha); });
  exports.define("add_Scalar", [](const Tensor& x, at::Scalar y) { x.add_(wrapped(x, y)); });
  exports.define("sub_", [](const Tensor& x, const Tensor& y, at::Scalar alpha) { x.sub_(y, alpha); });
  exports.define("sub_Scalar", [](const Tensor& x, at::Scalar y) { x.sub_(wrapped(x, y)); });
  exports.define("mul_", [](const Tensor& x, const Tensor& y) { x.mul_(y); });
  exports.define("mul_Scalar", [](const Tensor& x, at::Scalar y) { x.mul_(wrapped(x, y)); });
  exports.define("div_", [](const Tensor& x, const Tensor& y) { x.div_(y); });
  exports.define("div_Scalar", [](const Tensor& x, at::Scalar y) { x.div_(wrapped(x, y)); });
  exports.define("zero_", [](const Tensor& x) { x.zero_(); });
  exports.define("fill_", [](const Tensor& x, at::Scalar value) { x.fill_(value); });
  exports.define("copy_", [](const Tensor& x, const Tensor& source) { x.copy_(source); });
  exports.define("clamp_",
                 [](const Tensor& x, optional<at::Scalar> low, optional<at::Scalar> high) { x.clamp_(low, high); });
  exports.define("addcmul_",
                 [](const Tensor& x, const Tensor& a, const Tensor& b, at::Scalar value) { x.addcmul_(a, b, value); });
  exports.define("addcdiv_",
                 [](const Tensor& x, const Tensor& a, const Tensor& b, at::Scalar value) { x.addcdiv_(a, b, value); });
  exports.define("lerp_", [](const Tensor& x, const Tensor& end, at::Scalar weight) { x.lerp_(end, weight); });
  exports.define("maskedFill_",
                 [](const Tensor& x, const Tensor& mask, at::Scalar value) { x.masked_fill_(mask, value); });
  exports.define("scatter_", [](const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
    x.scatter_(dim, index, source);
  });
  exports.define("indexCopy_", [](const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
    x.index_copy_(dim, index, source);
  });
  exports.define("xorBits_", [](const Tensor& x, const Tensor& y) {
    if (x.scalar_type() != y.scalar_type()) throw ArgumentError("both tensors have one dtype");
    bits(x).bitwise_xor_(bits(y));
  });
}

}  // namespace vlgym
