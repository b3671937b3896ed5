#include "worker.h"

#include <ATen/Parallel.h>

#include <atomic>

namespace vlgym {

namespace {
std::atomic<int> threadsWanted{0};
}

int requestedThreads() { return threadsWanted.load(); }

void requestThreads(int count) {
  threadsWanted.store(count);
  at::set_num_threads(count);
}

Worker::Worker(Environment& environment) : environment_(environment) {
  napi_value name;
  napi_create_string_utf8(environment.env, "vlgym native thread", NAPI_AUTO_LENGTH, &name);
  napi_create_threadsafe_function(environment.env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, settle,
                                  &settled_);
  // An idle native thread must not keep the process alive.
  napi_unref_threadsafe_function(environment.env, settled_);
  // Hooks run last in, first out: the thread stops before N-API closes the function above.
  napi_add_env_cleanup_hook(environment.env, [](void* worker) { static_cast<Worker*>(worker)->stop(); }, this);
  thread_ = std::thread([this] { loop(); });
}

Worker::~Worker() { stop(); }

void Worker::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
    jobs_.clear();
  }
  changed_.notify_one();
  thread_.join();
  napi_release_threadsafe_function(settled_, napi_tsfn_abort);
}

napi_value Worker::submit(const char* operation, std::function<void()> work) {
  napi_value promise;
  auto job = std::make_unique<Job>(Job{operation, std::move(work), nullptr, nullptr});
  napi_create_promise(environment_.env, &job->deferred, &promise);
  if (pending_++ == 0) napi_ref_threadsafe_function(environment_.env, settled_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return promise;
}

void Worker::loop() {
  int threads = 0;
  while (true) {
    std::unique_ptr<Job> job;
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      if (stopping_) return;
      job = std::move(jobs_.front());
      jobs_.pop_front();
    }
    // OpenMP keeps the number of threads per calling thread: follow the one that JavaScript last asked for.
    if (threads != requestedThreads()) {
      threads = requestedThreads();
      if (threads > 0) at::set_num_threads(threads);
    }
    try {
      job->work();
    } catch (...) {
      job->exception = std::current_exception();
    }
    job->work = nullptr;  // drops its tensors here, not on the JavaScript thread
    Job* finished = job.release();
    if (napi_call_threadsafe_function(settled_, finished, napi_tsfn_blocking) != napi_ok) delete finished;
  }
}

void Worker::settle(napi_env env, napi_value, void* context, void* data) {
  const std::unique_ptr<Job> job(static_cast<Job*>(data));
  if (!env) return;  // the environment is going away, nobody waits any more
  auto* worker = static_cast<Worker*>(context);
  if (--worker->pending_ == 0) napi_unref_threadsafe_function(env, worker->settled_);
  if (job->exception) {
    napi_reject_deferred(env, job->deferred,
                         worker->environment_.describeException(job->exception, std::string(job->operation) + "()"));
    return;
  }
  napi_value undefined;
  napi_get_undefined(env, &undefined);
  napi_resolve_deferred(env, job->deferred, undefined);
}

}  // namespace vlgym
