// Everything that differs between the libtorch versions we build against (2.7 and later) and between its CPU and
// CUDA builds. The rest of the addon is written against what they share.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <torch/version.h>

#include "prelude.h"

#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 7)
#error "libtorch 2.7 or later is needed"
#endif

namespace vlgym::compat {

/// A generator of its own, on any device.
inline at::Generator newGenerator(const at::Device& device) {
  if (device.is_cpu()) return at::make_generator<at::CPUGeneratorImpl>();
  return at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
}

/// Number of CUDA devices; 0 in a CPU build or without a driver.
inline int64_t cudaDeviceCount() {
  return at::hasCUDA() ? static_cast<int64_t>(at::detail::getCUDAHooks().deviceCount()) : 0;
}

/// Waits until the device has done what was asked of it; nothing to do on the CPU.
inline void synchronize(const at::Device& device) {
  if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

}  // namespace vlgym::compat
