// Operations of a CUDA device that are recorded once and started together: a decoding step is several hundred small
// kernels, and starting them one by one takes longer than they do.
#pragma once

#include <c10/core/Device.h>

#include <functional>
#include <memory>

#include "prelude.h"

namespace vlgym {

/// Where they are possible; on until `false`, in the whole process. `onCpu`: there the same is computed in the same memory, with
/// nothing recorded, for tests; off at the start.
void useGraphs(bool enabled, bool onCpu);
bool areGraphsInUse(const c10::Device& device);

/// On another stream, where it can be recorded: after everything on the current one, and before what comes on it later. Each
/// thread has one per device: libraries keep 32 MB for every stream that a thread multiplies on.
void onSideStream(const c10::Device& device, const std::function<void()>& work);

class CudaGraph {
 public:
  /// False where libtorch is older than 2.12 and the addon was built without the headers of CUDA's runtime.
  static bool isAvailable();

  CudaGraph();
  ~CudaGraph();

  /// Records what `operations` ask of the device; nothing is computed. To be called once, where the current stream is not the
  /// default one. Their tensors are new or outlive the graph, and no operation may wait for the device.
  void record(const std::function<void()>& operations);
  /// Computes it on the current stream, with what the tensors hold by then.
  void replay();

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace vlgym
