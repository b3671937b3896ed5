#include "worker.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>

namespace vlgym {

namespace {
std::atomic<int> threadsWanted{0};
}

int requestedThreads() { return threadsWanted.load(); }

int mostThreads() {
  static const int most = std::max(64, static_cast<int>(std::thread::hardware_concurrency()));
  return most;
}

void requestThreads(int64_t count) {
  if (count < 1 || count > mostThreads()) {
    throw ArgumentError("the number of threads must be between 1 and " + std::to_string(mostThreads()) + ", not " +
                        std::to_string(count));
  }
  threadsWanted.store(static_cast<int>(count));
  at::set_num_threads(static_cast<int>(count));
}

Worker::Worker(Environment& environment) : environment_(environment) {
  const napi_env env = environment.env;
  napi_value name;
  check(env, napi_create_string_utf8(env, "vlgym native thread", NAPI_AUTO_LENGTH, &name));
  check(env, napi_create_threadsafe_function(env, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this, settle,
                                             &settled_));
  // An idle native thread must not keep the process alive.
  napi_unref_threadsafe_function(env, settled_);
  try {
    thread_ = std::thread([this] { loop(); });
  } catch (...) {  // the system has no thread left
    napi_release_threadsafe_function(settled_, napi_tsfn_abort);
    throw;
  }
  // Hooks run last in, first out: the thread stops before N-API closes the function above.
  napi_add_env_cleanup_hook(env, [](void* worker) { static_cast<Worker*>(worker)->stop(); }, this);
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

napi_value Worker::submitTensor(const char* operation, std::function<at::Tensor()> work) {
  auto made = std::make_shared<at::Tensor>();
  return submit(operation, [made, work = std::move(work)] { *made = work(); }, false, made);
}

napi_value Worker::submit(const char* operation, std::function<void()> work, bool isBackward,
                          std::shared_ptr<at::Tensor> made) {
  napi_value promise;
  auto job = std::make_unique<Job>(Job{operation, std::move(work), isBackward, std::move(made), nullptr, nullptr});
  check(environment_.env, napi_create_promise(environment_.env, &job->deferred, &promise));
  if (pending_++ == 0) napi_ref_threadsafe_function(environment_.env, settled_);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    jobs_.push_back(std::move(job));
    if (isBackward) ++backwards_;
  }
  changed_.notify_one();
  return promise;
}

void Worker::finishBackward() {
  std::unique_lock<std::mutex> lock(mutex_);
  backwardDone_.wait(lock, [this] { return backwards_ == 0 || stopping_; });
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
    if (job->isBackward) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (--backwards_ == 0) backwardDone_.notify_all();
    }
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
  napi_value result;
  napi_get_undefined(env, &result);
  if (job->made) napi_create_double(env, worker->environment_.tensors.insert(std::move(*job->made)), &result);
  napi_resolve_deferred(env, job->deferred, result);
}

}  // namespace vlgym
