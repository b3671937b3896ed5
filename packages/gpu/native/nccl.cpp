// NCCL without its headers and without CUDA's: the library is loaded at run time, where libtorch has loaded it already, and
// called through its stable C interface (docs.nvidia.com/deeplearning/nccl, "NCCL API"). Tried with two
// ranks on one GPU.
#include <c10/core/DeviceGuard.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include <cstring>
#include <thread>

#include "compat.h"
#include "group.h"

namespace vlgym {

namespace {

struct UniqueId {
  char bytes[128];
};
using Communicator = void*;

/// ncclDataType_t
enum class Type : int { uint8 = 1, int64 = 4, float16 = 6, float32 = 7, float64 = 8, bfloat16 = 9 };
/// ncclRedOp_t
constexpr int kSum = 0;
/// ncclInProgress: a call of a communicator that does not block goes on.
constexpr int kInProgress = 7;

struct Library {
  int (*getUniqueId)(UniqueId*);
  int (*commInitRank)(Communicator*, int, UniqueId, int);
  int (*allReduce)(const void*, void*, size_t, int, int, Communicator, void*);
  int (*broadcast)(const void*, void*, size_t, int, int, Communicator, void*);
  int (*allGather)(const void*, void*, size_t, int, Communicator, void*);
  int (*commGetAsyncError)(Communicator, int*);
  int (*commAbort)(Communicator);
  const char* (*getErrorString)(int);
  /// What went wrong last in this process, in words; absent before NCCL 2.13.
  const char* (*getLastError)(Communicator);
  /// What is missing; empty when all is there.
  std::string problem;
};

template <class F>
void find(Library& library, void* handle, const char* name, F& function) {
  function = reinterpret_cast<F>(::dlsym(handle, name));
  if (!function && library.problem.empty()) library.problem = std::string("libnccl has no ") + name;
}

Library open() {
  Library library{};
  // a CUDA build of libtorch has loaded it; otherwise it may be installed beside the driver
  void* handle = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD);
  if (!handle) handle = ::dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    library.problem = "libnccl.so.2 is not installed";
    return library;
  }
  find(library, handle, "ncclGetUniqueId", library.getUniqueId);
  find(library, handle, "ncclCommInitRank", library.commInitRank);
  find(library, handle, "ncclAllReduce", library.allReduce);
  find(library, handle, "ncclBroadcast", library.broadcast);
  find(library, handle, "ncclAllGather", library.allGather);
  find(library, handle, "ncclCommGetAsyncError", library.commGetAsyncError);
  find(library, handle, "ncclCommAbort", library.commAbort);
  find(library, handle, "ncclGetErrorString", library.getErrorString);
  library.getLastError = reinterpret_cast<const char* (*)(Communicator)>(::dlsym(handle, "ncclGetLastError"));
  return library;
}

const Library& library() {
  static const Library loaded = open();
  return loaded;
}

/// The kind of an error, and what NCCL says of it, as "Duplicate GPU detected".
std::string messageOf(int code) {
  const std::string kind = library().getErrorString(code);
  const char* words = library().getLastError ? library().getLastError(nullptr) : nullptr;
  return words && *words ? kind + ": " + words : kind;
}

void checkNccl(int code) {
  if (code != 0 && code != kInProgress) throw GroupError("NCCL: " + messageOf(code));
}

Type typeOf(const Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kByte: return Type::uint8;
    case at::kLong: return Type::int64;
    case at::kHalf: return Type::float16;
    case at::kFloat: return Type::float32;
    case at::kDouble: return Type::float64;
    case at::kBFloat16: return Type::bfloat16;
    default: throw GroupError("NCCL does not add up tensors of this dtype");
  }
}

