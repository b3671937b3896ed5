// Operations that JavaScript asks for, as a graph of CUDA: computed again in the same memory, all started together.
#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>

#include "cuda-graph.h"
#include "operations.h"

namespace vlgym {

namespace {

/// What JavaScript holds: closed, it frees the memory of what was recorded.
struct Recorded {
  explicit Recorded(const at::Device& where) : device(where.type(), std::max<c10::DeviceIndex>(where.index(), 0)) {}

  at::Device device;
  std::unique_ptr<CudaGraph> graph;
};

Recorded& recorded(const Call& call, napi_value value) {
  auto& found = *std::static_pointer_cast<Recorded>(fromExternal(call, 0, value, typeid(Recorded)));
  if (!found.graph) throw ArgumentError("the graph is closed");
  return found;
}

}  // namespace

void defineRecorded(const Exports& exports) {
  exports.define("useGraphs", [](bool enabled, bool onCpu) { useGraphs(enabled, onCpu); });
  exports.define("areGraphsInUse", [](at::Device device) { return areGraphsInUse(device); });

  // `operations` is called twice: as usual, as libraries prepare what they need at their first call, and to be recorded.
  exports.define("recordGraph", [](const Call& call, at::Device device, napi_value operations) {
    if (!device.is_cuda()) throw ArgumentError("a graph is recorded on a CUDA device");
    const c10::NoGradGuard noGradients;
    auto made = std::make_shared<Recorded>(device);
    const c10::DeviceGuard guard(made->device);
    napi_value receiver;
    check(call.env, napi_get_undefined(call.env, &receiver));
    const auto compute = [&] {
      napi_value ignored;
      check(call.env, napi_call_function(call.env, receiver, operations, 0, nullptr, &ignored));
    };
    made->graph = std::make_unique<CudaGraph>();
    onSideStream(made->device, compute);
    onSideStream(made->device, [&] { made->graph->record(compute); });
    return external(call, made, typeid(Recorded));
  });
  exports.define("replayGraph", [](const Call& call, napi_value value) {
    const Recorded& found = recorded(call, value);
    const c10::DeviceGuard guard(found.device);
    found.graph->replay();
  });
  exports.define("closeGraph", [](const Call& call, napi_value value) { recorded(call, value).graph.reset(); });
}

}  // namespace vlgym
