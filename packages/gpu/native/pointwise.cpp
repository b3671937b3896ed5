// Element by element: arithmetic, comparison, logic, conversion.
#include "operations.h"

namespace vlgym {

#define UNARY(name, method) exports.define(name, [](const Tensor& x) { return x.method(); })
#define BINARY(name, method)                                                          \
  exports.define(name, [](const Tensor& x, const Tensor& y) { return x.method(y); }); \
  exports.define(name "Scalar", [](const Tensor& x, at::Scalar y) { return x.method(wrapped(x, y)); })

namespace {

/// Where a whole divisor is −1, if anywhere. x86 traps on the smallest integer divided by −1 and libtorch leaves that to
/// the processor, so the process would die of SIGFPE.
optional<Tensor> minusOnes(const Tensor& x, const Tensor& y) {
  const bool divides = x.is_cpu() && y.is_cpu() && c10::isIntegralType(at::result_type(x, y), false);
  const bool canHold = y.scalar_type() == at::kInt || y.scalar_type() == at::kLong;
  if (!divides || !canHold) return std::nullopt;
  const Tensor places = y.eq(-1);
  return places.any().item<bool>() ? optional<Tensor>(places) : std::nullopt;
}

}  // namespace

void definePointwise(const Exports& exports) {
  exports.define("add", [](const Tensor& x, const Tensor& y, at::Scalar alpha) { return x.add(y, alpha); });
  exports.define("addScalar", [](const Tensor& x, at::Scalar y) { return x.add(wrapped(x, y)); });
  exports.define("sub", [](const Tensor& x, const Tensor& y, at::Scalar alpha) { return x.sub(y, alpha); });
  exports.define("subScalar", [](const Tensor& x, at::Scalar y) { return x.sub(wrapped(x, y)); });
  BINARY("mul", mul);
  BINARY("div", div);
  // The scalar form knows shortcuts that a tensor hides.
  exports.define("pow", [](const Tensor& x, const Tensor& y) { return x.pow(y); });
  exports.define("powScalar", [](const Tensor& x, at::Scalar y) { return x.pow(y); });
  // x % 1 is 0, as x % -1 is.
  exports.define("remainder", [](const Tensor& x, const Tensor& y) {
    const auto trap = minusOnes(x, y);
    return trap ? x.remainder(y.masked_fill(*trap, 1)) : x.remainder(y);
  });
  exports.define("remainderScalar", [](const Tensor& x, at::Scalar y) {
    const Tensor divisor = wrapped(x, y);
    return x.remainder(minusOnes(x, divisor) ? wrapped(x, 1) : divisor);
  });
  exports.define("floorDivide", [](const Tensor& x, const Tensor& y) {
    const auto trap = minusOnes(x, y);
    if (!trap) return x.floor_divide(y);
    const Tensor quotient = x.floor_divide(y.masked_fill(*trap, 1));
    return at::where(*trap, quotient.neg(), quotient);
  });
  exports.define("floorDivideScalar", [](const Tensor& x, at::Scalar y) {
    const Tensor divisor = wrapped(x, y);
    return minusOnes(x, divisor) ? x.floor_divide(wrapped(x, 1)).neg() : x.floor_divide(divisor);
  });
  BINARY("eq", eq);
  BINARY("ne", ne);
  BINARY("lt", lt);
  BINARY("le", le);
  BINARY("gt", gt);
  BINARY("ge", ge);
  exports.define("rsubScalar", [](const Tensor& x, at::Scalar y) { return wrapped(x, y).sub(x); });
  exports.define("maximum", [](const Tensor& x, const Tensor& y) { return at::maximum(x, y); });
  exports.define("minimum", [](const Tensor& x, const Tensor& y) { return at::minimum(x, y); });
  exports.define("atan2", [](const Tensor& x, const Tensor& y) { return at::atan2(x, y); });
  exports.define("logicalAnd", [](const Tensor& x, const Tensor& y) { return x.logical_and(y); });
  exports.define("logicalOr", [](const Tensor& x, const Tensor& y) { return x.logical_or(y); });
  exports.define("logicalXor", [](const Tensor& x, const Tensor& y) { return x.logical_xor(y); });
  exports.define("addcmul", [](const Tensor& x, const Tensor& a, const Tensor& b, at::Scalar value) {
    return x.addcmul(a, b, value);
  });
  exports.define("addcdiv", [](const Tensor& x, const Tensor& a, const Tensor& b, at::Scalar value) {
    return x.addcdiv(a, b, value);
  });
  exports.define("lerp", [](const Tensor& x, const Tensor& end, at::Scalar weight) { return x.lerp(end, weight); });
  exports.define(
      "clamp", [](const Tensor& x, optional<at::Scalar> low, optional<at::Scalar> high) { return x.clamp(low, high); });
  exports.define("clampTensor", [](const Tensor& x, const optional<Tensor>& low, const optional<Tensor>& high) {
    return x.clamp(low, high);
  });
  exports.define("where",
                 [](const Tensor& condition, const Tensor& x, const Tensor& y) { return at::where(condition, x, y); });
  exports.define("to", [](const Tensor& x, optional<at::ScalarType> dtype, optional<at::Device> device) {
    return x.to(at::TensorOptions().dtype(dtype.value_or(x.scalar_type())).device(device.value_or(x.device())));
  });
  exports.define("gelu", [](const Tensor& x, const std::string& approximate) { return at::gelu(x, approximate); });
  exports.define("leakyRelu", [](const Tensor& x, at::Scalar slope) { return at::leaky_relu(x, slope); });
  exports.define("nanToNum", [](const Tensor& x, optional<double> nan, optional<double> positive,
                                optional<double> negative) { return x.nan_to_num(nan, positive, negative); });

  UNARY("neg", neg);
  UNARY("abs", abs);
  UNARY("sign", sign);
  UNARY("exp", exp);
  UNARY("expm1", expm1);
  UNARY("log", log);
  UNARY("log1p", log1p);
  UNARY("log2", log2);
  UNARY("sqrt", sqrt);
  UNARY("rsqrt", rsqrt);
  UNARY("square", square);
  UNARY("reciprocal", reciprocal);
  UNARY("sin", sin);
  UNARY("cos", cos);
  UNARY("tanh", tanh);
  UNARY("sigmoid", sigmoid);
  UNARY("relu", relu);
  UNARY("erf", erf);
  UNARY("floor", floor);
  UNARY("ceil", ceil);
  UNARY("round", round);
  UNARY("trunc", trunc);
  UNARY("logicalNot", logical_not);
  UNARY("isnan", isnan);
  UNARY("isinf", isinf);
  UNARY("isfinite", isfinite);
  UNARY("clone", clone);
  UNARY("contiguous", contiguous);
  exports.define("silu", [](const Tensor& x) { return at::silu(x); });
  exports.define("softplus", [](const Tensor& x) { return at::softplus(x); });
  exports.define("logSigmoid", [](const Tensor& x) { return at::log_sigmoid(x); });
}

}  // namespace vlgym
