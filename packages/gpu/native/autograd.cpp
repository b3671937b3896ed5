// Gradients.
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>

#include "operations.h"
#include "worker.h"

namespace vlgym {

void defineAutograd(const Exports& exports) {
  exports.define("requiresGrad", [](const Tensor& x) { return x.requires_grad(); });
  exports.define("isLeaf", [](const Tensor& x) { return x.is_leaf(); });
  exports.defineGradient("setRequiresGrad", [](const Tensor& x, bool flag) { x.set_requires_grad(flag); });
  exports.define("detach", [](const Tensor& x) { return x.detach(); });
  exports.defineGradient("retainGrad", [](const Tensor& x) { x.retain_grad(); });
  exports.defineGradient("grad", [](const Tensor& x) { return Tensor(x.grad()); });
  // libtorch takes any tensor here; the kernels of its optimizers then trust that shapes agree.
  exports.defineGradient("setGrad", [](const Tensor& x, const optional<Tensor>& gradient) {
    if (gradient) {
      if (gradient->is_same(x)) throw ArgumentError("a tensor cannot be its own gradient");
      if (gradient->sizes() != x.sizes() || gradient->scalar_type() != x.scalar_type() ||
          gradient->device() != x.device()) {
        throw ArgumentError("a gradient has the shape, the dtype and the device of its tensor");
      }
    }
    Tensor target = x;
    target.mutable_grad() = gradient.value_or(Tensor());
  });
  exports.define("setGradEnabled", [](bool flag) {
    const bool before = c10::GradMode::is_enabled();
    c10::GradMode::set_enabled(flag);
    return before;
  });
  exports.define("isGradEnabled", [] { return c10::GradMode::is_enabled(); });

  exports.defineGradient("backward",
                 [](const Tensor& x, const optional<Tensor>& gradient, optional<bool> retainGraph, bool createGraph) {
                   x.backward(gradient.value_or(Tensor()), retainGraph, createGraph);
                 });
  exports.define("backwardAsync",
                 [](const Call& call, const Tensor& x, const optional<Tensor>& gradient, optional<bool> retainGraph) {
                   return call.environment.worker().submitBackward("backwardAsync", [x = Tensor(x), gradient, retainGraph] {
                     x.backward(gradient.value_or(Tensor()), retainGraph, false);
                   });
                 });
  // Absent gradients (an input the outputs do not depend on) come back as null.
  exports.defineGradient("gradients",
                 [](const vector<Tensor>& outputs, const vector<Tensor>& inputs, const vector<Tensor>& weights,
                    optional<bool> retainGraph, bool createGraph, bool allowUnused) {
                   return torch::autograd::grad(outputs, inputs, weights, retainGraph, createGraph, allowUnused);
                 });
}

}  // namespace vlgym
