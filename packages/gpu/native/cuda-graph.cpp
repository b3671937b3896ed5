#include "cuda-graph.h"

#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/version.h>

#include <atomic>

// From 2.12 on libtorch has graphs without CUDA's headers.
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 12
#include <ATen/accelerator/Graph.h>
#define VLGYM_HAS_GRAPHS 1
using Graph = at::accelerator::Graph;
constexpr auto kThreadLocal = at::GraphCaptureMode::ThreadLocal;
#elif defined(VLGYM_HAS_CUDA_HEADERS)
#include <ATen/cuda/CUDAGraph.h>
#define VLGYM_HAS_GRAPHS 1
using Graph = at::cuda::CUDAGraph;
constexpr auto kThreadLocal = cudaStreamCaptureModeThreadLocal;
#endif

namespace vlgym {

namespace {

std::atomic<bool> areInUse{true};
std::atomic<bool> areImitated{false};

}  // namespace

void useGraphs(bool enabled, bool onCpu) {
  areInUse = enabled;
  areImitated = enabled && onCpu;
}

bool areGraphsInUse(const c10::Device& device) {
  return device.is_cuda() ? areInUse && CudaGraph::isAvailable() : areImitated.load();
}

void onSideStream(const c10::Device& device, const std::function<void()>& work) {
  thread_local std::vector<std::optional<c10::Stream>> streams;
  const c10::impl::VirtualGuardImpl implementation(at::kCUDA);
  const c10::Stream current = implementation.getStream(device);
  if (streams.size() <= static_cast<size_t>(device.index())) streams.resize(device.index() + 1);
  auto& side = streams[device.index()];
  if (!side) side = implementation.getStreamFromGlobalPool(device);
  const auto follow = [](const c10::Stream& first, const c10::Stream& second) {
    c10::Event done(at::kCUDA);
    done.record(first);
    done.block(second);
  };
  follow(current, *side);
  {
    const c10::StreamGuard guard(*side);
    work();
  }
  follow(*side, current);
}

#ifdef VLGYM_HAS_GRAPHS

struct CudaGraph::Implementation {
  Graph graph;
};

bool CudaGraph::isAvailable() { return true; }

CudaGraph::CudaGraph() : implementation_(std::make_unique<Implementation>()) {}

void CudaGraph::record(const std::function<void()>& operations) {
  auto& graph = implementation_->graph;
  // other threads may allocate meanwhile
  graph.capture_begin({0, 0}, kThreadLocal);
  try {
    operations();
  } catch (...) {
    try {
      graph.capture_end();
    } catch (const c10::Error&) {  // the first error says more
    }
    throw;
  }
  graph.capture_end();
}

void CudaGraph::replay() { implementation_->graph.replay(); }

#else

struct CudaGraph::Implementation {};

bool CudaGraph::isAvailable() { return false; }

CudaGraph::CudaGraph() { throw std::logic_error("the addon was built without the headers of CUDA"); }

void CudaGraph::record(const std::function<void()>&) {}

void CudaGraph::replay() {}

#endif

CudaGraph::~CudaGraph() = default;

}  // namespace vlgym
