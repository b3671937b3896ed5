// Bytes that libtorch holds, and the most it has held: whatever allocates them, handles of JavaScript, an autograd graph,
// or a kernel for its own use.
#pragma once

#include "prelude.h"

namespace vlgym {

struct MemoryUse {
  int64_t bytes;
  int64_t peak;
};

/// Counts what the CPU's allocator gives from now on, in the whole process. Later calls do nothing.
void countMemory();
MemoryUse memoryUse(const at::Device& device);
/// The peak starts again from what is held now.
void resetPeakMemory(const at::Device& device);

}  // namespace vlgym
