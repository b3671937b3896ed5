#include "bind.h"

#include <ATen/ScalarOps.h>

#include <sstream>

namespace vlgym {

namespace {

constexpr uint32_t kExternalMagic = 0x766c6779;

struct External {
  uint32_t magic;
  std::shared_ptr<void> owner;
};

std::string describe(const Tensor& tensor) {
  std::ostringstream out;
  out << tensor.scalar_type() << " [";
  for (int64_t i = 0; i < tensor.dim(); ++i) out << (i ? ", " : "") << tensor.size(i);
  out << "]";
  return out.str();
}

}  // namespace

void badArgument(size_t position, const char* expected) {
  throw ArgumentError("argument " + std::to_string(position + 1) + " must be " + expected);
}

napi_value report(const Call& call) {
  const std::exception_ptr exception = std::current_exception();
  std::string operation = call.operation.name;
  operation += "(";
  bool first = true;
  for (size_t i = 0; i < 32; ++i) {
    if (!(call.operation.tensorArguments >> i & 1U)) continue;
    double handle = -1;
    napi_get_value_double(call.env, call.arguments[i], &handle);
    operation += first ? "" : ", ";
    first = false;
    try {
      operation += describe(call.environment.tensors.at(handle));
    } catch (const DisposedError&) {
      operation += "disposed";
    }
  }
  operation += ")";
  napi_throw(call.env, call.environment.describeException(exception, operation));
  return nullptr;
}

double number(const Call& call, size_t position, napi_value value) {
  double result;
  if (napi_get_value_double(call.env, value, &result) != napi_ok) badArgument(position, "a number");
  return result;
}

int64_t integer(const Call& call, size_t position, napi_value value) {
  double result;
  if (napi_get_value_double(call.env, value, &result) == napi_ok) {
    if (std::trunc(result) != result || std::abs(result) > 9007199254740991.0) badArgument(position, "an integer");
    return static_cast<int64_t>(result);
  }
  int64_t big;
  bool lossless = false;
  if (napi_get_value_bigint_int64(call.env, value, &big, &lossless) != napi_ok || !lossless) {
    badArgument(position, "an integer");
  }
  return big;
}

/// Whole numbers become integer scalars, as `tensor + 1` in Python: an int64 tensor stays int64. -0 keeps its sign.
at::Scalar scalar(const Call& call, size_t position, napi_value value) {
  double result;
  if (napi_get_value_double(call.env, value, &result) == napi_ok) {
    const bool whole = std::trunc(result) == result && std::abs(result) <= 9007199254740991.0;
    if (whole && !(result == 0 && std::signbit(result))) return at::Scalar(static_cast<int64_t>(result));
    return at::Scalar(result);
  }
  bool flag;
  if (napi_get_value_bool(call.env, value, &flag) == napi_ok) return at::Scalar(flag);
  int64_t big;
  bool lossless = false;
  if (napi_get_value_bigint_int64(call.env, value, &big, &lossless) == napi_ok && lossless) return at::Scalar(big);
  badArgument(position, "a number, a boolean or an int64 bigint");
}

Tensor wrapped(const Tensor& x, const at::Scalar& value) {
  const bool sameKind = x.is_floating_point() && !value.isBoolean();
  Tensor result =
      sameKind ? at::detail::scalar_tensor_static(value, x.scalar_type(), at::kCPU) : c10::scalar_to_tensor(value);
  result.unsafeGetTensorImpl()->set_wrapped_number(true);
  return result;
}

std::string text(const Call& call, size_t position, napi_value value) {
  size_t length;
  if (napi_get_value_string_utf8(call.env, value, nullptr, 0, &length) != napi_ok) badArgument(position, "a string");
  std::string result(length, '\0');
  napi_get_value_string_utf8(call.env, value, result.data(), length + 1, &length);
  return result;
}

bool isNullish(napi_env env, napi_value value) {
  napi_valuetype type;
  napi_typeof(env, value, &type);
  return type == napi_undefined || type == napi_null;
}

napi_value external(napi_env env, std::shared_ptr<void> owner) {
  napi_value value;
  napi_create_external(
      env, new External{kExternalMagic, std::move(owner)},
      [](napi_env, void* data, void*) { delete static_cast<External*>(data); }, nullptr, &value);
  return value;
}

std::shared_ptr<void> fromExternal(const Call& call, size_t position, napi_value value) {
  napi_valuetype type;
  void* data;
  if (napi_typeof(call.env, value, &type) != napi_ok || type != napi_external ||
      napi_get_value_external(call.env, value, &data) != napi_ok ||
      static_cast<External*>(data)->magic != kExternalMagic) {
    badArgument(position, "a native object of this addon");
  }
  return static_cast<External*>(data)->owner;
}

void Exports::add(const char* name, uint32_t tensorArguments, napi_callback callback) const {
  auto* operation = new Operation{&environment, name, tensorArguments};
  napi_value function;
  napi_create_function(environment.env, name, NAPI_AUTO_LENGTH, callback, operation, &function);
  napi_add_finalizer(
      environment.env, function, operation, [](napi_env, void* data, void*) { delete static_cast<Operation*>(data); },
      nullptr, nullptr);
  napi_set_named_property(environment.env, object, name, function);
}

}  // namespace vlgym
