// Numbers in and out: typed arrays to tensors and back, and what a tensor says about itself.
#include <cstring>
#include <iterator>

#include "operations.h"

namespace vlgym {

namespace {

struct View {
  uint8_t* data;
  size_t bytes;
};

/// The memory of a typed array as it is now. It is JavaScript's: nothing that may run JavaScript comes between this
/// call and the last use, and nothing is kept, because a buffer may be transferred or resized at any time afterwards.
View view(const Call& call, size_t position, napi_value value) {
  bool isTyped = false;
  if (napi_is_typedarray(call.env, value, &isTyped) != napi_ok || !isTyped) badArgument(position, "a typed array");
  static constexpr size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8};
  // Node leaves the type alone where its N-API has no number for it (Float16Array).
  auto type = static_cast<napi_typedarray_type>(std::size(widths));
  size_t length = 0;
  void* data = nullptr;
  check(call.env, napi_get_typedarray_info(call.env, value, &type, &length, &data, nullptr, nullptr));
  if (static_cast<size_t>(type) >= std::size(widths)) badArgument(position, "a typed array of a known kind");
  return {static_cast<uint8_t*>(data), data ? length * widths[type] : 0};
}

void checkBytes(const View& from, const Shape& shape, at::ScalarType dtype) {
  int64_t wanted = static_cast<int64_t>(c10::elementSize(dtype));
  for (const int64_t size : shape) {
    if (size < 0) throw ArgumentError("shape must have no negative size");
    if (__builtin_mul_overflow(wanted, size, &wanted)) throw ArgumentError("shape has too many elements");
  }
  if (from.bytes != static_cast<uint64_t>(wanted)) {
    throw ArgumentError("the data has " + std::to_string(from.bytes) + " bytes, shape and dtype ask for " +
                        std::to_string(wanted));
  }
}

}  // namespace

void zeroOrOne(const Tensor& tensor) {
  auto* bytes = static_cast<uint8_t*>(tensor.data_ptr());
  for (size_t i = 0; i < tensor.nbytes(); ++i) bytes[i] = bytes[i] != 0;
}

void defineData(const Exports& exports) {
  // Copies: N-API can neither keep the memory of an ArrayBuffer alive nor tell of its transfer.
  exports.define("fromData",
                 [](const Call& call, napi_value data, const Shape& shape, at::ScalarType dtype, at::Device device) {
                   const View from = view(call, 0, data);
                   checkBytes(from, shape, dtype);
                   // pinned, a device copies it while this thread goes on; the allocator keeps it until then
                   Tensor tensor = at::empty(shape, at::dtype(dtype).pinned_memory(!device.is_cpu()));
                   if (from.bytes) std::memcpy(tensor.data_ptr(), from.data, from.bytes);
                   if (dtype == at::kBool) zeroOrOne(tensor);
                   return device.is_cpu() ? tensor : tensor.to(device, /*non_blocking=*/true);
                 });

  // Copies the numbers, row-major, into a typed array of exactly their size.
  exports.define("copyTo", [](const Call& call, const Tensor& x, napi_value data) {
    const Tensor source = x.detach().cpu().contiguous();
    const View to = view(call, 1, data);
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
