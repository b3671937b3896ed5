// Sums of gradients over ranks, in buckets that leave while the backward pass still runs.
//
// The last gradients of a model are ready first: buckets hold parameters in reverse order, the first of them small (PyTorch's
// DistributedDataParallel, arXiv 2006.15704). A bucket leaves when every parameter in it has got as many
// gradients as in the pass before; all ranks send bucket i before bucket i + 1, because messages are matched by order.
// A gradient that comes after its bucket has left is noticed, and that bucket is sent again by all ranks. So the sums are
// right whatever a pass does; only how much of the sending is hidden depends on passes being alike.
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/function_hook.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>

#include "group.h"
#include "worker.h"

namespace vlgym {

namespace {

struct Bucket {
  std::vector<size_t> parameters;
  int64_t elements = 0;
  Tensor buffer;  // the gradients, and for each parameter 1 where it has one
  Wait wait;
  size_t pending = 0;
  bool isLate = false;
};

class GradientBuckets : public std::enable_shared_from_this<GradientBuckets> {
 public:
  GradientBuckets(std::shared_ptr<Group> group, vector<Tensor> parameters, int64_t firstBytes, int64_t bytes)
      : group_(std::move(group)),
        parameters_(std::move(parameters)),
        bucketOf_(parameters_.size()),
        fired_(parameters_.size()),
        expected_(parameters_.size(), 1) {
    for (size_t i = parameters_.size(); i-- > 0;) place(i, buckets_.size() <= 1 ? firstBytes : bytes);
  }

  void addHooks() {
    for (size_t i = 0; i < parameters_.size(); ++i) {
      torch::autograd::impl::set_post_acc_grad_hooks(parameters_[i], std::make_unique<Hook>(weak_from_this(), i));
    }
  }

  /// The backward passes from here to `finish` are the last of this optimizer step on this rank.
  void arm() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (isArmed_ || next_ > 0) return;
    isArmed_ = true;
    std::fill(fired_.begin(), fired_.end(), 0);
    for (Bucket& bucket : buckets_) {
      bucket.pending = 0;
      for (const size_t i : bucket.parameters) bucket.pending += expected_[i] > 0 ? 1 : 0;
    }
  }

  /// Parameter `i` has got a gradient. Called inside of backward passes, on the thread that runs them.
  void gradientOf(size_t i) noexcept {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!isArmed_ || failure_) return;
    try {
      fired_[i] += 1;
      const size_t index = bucketOf_[i];
      Bucket& bucket = buckets_[index];
      if (index < next_) {
        bucket.isLate = true;
      } else if (fired_[i] == expected_[i]) {
        bucket.pending -= 1;
      }
      while (next_ < buckets_.size() && buckets_[next_].pending == 0) {
        send(buckets_[next_++]);
        early_ += 1;
      }
    } catch (...) {
      // told by `finish`: from here it would end the backward pass as an error of that
      failure_ = std::current_exception();
    }
  }

