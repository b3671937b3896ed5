// What a group of processes is to the rest of the addon: channels that add tensors up.
#pragma once

#include <torch/csrc/distributed/c10d/Store.hpp>

#include <chrono>
#include <functional>

#include "operations.h"

namespace vlgym {

/// Waits for a call that was started, and throws GroupError where it failed.
using Wait = std::function<void()>;

/// One way between the ranks. All ranks start the same calls in the same order; tensors live until `Wait` returns.
struct Channel {
  virtual ~Channel() = default;
  /// In place: the sum over all ranks.
  virtual Wait allReduce(const Tensor& tensor) = 0;
  /// In place: the tensor of rank `root`.
  virtual Wait broadcast(const Tensor& tensor, int64_t root) = 0;
  /// Fills one tensor per rank.
  virtual Wait allGather(const Tensor& tensor, const vector<Tensor>& outputs) = 0;
};

struct Group {
  std::string prefix;
  std::string host;
  std::string address;
  uint16_t port;
  bool isServer;
  int rank;
  int size;
  std::chrono::milliseconds timeout;
  /// CUDA device of the NCCL channel; negative without one.
  int64_t ncclDevice;
  c10::intrusive_ptr<c10d::Store> store;
  /// Tensors in memory of the CPU.
  std::unique_ptr<Channel> gloo;
  /// Tensors on CUDA devices; absent unless asked for.
  std::unique_ptr<Channel> nccl;

  /// The channel for tensors on this device. Throws GroupError before `connectGroup` and after `closeGroup`.
  Channel& channel(const at::Device& device) const {
    if (!gloo) throw GroupError("the process group is not connected");
    if (device.is_cpu()) return *gloo;
    if (!nccl) throw GroupError("a group without NCCL adds up tensors of the CPU only");
    return *nccl;
  }
};

std::shared_ptr<Group> groupOf(const Call& call, napi_value value);

/// Runs `work`; what libtorch throws in it becomes a GroupError.
template <class F>
void orGroupError(F work) {
  try {
    work();
  } catch (const GroupError&) {
    throw;
  } catch (const c10::Error& error) {
    throw GroupError(error.what_without_backtrace());
  } catch (const std::exception& error) {
    throw GroupError(error.what());
  }
}

/// Why NCCL cannot be used here; empty where it can.
std::string ncclProblem();
/// Throws GroupError.
std::unique_ptr<Channel> openNccl(Group& group);

}  // namespace vlgym
