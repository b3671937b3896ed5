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
void requestThreads(int count);

class Worker {
 public:
  explicit Worker(Environment& environment);
  /// Drops what has not started, waits for the job in flight.
  ~Worker();

  /// Runs `work` on the native thread. Returns a promise that resolves to undefined, or rejects with the typed error.
  napi_value submit(const char* operation, std::function<void()> work);

 private:
  struct Job {
    const char* operation;
    std::function<void()> work;
    napi_deferred deferred;
    std::exception_ptr exception;
  };
  void loop();
  void stop();
  static void settle(napi_env env, napi_value, void* context, void* data);

  Environment& environment_;
  napi_threadsafe_function settled_ = nullptr;
  size_t pending_ = 0;  // JavaScript thread only
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::unique_ptr<Job>> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace vlgym
