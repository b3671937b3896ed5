// Numbers in and out: typed arrays to tensors and back, and what a tensor says about itself.
#include <cstring>

#include "operations.h"

namespace vlgym {

namespace {

struct View {
  uint8_t* data;
  size_t bytes;
  napi_value buffer;
};

View view(const Call& call, size_t position, napi_value value) {
  napi_typedarray_type type;
  size_t length;
  size_t offset;
  void* data;
  View result{};
  bool isTyped = false;
  napi_is_typedarray(call.env, value, &isTyped);
  if (!isTyped) badArgument(position, "a typed array");
  napi_get_typedarray_info(call.env, value, &type, &length, &data, &result.buffer, &offset);
  static constexpr size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
  result.data = static_cast<uint8_t*>(data);
  result.bytes = length * widths[type];
  return result;
}

int64_t elements(const Ints& shape) {
  int64_t count = 1;
  for (const int64_t size : shape) {
    if (size < 0) throw ArgumentError("shape must have no negative size");
    if (__builtin_mul_overflow(count, size, &count)) throw ArgumentError("shape has too many elements");
  }
  return count;
}

void checkBytes(const View& from, const Ints& shape, at::ScalarType dtype) {
  const auto wanted = static_cast<uint64_t>(elements(shape)) * c10::elementSize(dtype);
  if (from.bytes != wanted) {
    throw ArgumentError("the data has " + std::to_string(from.bytes) + " bytes, shape and dtype ask for " +
                        std::to_string(wanted));
  }
}

}  // namespace

void defineData(const Exports& exports) {
  exports.define("fromData",
                 [](const Call& call, napi_value data, const Ints& shape, at::ScalarType dtype, at::Device device) {
                   const View from = view(call, 0, data);
                   checkBytes(from, shape, dtype);
                   Tensor tensor = at::empty(shape, at::dtype(dtype));
                   if (from.bytes) std::memcpy(tensor.data_ptr(), from.data, from.bytes);
                   return device.is_cpu() ? tensor : tensor.to(device);
                 });

  // Shares the bytes of the typed array; the ArrayBuffer lives as long as any tensor over it.
  exports.define("fromBuffer", [](const Call& call, napi_value data, const Ints& shape, at::ScalarType dtype) {
    call.environment.drainReleases();
    const View from = view(call, 0, data);
    checkBytes(from, shape, dtype);
    if (!from.bytes) return at::empty(shape, at::dtype(dtype));
    napi_ref reference;
    if (napi_create_reference(call.env, from.buffer, 1, &reference) != napi_ok) badArgument(0, "a typed array");
    auto queue = call.environment.releases;
    return at::from_blob(
        from.data, shape,
        [queue, reference](void*) {
          const std::lock_guard<std::mutex> lock(queue->mutex);
          queue->references.push_back(reference);
        },
        at::dtype(dtype));
  });

  // Copies the numbers, row-major, into a typed array of exactly their size.
  exports.define("copyTo", [](const Call& call, const Tensor& x, napi_value data) {
    const View to = view(call, 1, data);
    const Tensor source = x.detach().cpu().contiguous();
    if (to.bytes != source.nbytes()) badArgument(1, "a typed array of the tensor's size");
    if (to.bytes) std::memcpy(to.data, source.data_ptr(), to.bytes);
  });

  exports.define("item", [](const Tensor& x) {
    const at::Scalar value = x.item();
    return value.isBoolean() ? (value.toBool() ? 1.0 : 0.0) : value.toDouble();
  });
  exports.define("shape", [](const Tensor& x) { return Ints(x.sizes().vec()); });
  exports.define("strides", [](const Tensor& x) { return Ints(x.strides().vec()); });
  exports.define("dtype", [](const Tensor& x) { return static_cast<int64_t>(x.scalar_type()); });
  exports.define("device", [](const Tensor& x) { return x.device().str(); });
  exports.define("isContiguous", [](const Tensor& x) { return x.is_contiguous(); });
  exports.define("sharesStorage", [](const Tensor& x, const Tensor& y) {
    return x.storage().unsafeGetStorageImpl() == y.storage().unsafeGetStorageImpl();
  });
}

}  // namespace vlgym
