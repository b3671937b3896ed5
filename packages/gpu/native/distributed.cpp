// Groups of processes that add their tensors up: c10d's TCP store and its Gloo back end, both part of libtorch_cpu.
//
// Every call runs on the native thread, in the order it was made, so that all ranks make the same calls in the same
// order, as Gloo needs. A lost rank ends the call of the others: at once when it died, after the time limit when it hangs.
#define USE_C10D_GLOO
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "group.h"
#include "worker.h"

namespace vlgym {

std::shared_ptr<Group> groupOf(const Call& call, napi_value value) {
  return std::static_pointer_cast<Group>(fromExternal(call, 0, value, typeid(Group)));
}

namespace {

class GlooChannel final : public Channel {
 public:
  explicit GlooChannel(c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo) : gloo_(std::move(gloo)) {}

  Wait allReduce(const Tensor& tensor) override {
    vector<Tensor> tensors{tensor};
    return [work = gloo_->allreduce(tensors)] { work->wait(); };
  }

  Wait broadcast(const Tensor& tensor, int64_t root) override {
    vector<Tensor> tensors{tensor};
    c10d::BroadcastOptions options;
    options.rootRank = root;
    return [work = gloo_->broadcast(tensors, options)] { work->wait(); };
  }

  Wait allGather(const Tensor& tensor, const vector<Tensor>& outputs) override {
    vector<vector<Tensor>> all{outputs};
    vector<Tensor> tensors{tensor};
    return [work = gloo_->allgather(all, tensors)] { work->wait(); };
  }

 private:
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo_;
};

/// Starts a call on the native thread and waits for it there.
template <class F>
napi_value collective(const Call& call, napi_value handle, const char* name, F start) {
  auto group = groupOf(call, handle);
  return call.environment.worker().submitBackward(name, [group, start] { orGroupError([&] { start(*group)(); }); });
}

/// A socket that only this machine reaches; c10d itself would listen on every interface.
int listenOnLoopback(uint16_t port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket < 0) throw GroupError("no socket: " + std::string(std::strerror(errno)));
  const int reuse = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 || ::listen(socket, 1024) != 0) {
    const int number = errno;
    ::close(socket);
    throw GroupError("port " + std::to_string(port) + ": " + std::strerror(number));
  }
  return socket;
}

void connect(Group& group) {
  c10d::TCPStoreOptions options;
  options.port = group.port;
  options.isServer = group.isServer;
  options.numWorkers = static_cast<size_t>(group.size);
  options.waitWorkers = false;  // a store of the launcher counts its clients differently; the group below waits for all
  options.timeout = group.timeout;
  if (group.isServer && group.host == "127.0.0.1") options.masterListenFd = listenOnLoopback(group.port);
  auto store = c10::make_intrusive<c10d::TCPStore>(group.host, options);
  store->setTimeout(group.timeout);
  group.store = c10::make_intrusive<c10d::PrefixStore>(group.prefix, store);
  auto gloo = c10d::ProcessGroupGloo::Options::create(group.timeout);
  gloo->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(group.address));
  group.gloo = std::make_unique<GlooChannel>(
      c10::make_intrusive<c10d::ProcessGroupGloo>(group.store, group.rank, group.size, gloo));
  if (group.ncclDevice >= 0) group.nccl = openNccl(group);
}

}  // namespace

void defineDistributed(const Exports& exports) {
  exports.define("newGroup", [](const Call& call, std::string host, int64_t port, bool isServer, int64_t rank,
                                int64_t size, double seconds, std::string prefix, std::string address,
                                int64_t ncclDevice) {
    if (port < 1 || port > 65535) badArgument(1, "a port from 1 to 65535");
    if (size < 1 || size > 65536) badArgument(4, "a number of ranks from 1 to 65536");
    if (rank < 0 || rank >= size) badArgument(3, "a rank below the number of ranks");
    if (!(seconds > 0 && seconds <= 1e6)) badArgument(5, "a time limit of up to 1,000,000 seconds");
    auto group = std::make_shared<Group>();
    group->prefix = std::move(prefix);
    group->host = std::move(host);
    group->address = std::move(address);
    group->port = static_cast<uint16_t>(port);
    group->isServer = isServer;
    group->rank = static_cast<int>(rank);
    group->size = static_cast<int>(size);
    group->ncclDevice = ncclDevice;
    group->timeout = std::chrono::milliseconds(static_cast<int64_t>(seconds * 1000));
    return external(call, std::move(group), typeid(Group));
  });
  exports.define("connectGroup", [](const Call& call, napi_value handle) {
    auto group = groupOf(call, handle);
    return call.environment.worker().submit("connectGroup", [group] { orGroupError([&] { connect(*group); }); });
  });
  exports.define("allReduce", [](const Call& call, napi_value handle, const Tensor& tensor) {
    return collective(call, handle, "allReduce", [tensor = Tensor(tensor)](Group& group) {
      return group.channel(tensor.device()).allReduce(tensor);
    });
  });
  exports.define("broadcast", [](const Call& call, napi_value handle, const Tensor& tensor, int64_t root) {
    return collective(call, handle, "broadcast", [tensor = Tensor(tensor), root](Group& group) {
      return group.channel(tensor.device()).broadcast(tensor, root);
    });
  });
  exports.define("allGather",
                 [](const Call& call, napi_value handle, const Tensor& tensor, const vector<Tensor>& outputs) {
                   return collective(call, handle, "allGather", [tensor = Tensor(tensor), outputs](Group& group) {
                     return group.channel(tensor.device()).allGather(tensor, outputs);
                   });
                 });
  exports.define("barrier", [](const Call& call, napi_value handle) {
    return collective(call, handle, "barrier", [](Group& group) {
      return group.channel(at::Device(at::kCPU)).allReduce(at::zeros({1}));
    });
  });
  exports.define("ncclProblem", [] { return ncclProblem(); });
  exports.define("closeGroup", [](const Call& call, napi_value handle) {
    auto group = groupOf(call, handle);
    return call.environment.worker().submit("closeGroup", [group] {
      group->nccl.reset();
      group->gloo.reset();
      group->store.reset();
    });
  });
}

}  // namespace vlgym
