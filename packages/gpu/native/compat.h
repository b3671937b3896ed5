// Everything that differs between the libtorch versions we build against (2.7 and later) and between its CPU and
// CUDA builds. The rest of the addon is written against what they share.
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <torch/version.h>

#include "memory.h"

#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 9
#include <c10/core/CachingDeviceAllocator.h>
#define VLGYM_HAS_DEVICE_STATISTICS 1
#endif

#if TORCH_VERSION_MAJOR < 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 7)
#error "libtorch 2.7 or later is needed"
#endif

namespace vlgym::compat {

/// A generator of its own, on any device.
inline at::Generator newGenerator(const at::Device& device) {
  if (device.is_cpu()) return at::make_generator<at::CPUGeneratorImpl>();
  return at::globalContext().getAcceleratorHooksInterface(device.type()).getNewGenerator(device.index());
}

/// A generator on another device that starts from the next number of one of the CPU.
inline at::Generator seededBy(const at::Generator& source, const at::Device& device) {
  auto* numbers = at::check_generator<at::CPUGeneratorImpl>(source);
  at::Generator result = newGenerator(device);
  const std::lock_guard<std::mutex> lock(numbers->mutex_);
  result.set_current_seed(numbers->random64());
  return result;
}

/// Number of CUDA devices; 0 in a CPU build or without a driver.
inline int64_t cudaDeviceCount() {
  return at::hasCUDA() ? static_cast<int64_t>(at::detail::getCUDAHooks().deviceCount()) : 0;
}

/// Waits until the device has done what was asked of it; nothing to do on the CPU.
inline void synchronize(const at::Device& device) {
  if (device.is_cuda()) at::detail::getCUDAHooks().deviceSynchronize(device.index());
}

/// What the caching allocator of a device has given out; nothing before libtorch 2.9.
inline MemoryUse deviceMemory(const at::Device& device) {
#ifdef VLGYM_HAS_DEVICE_STATISTICS
  if (device.is_cuda() && at::hasCUDA()) {
    at::globalContext().lazyInitDevice(device.type());  // the allocator has no devices before
    const auto statistics = c10::getDeviceAllocator(device.type())->getDeviceStats(std::max<c10::DeviceIndex>(device.index(), 0));
    const auto& bytes = statistics.allocated_bytes[0];
    return {bytes.current, bytes.peak};
  }
#endif
  return {0, 0};
}

inline void resetPeakMemory(const at::Device& device) {
#ifdef VLGYM_HAS_DEVICE_STATISTICS
  if (device.is_cuda() && at::hasCUDA()) {
    at::globalContext().lazyInitDevice(device.type());
    c10::getDeviceAllocator(device.type())->resetPeakStats(std::max<c10::DeviceIndex>(device.index(), 0));
  }
#endif
}

}  // namespace vlgym::compat