  /// Every gradient becomes `factor` times its sum; a parameter without one on any rank keeps none.
  void finish(double factor) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const c10::NoGradGuard guard;
    // a pass that was left out, because its loss was not finite, says nothing about the next one
    const bool isPass = std::any_of(fired_.begin(), fired_.end(), [](int count) { return count > 0; });
    if (isArmed_ && isPass) expected_ = fired_;
    isArmed_ = false;
    const auto failure = std::exchange(failure_, nullptr);
    if (failure) std::rethrow_exception(failure);
    while (next_ < buckets_.size()) send(buckets_[next_++]);
    next_ = 0;
    sendLateAgain();
    for (Bucket& bucket : buckets_) receive(bucket, factor);
  }

  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Tensor& parameter : parameters_) {
      auto& hook = torch::autograd::impl::post_acc_grad_hooks(parameter);
      if (auto* own = dynamic_cast<Hook*>(hook.get()); own && own->buckets.lock().get() == this) hook.reset();
    }
    parameters_.clear();
    buckets_.clear();
  }

  /// Buckets; of all sent so far, those that left during a backward pass; those that were sent again.
  Ints counts() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return {static_cast<int64_t>(buckets_.size()), early_, again_};
  }

  void assertOpen() const {
    if (parameters_.empty()) throw ArgumentError("the buckets were closed");
  }

 private:
  struct Hook final : torch::autograd::PostAccumulateGradHook {
    Hook(std::weak_ptr<GradientBuckets> buckets, size_t index) : buckets(std::move(buckets)), index(index) {}
    void operator()(const torch::autograd::Variable&) override {
      if (const auto owner = buckets.lock()) owner->gradientOf(index);
    }
    std::weak_ptr<GradientBuckets> buckets;
    size_t index;
  };

  void place(size_t i, int64_t limit) {
    const Tensor& parameter = parameters_[i];
    const auto sizeOf = [](const Tensor& tensor) { return tensor.scalar_type() == at::kDouble ? 8 : 4; };
    if (!buckets_.empty()) {
      Bucket& last = buckets_.back();
      const Tensor& neighbor = parameters_[last.parameters.back()];
      const bool isAlike = neighbor.scalar_type() == parameter.scalar_type() && neighbor.device() == parameter.device();
      if (isAlike && (last.elements + parameter.numel()) * sizeOf(parameter) <= limit) {
        last.parameters.push_back(i);
        last.elements += parameter.numel();
        bucketOf_[i] = buckets_.size() - 1;
        return;
      }
    }
    buckets_.push_back({{i}, parameter.numel()});
    bucketOf_[i] = buckets_.size() - 1;
  }

  /// Sums of half precision would lose what small gradients add; Gloo adds up in memory of the CPU.
  at::TensorOptions optionsOf(const Bucket& bucket) const {
    const Tensor& parameter = parameters_[bucket.parameters.front()];
    const auto type = parameter.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    return at::dtype(type).device(group_->nccl ? parameter.device() : at::Device(at::kCPU));
  }

  void send(Bucket& bucket) {
    const c10::NoGradGuard guard;
    const auto count = static_cast<int64_t>(bucket.parameters.size());
    Tensor flags = at::zeros({count}, at::dtype(at::kFloat));
    bucket.buffer = at::empty({bucket.elements + count}, optionsOf(bucket));
    int64_t start = 0;
    for (int64_t k = 0; k < count; ++k) {
      const Tensor& parameter = parameters_[bucket.parameters[static_cast<size_t>(k)]];
      const Tensor target = bucket.buffer.narrow(0, start, parameter.numel());
      const Tensor& gradient = parameter.grad();
      if (gradient.defined()) {
        target.copy_(gradient.reshape({-1}));
        flags.data_ptr<float>()[k] = 1;
      } else {
        target.zero_();
      }
      start += parameter.numel();
    }
    bucket.buffer.narrow(0, start, count).copy_(flags);
    orGroupError([&] { bucket.wait = group_->channel(bucket.buffer.device()).allReduce(bucket.buffer); });
  }

  void sendLateAgain() {
    Tensor late = at::zeros({static_cast<int64_t>(buckets_.size())}, at::dtype(at::kFloat));
    for (size_t i = 0; i < buckets_.size(); ++i) late.data_ptr<float>()[i] = buckets_[i].isLate ? 1 : 0;
    orGroupError([&] { group_->channel(at::Device(at::kCPU)).allReduce(late)(); });
    for (size_t i = 0; i < buckets_.size(); ++i) {
      buckets_[i].isLate = false;
      if (late.data_ptr<float>()[i] == 0) continue;
      orGroupError(buckets_[i].wait);
      send(buckets_[i]);
      again_ += 1;
    }
  }

  void receive(Bucket& bucket, double factor) {
    orGroupError(bucket.wait);
    const auto count = static_cast<int64_t>(bucket.parameters.size());
    const Tensor flags = bucket.buffer.narrow(0, bucket.elements, count).to(at::kCPU, at::kFloat).contiguous();
    if (factor != 1) bucket.buffer.mul_(factor);
    int64_t start = 0;
    for (int64_t k = 0; k < count; ++k) {
      Tensor parameter = parameters_[bucket.parameters[static_cast<size_t>(k)]];
      const Tensor sum = bucket.buffer.narrow(0, start, parameter.numel());
      start += parameter.numel();
      if (flags.data_ptr<float>()[k] == 0) continue;
      Tensor& gradient = parameter.mutable_grad();
      if (!gradient.defined()) gradient = at::zeros_like(parameter);
      gradient.copy_(sum.view(parameter.sizes()));
    }
    bucket.buffer = Tensor();
    bucket.wait = nullptr;
  }

  std::shared_ptr<Group> group_;
  std::vector<Tensor> parameters_;
  std::vector<Bucket> buckets_;
  std::vector<size_t> bucketOf_;
  /// Gradients of each parameter since `arm`, and in the pass that was armed before.
  std::vector<int> fired_;
  std::vector<int> expected_;
  std::mutex mutex_;
  std::exception_ptr failure_;
  bool isArmed_ = false;
  /// The bucket that leaves next.
  size_t next_ = 0;
  int64_t early_ = 0;
  int64_t again_ = 0;
};

std::shared_ptr<GradientBuckets> bucketsOf(const Call& call, napi_value value) {
  return std::static_pointer_cast<GradientBuckets>(fromExternal(call, 0, value, typeid(GradientBuckets)));
}

}  // namespace

void defineGradientBuckets(const Exports& exports) {
  // `hooks`: buckets may leave during backward passes. A parameter has room for the hook of one set of buckets.
  exports.defineGradient("newBuckets", [](const Call& call, napi_value group, vector<Tensor> parameters,
                                          int64_t firstBytes, int64_t bytes, bool hooks) {
    if (parameters.empty()) badArgument(1, "at least one parameter");
    for (const Tensor& parameter : parameters) {
      if (!parameter.is_leaf() || !parameter.requires_grad()) badArgument(1, "parameters that are trained");
    }
    if (firstBytes < 1 || bytes < 1) badArgument(2, "a positive number of bytes");
    auto buckets = std::make_shared<GradientBuckets>(groupOf(call, group), std::move(parameters), firstBytes, bytes);
    if (hooks) buckets->addHooks();
    return external(call, std::move(buckets), typeid(GradientBuckets));
  });
  exports.defineGradient("armBuckets", [](const Call& call, napi_value handle) { bucketsOf(call, handle)->arm(); });
  exports.define("sumBuckets", [](const Call& call, napi_value handle, double factor) {
    auto buckets = bucketsOf(call, handle);
    buckets->assertOpen();
    return call.environment.worker().submitBackward("sumBuckets", [buckets, factor] { buckets->finish(factor); });
  });
  exports.define("bucketCounts", [](const Call& call, napi_value handle) { return bucketsOf(call, handle)->counts(); });
  exports.defineGradient("closeBuckets", [](const Call& call, napi_value handle) { bucketsOf(call, handle)->close(); });
}

}  // namespace vlgym
