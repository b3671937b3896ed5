#include "memory.h"

#include <c10/core/CPUAllocator.h>
#include <c10/core/alignment.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "compat.h"

namespace vlgym {

namespace {

std::atomic<int64_t> held{0};
std::atomic<int64_t> most{0};

void add(int64_t bytes) {
  const int64_t now = held.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t before = most.load(std::memory_order_relaxed);
  while (now > before && !most.compare_exchange_weak(before, now, std::memory_order_relaxed)) {
  }
}

/// In front of every piece of memory: what gives it back. It keeps the alignment of what follows.
struct alignas(c10::gAlignment) Header {
  void* context;
  c10::DeleterFnPtr deleter;
  int64_t bytes;
};

void giveBack(void* data) {
  if (!data) return;
  const Header header = *(static_cast<Header*>(data) - 1);
  held.fetch_sub(header.bytes, std::memory_order_relaxed);
  header.deleter(header.context);
}

/// The allocator that was there before, with a count.
class Counting final : public c10::Allocator {
 public:
  explicit Counting(c10::Allocator* inner) : inner_(inner) {}

  c10::DataPtr allocate(size_t bytes) override {
    if (bytes == 0) return {nullptr, nullptr, &giveBack, c10::Device(c10::DeviceType::CPU)};
    c10::DataPtr memory = inner_->allocate(bytes + sizeof(Header));
    auto* header = static_cast<Header*>(memory.get());
    const auto deleter = memory.get_deleter();
    *header = {memory.release_context(), deleter, static_cast<int64_t>(bytes)};
    add(header->bytes);
    return {header + 1, header + 1, &giveBack, c10::Device(c10::DeviceType::CPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &giveBack; }

  void copy_data(void* to, const void* from, size_t bytes) const override { default_copy_data(to, from, bytes); }

 private:
  c10::Allocator* inner_;
};

}  // namespace

void countMemory() {
  static std::once_flag once;
  // Never freed: tensors may outlive every environment.
  std::call_once(once, [] { c10::SetCPUAllocator(new Counting(c10::GetCPUAllocator()), 1); });
}

void keepFreedMemory() {
#if defined(__GLIBC__)
  // whoever has set one of them knows better
  for (const char* name : {"MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"}) {
    if (std::getenv(name)) return;
  }
  mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most that every version takes
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
#endif
}

MemoryUse memoryUse(const at::Device& device) {
  if (!device.is_cpu()) return compat::deviceMemory(device);
  return {held.load(std::memory_order_relaxed), most.load(std::memory_order_relaxed)};
}

void resetPeakMemory(const at::Device& device) {
  if (device.is_cpu()) most.store(held.load(std::memory_order_relaxed), std::memory_order_relaxed);
  else compat::resetPeakMemory(device);
}

}  // namespace vlgym
