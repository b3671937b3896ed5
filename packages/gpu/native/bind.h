// The binder: turns a C++ lambda into a JavaScript function by reading the lambda's own signature.
//
//   define(exports, "add", [](const Tensor& a, const Tensor& b) { return a.add(b); });
//
// Tensors travel as integer handles, dtypes as libtorch's type numbers, devices as strings, lists as arrays; an
// `std::optional` accepts null and undefined. Whatever is thrown becomes a typed JavaScript error.
#pragma once

#include "environment.h"

namespace vlgym {

using at::Tensor;

/// One exported function; lives as long as its environment.
struct Operation {
  Environment* environment;
  const char* name;
  /// Bit i is set when argument i is a tensor: error messages then show its dtype and shape.
  uint32_t tensorArguments;
  /// It reads or writes gradients, which a backward pass on the native thread may be writing: it waits for that.
  bool touchesGradients;
};

struct Call {
  const Operation& operation;
  Environment& environment;
  napi_env env;
  const napi_value* arguments;
};

/// Throws ArgumentError naming the position and what was expected.
[[noreturn]] void badArgument(size_t position, const char* expected);
/// Builds and throws the JavaScript error for the C++ exception in flight; always returns nullptr.
napi_value report(const Call& call);

double number(const Call& call, size_t position, napi_value value);
int64_t integer(const Call& call, size_t position, napi_value value);
at::Scalar scalar(const Call& call, size_t position, napi_value value);
/// The number as a tensor of no dimensions that takes part in type promotion as a number. For float tensors it has
/// their dtype already: libtorch's own wrapping makes a double and converts it in the kernel, three times the cost.
Tensor wrapped(const Tensor& x, const at::Scalar& value);
std::string text(const Call& call, size_t position, napi_value value);
bool isNullish(napi_env env, napi_value value);
at::ScalarType dtype(const Call& call, size_t position, napi_value value);
at::Device device(const Call& call, size_t position, napi_value value);
napi_value external(const Call& call, std::shared_ptr<void> owner, const std::type_info& kind);
std::shared_ptr<void> fromExternal(const Call& call, size_t position, napi_value value, const std::type_info& kind);

/// The most entries of a list argument.
constexpr uint32_t kLongestList = 1U << 20;
/// The most dimensions of a shape; libtorch's own reductions end there.
constexpr size_t kMostDimensions = 64;

/// The sizes of a tensor, −1 allowed where libtorch fills it in: at most 64, and their product counts bytes in 64 bits.
struct Shape : std::vector<int64_t> {};
void checkShape(const Shape& shape);

// ---- arguments -----------------------------------------------------------------------------------------------------

template <class T>
struct Argument;

template <>
struct Argument<Tensor> {
  // By value: reading a later argument may run a getter that disposes the tensor or moves the table.
  static Tensor from(const Call& call, size_t position, napi_value value) {
    double handle;
    if (napi_get_value_double(call.env, value, &handle) != napi_ok) badArgument(position, "a tensor");
    return call.environment.tensors.at(handle);
  }
};

template <>
struct Argument<double> {
  static double from(const Call& call, size_t position, napi_value value) { return number(call, position, value); }
};

template <>
struct Argument<int64_t> {
  static int64_t from(const Call& call, size_t position, napi_value value) { return integer(call, position, value); }
};

template <>
struct Argument<bool> {
  static bool from(const Call& call, size_t position, napi_value value) {
    bool result;
    if (napi_get_value_bool(call.env, value, &result) != napi_ok) badArgument(position, "a boolean");
    return result;
  }
};

template <>
struct Argument<at::Scalar> {
  static at::Scalar from(const Call& call, size_t position, napi_value value) { return scalar(call, position, value); }
};

template <>
struct Argument<at::ScalarType> {
  static at::ScalarType from(const Call& call, size_t position, napi_value value) {
    return dtype(call, position, value);
  }
};

template <>
struct Argument<std::string> {
  static std::string from(const Call& call, size_t position, napi_value value) { return text(call, position, value); }
};

template <>
struct Argument<at::Device> {
  static at::Device from(const Call& call, size_t position, napi_value value) {
    return device(call, position, value);
  }
};

template <>
struct Argument<at::Generator> {
  static at::Generator from(const Call& call, size_t position, napi_value value) {
    return *std::static_pointer_cast<at::Generator>(fromExternal(call, position, value, typeid(at::Generator)));
  }
};

/// The raw value, for the few functions that look at buffers themselves.
template <>
struct Argument<napi_value> {
  static napi_value from(const Call&, size_t, napi_value value) { return value; }
};

template <class T>
struct Argument<std::vector<T>> {
  static std::vector<T> from(const Call& call, size_t position, napi_value value) {
    uint32_t length;
    if (napi_get_array_length(call.env, value, &length) != napi_ok) badArgument(position, "an array");
    if (length > kLongestList) {
      throw ArgumentError("argument " + std::to_string(position + 1) + " has " + std::to_string(length) +
                          " entries, at most " + std::to_string(kLongestList) + " are allowed");
    }
    std::vector<T> result;
    for (uint32_t i = 0; i < length; ++i) {
      napi_value element;
      check(call.env, napi_get_element(call.env, value, i, &element));
      result.push_back(Argument<T>::from(call, position, element));
    }
    return result;
  }
};

template <>
struct Argument<Shape> {
  static Shape from(const Call& call, size_t position, napi_value value) {
    Shape shape{Argument<std::vector<int64_t>>::from(call, position, value)};
    checkShape(shape);
    return shape;
  }
};

template <class T>
struct Argument<std::optional<T>> {
  static std::optional<T> from(const Call& call, size_t position, napi_value value) {
    if (isNullish(call.env, value)) return std::nullopt;
    return Argument<T>::from(call, position, value);
  }
};

// ---- results -------------------------------------------------------------------------------------------------------

inline napi_value result(const Call& call, Tensor tensor) {
  napi_value value;
  if (!tensor.defined()) {
    check(call.env, napi_get_null(call.env, &value));
    return value;
  }
  const double handle = call.environment.tensors.insert(std::move(tensor));
  check(call.env, napi_create_double(call.env, handle, &value));
  return value;
}

inline napi_value result(const Call& call, double number) {
  napi_value value;
  check(call.env, napi_create_double(call.env, number, &value));
  return value;
}

inline napi_value result(const Call& call, int64_t number) {
  napi_value value;
  check(call.env, napi_create_int64(call.env, number, &value));
  return value;
}

inline napi_value result(const Call& call, bool flag) {
  napi_value value;
  check(call.env, napi_get_boolean(call.env, flag, &value));
  return value;
}

inline napi_value result(const Call& call, const std::string& text) {
  napi_value value;
  check(call.env, napi_create_string_utf8(call.env, text.data(), text.size(), &value));
  return value;
}

inline napi_value result(const Call&, napi_value value) { return value; }

inline napi_value result(const Call& call, at::Generator generator) {
  return external(call, std::make_shared<at::Generator>(std::move(generator)), typeid(at::Generator));
}

template <class T>
napi_value listResult(const Call& call, const T* items, size_t count) {
  napi_value array;
  check(call.env, napi_create_array_with_length(call.env, count, &array));
  for (size_t i = 0; i < count; ++i) {
    check(call.env, napi_set_element(call.env, array, static_cast<uint32_t>(i), result(call, items[i])));
  }
  return array;
}

inline napi_value result(const Call& call, const std::vector<Tensor>& tensors) {
  return listResult(call, tensors.data(), tensors.size());
}

inline napi_value result(const Call& call, at::IntArrayRef numbers) {
  return listResult(call, numbers.data(), numbers.size());
}

template <class... T>
napi_value result(const Call& call, std::tuple<T...> tensors) {
  return std::apply([&](auto&... each) { return result(call, std::vector<Tensor>{each...}); }, tensors);
}

// ---- the binder ----------------------------------------------------------------------------------------------------

template <class F>
struct Signature : Signature<decltype(&F::operator())> {};

template <class F, class R, class... A>
struct Signature<R (F::*)(A...) const> {
  static constexpr size_t arity = sizeof...(A);

