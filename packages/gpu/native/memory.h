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
/// Tensors of some megabytes come and go in every step. By default glibc gives their memory back to the system, and the
/// system clears every page again for the next ones: a fifth of the time of a small model. From now on up to 256 MB of it
/// stay with the process.
void keepFreedMemory();
MemoryUse memoryUse(const at::Device& device);
/// The peak starts again from what is held now.
void resetPeakMemory(const at::Device& device);

}  // namespace vlgym
