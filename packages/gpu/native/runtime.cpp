// Versions, threads, devices, and the life of tensors.
#include <ATen/Parallel.h>

#include "compat.h"
#include "memory.h"
#include "operations.h"
#include "worker.h"

namespace vlgym {

void defineRuntime(const Exports& exports) {
  // Attention by cuDNN prepares a plan per shape, and each decoding step has a new shape. With libtorch 2.11 it also failed at a
  // misaligned address on an H200.
  at::globalContext().setSDPUseCuDNN(false);

  exports.define("setErrorFactory", [](const Call& call, napi_value factory) {
    napi_valuetype type;
    check(call.env, napi_typeof(call.env, factory, &type));
    if (type != napi_function) badArgument(0, "a function");
    napi_ref reference;
    check(call.env, napi_create_reference(call.env, factory, 1, &reference));
    const napi_ref before = std::exchange(call.environment.errorFactory, reference);
    if (before) check(call.env, napi_delete_reference(call.env, before));
  });
  exports.define("version", [] { return std::string(TORCH_VERSION); });
  exports.define("hasCuda", [] { return at::hasCUDA(); });
  exports.define("cudaDeviceCount", [] { return compat::cudaDeviceCount(); });
  exports.define("synchronize", [](at::Device device) { compat::synchronize(device); });
  exports.define("getNumThreads", [] { return static_cast<int64_t>(at::get_num_threads()); });
  exports.define("mostThreads", [] { return static_cast<int64_t>(mostThreads()); });
  exports.define("setNumThreads", [](int64_t count) { requestThreads(count); });

  exports.define("dispose", [](const Call& call, double handle) { return call.environment.tensors.release(handle); });
  exports.define("aliveTensors",
                 [](const Call& call) { return static_cast<int64_t>(call.environment.tensors.alive()); });
  exports.define("aliveBytes",
                 [](const Call& call) { return static_cast<int64_t>(call.environment.tensors.bytes()); });
  exports.define("allocatedBytes", [](at::Device device) { return memoryUse(device).bytes; });
  exports.define("peakBytes", [](at::Device device) { return memoryUse(device).peak; });
  exports.define("resetPeakBytes", [](at::Device device) { resetPeakMemory(device); });
  // A second handle on the same tensor: its life is its own.
  exports.define("alias", [](const Tensor& x) { return x; });
}

}  // namespace vlgym