  static constexpr uint32_t tensorMask() {
    uint32_t mask = 0;
    uint32_t bit = 1;
    ((mask |= std::is_same_v<std::decay_t<A>, Tensor> ? bit : 0, bit <<= 1), ...);
    return mask;
  }

  template <size_t... I>
  static napi_value invoke(const Call& call, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) {
      F{}(Argument<std::decay_t<A>>::from(call, I, call.arguments[I])...);
      return nullptr;  // undefined
    } else {
      return result(call, F{}(Argument<std::decay_t<A>>::from(call, I, call.arguments[I])...));
    }
  }
};

/// Functions that need the environment take `const Call&` first; everything else is plain libtorch.
template <class F, class R, class... A>
struct Signature<R (F::*)(const Call&, A...) const> {
  static constexpr size_t arity = sizeof...(A);
  static constexpr uint32_t tensorMask() { return 0; }

  template <size_t... I>
  static napi_value invoke(const Call& call, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) {
      F{}(call, Argument<std::decay_t<A>>::from(call, I, call.arguments[I])...);
      return nullptr;
    } else {
      return result(call, F{}(call, Argument<std::decay_t<A>>::from(call, I, call.arguments[I])...));
    }
  }
};

template <class F>
napi_value entry(napi_env env, napi_callback_info info) {
  using S = Signature<F>;
  napi_value arguments[S::arity + 1];
  size_t count = S::arity;
  void* data;
  if (napi_get_cb_info(env, info, &count, arguments, nullptr, &data) != napi_ok) return nullptr;
  const auto& operation = *static_cast<const Operation*>(data);
  const Call call{operation, *operation.environment, env, arguments};
  try {
    if (operation.touchesGradients) call.environment.finishBackward();
    return S::invoke(call, std::make_index_sequence<S::arity>{});
  } catch (...) {
    return report(call);
  }
}

/// Where functions are put: the exports object of one environment.
struct Exports {
  Environment& environment;
  napi_value object;

  void add(const char* name, uint32_t tensorArguments, bool touchesGradients, napi_callback callback) const;

  template <class F>
  void define(const char* name, F) const {
    add(name, Signature<F>::tensorMask(), false, entry<F>);
  }

  /// As `define`, for functions that read or write gradients.
  template <class F>
  void defineGradient(const char* name, F) const {
    add(name, Signature<F>::tensorMask(), true, entry<F>);
  }
};

}  // namespace vlgym
