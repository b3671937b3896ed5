#include "bind.h"

#include <ATen/ScalarOps.h>

#include <sstream>

#include "compat.h"

namespace vlgym {

namespace {

struct External {
  std::shared_ptr<Externals> registry;
  std::shared_ptr<void> owner;

  ~External() { registry->erase(this); }
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
  bool pending = false;
  if (napi_is_exception_pending(call.env, &pending) != napi_ok || pending) return nullptr;
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
  check(call.env, napi_get_value_string_utf8(call.env, value, result.data(), length + 1, &length));
  return result;
}

/// Those that `DTYPES` of the TypeScript side offers; libtorch indexes tables by this number.
at::ScalarType dtype(const Call& call, size_t position, napi_value value) {
  switch (integer(call, position, value)) {
    case 0: return at::kByte;
    case 3: return at::kInt;
    case 4: return at::kLong;
    case 5: return at::kHalf;
    case 6: return at::kFloat;
    case 7: return at::kDouble;
    case 11: return at::kBool;
    case 15: return at::kBFloat16;
    default: badArgument(position, "the number of a dtype");
  }
}

at::Device device(const Call& call, size_t position, napi_value value) {
  const std::string name = text(call, position, value);
  if (name == "cpu") return at::Device(at::kCPU);
  const bool isDevice = name.rfind("cuda:", 0) == 0 && name.size() > 5 && name.size() <= 8 &&
                        name.find_first_not_of("0123456789", 5) == std::string::npos;
  if (name != "cuda" && !isDevice) badArgument(position, "a device: cpu, cuda or cuda:N");
  const int64_t index = isDevice ? std::stoll(name.substr(5)) : 0;
  const int64_t count = compat::cudaDeviceCount();
  if (index >= count) throw ArgumentError("there is no device " + name + ": " + std::to_string(count) + " CUDA devices");
  return isDevice ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(index)) : at::Device(at::kCUDA);
}

void checkShape(const Shape& shape) {
  if (shape.size() > kMostDimensions) {
    throw ArgumentError("a shape has at most " + std::to_string(kMostDimensions) + " dimensions, not " +
                        std::to_string(shape.size()));
  }
  int64_t bytes = 16;  // more than any dtype's
  for (const int64_t size : shape) {
    if (size > 0 && __builtin_mul_overflow(bytes, size, &bytes)) throw ArgumentError("the shape has too many elements");
  }
}

bool isNullish(napi_env env, napi_value value) {
  napi_valuetype type;
  check(env, napi_typeof(env, value, &type));
  return type == napi_undefined || type == napi_null;
}

napi_value external(const Call& call, std::shared_ptr<void> owner, const std::type_info& kind) {
  napi_value value;
  std::unique_ptr<External> held(new External{call.environment.externals, std::move(owner)});
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<External*>(data); };
  check(call.env, napi_create_external(call.env, held.get(), finalize, nullptr, &value));
  call.environment.externals->emplace(held.release(), &kind);
  return value;
}

std::shared_ptr<void> fromExternal(const Call& call, size_t position, napi_value value, const std::type_info& kind) {
  napi_valuetype type;
  void* data = nullptr;
  if (napi_typeof(call.env, value, &type) == napi_ok && type == napi_external &&
      napi_get_value_external(call.env, value, &data) == napi_ok) {
    const auto found = call.environment.externals->find(data);
    if (found != call.environment.externals->end() && *found->second == kind) {
      return static_cast<External*>(data)->owner;
    }
  }
  badArgument(position, "a native object of this kind");
}

void Exports::add(const char* name, uint32_t tensorArguments, bool touchesGradients, napi_callback callback) const {
  const napi_env env = environment.env;
  auto operation = std::make_unique<Operation>(Operation{&environment, name, tensorArguments, touchesGradients});
  napi_value function;
  check(env, napi_create_function(env, name, NAPI_AUTO_LENGTH, callback, operation.get(), &function));
  const auto finalize = [](napi_env, void* data, void*) { delete static_cast<Operation*>(data); };
  check(env, napi_add_finalizer(env, function, operation.get(), finalize, nullptr, nullptr));
  operation.release();  // the finalizer deletes it
  check(env, napi_set_named_property(env, object, name, function));
}

}  // namespace vlgym