class NcclChannel final : public Channel {
 public:
  explicit NcclChannel(Group& group)
      : device_(at::kCUDA, static_cast<c10::DeviceIndex>(group.ncclDevice)), timeout_(group.timeout) {
    UniqueId id{};
    if (group.rank == 0) {
      checkNccl(library().getUniqueId(&id));
      group.store->set("nccl", std::vector<uint8_t>(id.bytes, id.bytes + sizeof(id.bytes)));
    } else {
      const auto bytes = group.store->get("nccl");
      if (bytes.size() != sizeof(id.bytes)) throw GroupError("NCCL: the first rank sent an id of another size");
      std::memcpy(id.bytes, bytes.data(), sizeof(id.bytes));
    }
    const c10::DeviceGuard guard(device_);
    checkNccl(library().commInitRank(&communicator_, group.size, id, group.rank));
  }

  ~NcclChannel() override {
    if (communicator_) library().commAbort(communicator_);
  }

  Wait allReduce(const Tensor& tensor) override {
    return start(tensor, [&](void* data, size_t count, int type, void* stream) {
      return library().allReduce(data, data, count, type, kSum, communicator_, stream);
    });
  }

  Wait broadcast(const Tensor& tensor, int64_t root) override {
    return start(tensor, [&](void* data, size_t count, int type, void* stream) {
      return library().broadcast(data, data, count, type, static_cast<int>(root), communicator_, stream);
    });
  }

  Wait allGather(const Tensor& tensor, const vector<Tensor>& outputs) override {
    const Tensor all = at::empty({static_cast<int64_t>(outputs.size()), tensor.numel()}, tensor.options());
    auto wait = start(tensor, [&](void* data, size_t count, int type, void* stream) {
      return library().allGather(data, all.data_ptr(), count, type, communicator_, stream);
    });
    return [wait, all, outputs] {
      wait();
      for (size_t rank = 0; rank < outputs.size(); ++rank) {
        outputs[rank].reshape({-1}).copy_(all[static_cast<int64_t>(rank)]);
      }
    };
  }

 private:
  template <class F>
  Wait start(const Tensor& tensor, F call) {
    if (!tensor.is_contiguous()) throw GroupError("NCCL needs a contiguous tensor");
    const c10::DeviceGuard guard(device_);
    const auto stream = c10::impl::VirtualGuardImpl(at::kCUDA).getStream(device_);
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 11
    void* const native = stream.native_handle();
#else
    // the default stream: what was asked of the device before must be done
    void* const native = nullptr;
    compat::synchronize(device_);
#endif
    checkNccl(call(tensor.data_ptr(), static_cast<size_t>(tensor.numel()), static_cast<int>(typeOf(tensor)), native));
    auto done = std::make_shared<c10::Event>(at::kCUDA);
    done->record(stream);
    return [this, done, tensor = Tensor(tensor)] { waitFor(*done); };
  }

  /// NCCL has no time limit of its own: a lost rank would leave the others waiting for ever.
  void waitFor(const c10::Event& done) {
    const auto end = std::chrono::steady_clock::now() + timeout_;
    while (!done.query()) {
      int code = 0;
      checkNccl(library().commGetAsyncError(communicator_, &code));
      if (code != 0 && code != kInProgress) abort(messageOf(code));
      if (std::chrono::steady_clock::now() > end) abort("no answer within the time limit");
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
#if TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR < 11
    compat::synchronize(device_);
#endif
  }

  [[noreturn]] void abort(const std::string& reason) {
    library().commAbort(communicator_);
    communicator_ = nullptr;
    throw GroupError("NCCL: " + reason);
  }

  at::Device device_;
  std::chrono::milliseconds timeout_;
  Communicator communicator_ = nullptr;
};

}  // namespace

std::string ncclProblem() {
  if (!at::hasCUDA()) return "libtorch's part for CUDA is not here";
  if (compat::cudaDeviceCount() == 0) return "no CUDA device was found";
  return library().problem;
}

std::unique_ptr<Channel> openNccl(Group& group) {
  const auto problem = ncclProblem();
  if (!problem.empty()) throw GroupError("NCCL: " + problem);
  return std::make_unique<NcclChannel>(group);
}

}  // namespace vlgym
