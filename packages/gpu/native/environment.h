// What one JavaScript environment (the main thread or a worker thread) owns: the table of live tensors, the factory
// of typed errors, the native thread for long work. Nothing is shared between environments.
#pragma once

#include <memory>
#include <typeinfo>
#include <unordered_map>

#include "prelude.h"

namespace vlgym {

/// A handle that was disposed, or never existed.
struct DisposedError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An argument of the wrong JavaScript type.
struct ArgumentError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A collective call failed: a rank is missing, died or hangs.
struct GroupError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A JavaScript exception is on its way already, for example from a getter of an argument: nothing is put in its place.
struct PendingException {};

/// Looks at the result of an N-API call. Throws PendingException when JavaScript threw, else a plain error.
void check(napi_env env, napi_status status);

/// A failed call of the operating system; `number` is its errno.
struct SystemError : std::runtime_error {
  SystemError(const std::string& what, int number) : std::runtime_error(what), number(number) {}
  int number;
};

/// Live tensors by integer handle: the low 28 bits are a slot, the 24 bits above it the generation of that slot.
/// A handle therefore fits a JavaScript number exactly, and a stale one is noticed instead of reaching a stranger.
class TensorTable {
 public:
  double insert(at::Tensor tensor);
  const at::Tensor& at(double handle) const;
  /// Forgets the handle; false when it was gone already.
  bool release(double handle);
  void clear();
  size_t alive() const { return slots_.size() - free_.size(); }
  /// Bytes of the distinct storages behind the live handles: views count once.
  size_t bytes() const;

 private:
  struct Slot {
    at::Tensor tensor;
    uint32_t generation = 0;
  };
  const Slot* find(double handle) const;

  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
};

class Worker;

/// The native objects that JavaScript holds, by address and kind. A value from elsewhere (another addon, Node itself) is
/// recognized here without looking into its memory, and a generator is never taken for a file.
using Externals = std::unordered_map<const void*, const std::type_info*>;

class Environment {
 public:
  explicit Environment(napi_env env);
  ~Environment();

  napi_env env;
  TensorTable tensors;
  std::shared_ptr<Externals> externals = std::make_shared<Externals>();
  napi_ref errorFactory = nullptr;

  /// The native thread, started on first use.
  Worker& worker();
  /// Waits for the backward passes on the native thread: gradients are theirs until then.
  void finishBackward();
  /// Builds the typed JavaScript error for the exception in flight.
  napi_value describeException(const std::exception_ptr& exception, const std::string& operation);

 private:
  std::unique_ptr<Worker> worker_;
};

}  // namespace vlgym
