// The native thread of one environment: long work runs here, one job after another, so that the event loop of
// JavaScript stays free. A job touches only tensors it has taken by value; its promise settles on the JavaScript
// thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <thread>

#include "environment.h"

namespace vlgym {

/// The number of threads that `setNumThreads` last asked for, in any environment; 0 before the first call.
int requestedThreads();
/// The most that may be asked for: 64, or the logical CPUs where there are more. Every thread that starts operations has
/// a team of this size, and OpenMP ends the process when the system refuses it one.
int mostThreads();
/// Throws ArgumentError outside of 1 … mostThreads().
void requestThreads(int64_t count);

class Worker {
 public:
  explicit Worker(Environment& environment);
  /// Drops what has not started, waits for the job in flight.
  ~Worker();

  /// Runs `work` on the native thread. Returns a promise that resolves to undefined, or rejects with the typed error.
  napi_value submit(const char* operation, std::function<void()> work) { return submit(operation, work, false, nullptr); }
  /// As `submit`, for work that writes gradients.
  napi_value submitBackward(const char* operation, std::function<void()> work) {
    return submit(operation, work, true, nullptr);
  }
  /// As `submit`, for work that makes a tensor: the promise resolves to its handle.
  napi_value submitTensor(const char* operation, std::function<at::Tensor()> work);
  /// Returns when no submitted backward pass is left, however it ended.
  void finishBackward();

 private:
  struct Job {
    const char* operation;
    std::function<void()> work;
    bool isBackward;
    /// Where `work` puts a tensor; null where it makes none.
    std::shared_ptr<at::Tensor> made;
    napi_deferred deferred;
    std::exception_ptr exception;
  };
  napi_value submit(const char* operation, std::function<void()> work, bool isBackward, std::shared_ptr<at::Tensor> made);
  void loop();
  void stop();
  static void settle(napi_env env, napi_value, void* context, void* data);

  Environment& environment_;
  napi_threadsafe_function settled_ = nullptr;
  size_t pending_ = 0;  // JavaScript thread only
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;
  size_t backwards_ = 0;
  std::condition_variable backwardDone_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace vlgym
