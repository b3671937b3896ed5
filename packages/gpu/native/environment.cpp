#include "environment.h"

#include <c10/util/Exception.h>

#include <unordered_set>

#include "worker.h"

namespace vlgym {

namespace {

constexpr uint64_t kSlotBits = 28;
constexpr uint64_t kSlotMask = (uint64_t{1} << kSlotBits) - 1;
constexpr uint32_t kGenerationMask = (1U << 24) - 1;

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

napi_value string(napi_env env, const std::string& text) {
  napi_value value;
  napi_create_string_utf8(env, text.data(), text.size(), &value);
  return value;
}

}  // namespace

void check(napi_env env, napi_status status) {
  if (status == napi_ok) return;
  bool pending = false;
  if (status == napi_pending_exception || (napi_is_exception_pending(env, &pending) == napi_ok && pending)) {
    throw PendingException{};
  }
  throw std::runtime_error("N-API refused with status " + std::to_string(status));
}

double TensorTable::insert(at::Tensor tensor) {
  uint32_t index;
  if (free_.empty()) {
    if (slots_.size() > kSlotMask) throw std::runtime_error("too many live tensors");
    index = static_cast<uint32_t>(slots_.size());
    slots_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Slot& slot = slots_[index];
  slot.tensor = std::move(tensor);
  return static_cast<double>((uint64_t{slot.generation} << kSlotBits) | index);
}

const TensorTable::Slot* TensorTable::find(double handle) const {
  if (!(handle >= 0) || handle > 9007199254740991.0) return nullptr;
  const auto bits = static_cast<uint64_t>(handle);
  const uint64_t index = bits & kSlotMask;
  if (index >= slots_.size()) return nullptr;
  const Slot& slot = slots_[index];
  return slot.generation == (bits >> kSlotBits) && slot.tensor.defined() ? &slot : nullptr;
}

const at::Tensor& TensorTable::at(double handle) const {
  const Slot* slot = find(handle);
  if (!slot) throw DisposedError("the tensor was disposed");
  return slot->tensor;
}

bool TensorTable::release(double handle) {
  auto* slot = const_cast<Slot*>(find(handle));
  if (!slot) return false;
  slot->generation = (slot->generation + 1) & kGenerationMask;
  free_.push_back(static_cast<uint32_t>(slot - slots_.data()));
  // Last, on a local: dropping a tensor may run destructors of a whole graph.
  at::Tensor last = std::move(slot->tensor);
  slot->tensor = at::Tensor();
  return true;
}

void TensorTable::clear() {
  slots_.clear();
  free_.clear();
}

size_t TensorTable::bytes() const {
  std::unordered_set<const void*> seen;
  size_t total = 0;
  for (const Slot& slot : slots_) {
    if (!slot.tensor.defined() || !slot.tensor.has_storage()) continue;
    const auto& storage = slot.tensor.storage();
    if (seen.insert(storage.unsafeGetStorageImpl()).second) total += storage.nbytes();
  }
  return total;
}

Environment::Environment(napi_env env) : env(env) {}

Environment::~Environment() {
  worker_.reset();  // waits for the job in flight
  tensors.clear();
}

Worker& Environment::worker() {
  if (!worker_) worker_ = std::make_unique<Worker>(*this);
  return *worker_;
}

void Environment::finishBackward() {
  if (worker_) worker_->finishBackward();
}

napi_value Environment::describeException(const std::exception_ptr& exception, const std::string& operation) {
  std::string code = "TORCH_ERROR";
  std::string message;
  int number = 0;
  try {
    std::rethrow_exception(exception);
  } catch (const DisposedError& error) {
    code = "TENSOR_DISPOSED";
    message = error.what();
  } catch (const ArgumentError& error) {
    code = "BAD_ARGUMENT";
    message = error.what();
  } catch (const SystemError& error) {
    code = "SYSTEM_ERROR";
    message = error.what();
    number = error.number;
  } catch (const GroupError& error) {
    code = "PROCESS_GROUP_FAILED";
    message = firstLine(error.what());
  } catch (const c10::OutOfMemoryError& error) {
    code = "OUT_OF_MEMORY";
    message = firstLine(error.what_without_backtrace());
  } catch (const c10::Error& error) {
    message = firstLine(error.what_without_backtrace());
    // The allocator of the CPU has no exception class of its own.
    if (message.find("DefaultCPUAllocator") != std::string::npos) code = "OUT_OF_MEMORY";
  } catch (const std::bad_alloc&) {
    code = "OUT_OF_MEMORY";
    message = "out of memory";
  } catch (const std::exception& error) {
    message = firstLine(error.what());
  } catch (...) {
    message = "unknown native exception";
  }

  napi_value result = nullptr;
  napi_value factory = nullptr;
  if (errorFactory) napi_get_reference_value(env, errorFactory, &factory);
  if (factory) {
    napi_value receiver;
    napi_value arguments[4] = {string(env, code), string(env, operation), string(env, message), nullptr};
    napi_get_undefined(env, &receiver);
    napi_create_int32(env, number, &arguments[3]);
    if (napi_call_function(env, receiver, factory, 4, arguments, &result) == napi_ok) return result;
    // The factory threw: its error gives way to the one it was to describe.
    napi_value thrown;
    napi_get_and_clear_last_exception(env, &thrown);
  }
  napi_create_error(env, string(env, code), string(env, operation + ": " + message), &result);
  return result;
}

}  // namespace vlgym
