// One native call per optimizer step: libtorch's fused kernels over all parameters at once.
#include <c10/core/GradMode.h>

#include <map>

#include "operations.h"

namespace vlgym {

namespace {

/// Positions of the parameters of each dtype: libtorch's fused kernels for CUDA take one dtype at a time.
vector<vector<size_t>> byDtype(const vector<Tensor>& parameters) {
  std::map<at::ScalarType, vector<size_t>> places;
  for (size_t i = 0; i < parameters.size(); ++i) places[parameters[i].scalar_type()].push_back(i);
  vector<vector<size_t>> result;
  for (auto& [dtype, each] : places) result.push_back(std::move(each));
  return result;
}

/// None of an empty list.
template <class T>
vector<T> picked(const vector<T>& all, const vector<size_t>& places) {
  vector<T> result;
  if (all.empty()) return result;
  for (const size_t place : places) result.push_back(all[place]);
  return result;
}

/// libtorch's fused kernels read the step count from float32 tensors on the device of the parameters.
vector<Tensor> stepTensors(const vector<Tensor>& parameters, const vector<double>& steps) {
  vector<Tensor> result;
  result.reserve(steps.size());
  for (size_t i = 0; i < steps.size(); ++i) {
    const bool sameAsBefore = i > 0 && steps[i] == steps[i - 1] && parameters[i].device() == parameters[i - 1].device();
    result.push_back(sameAsBefore ? result.back()
                                  : at::full({}, steps[i], at::dtype(at::kFloat).device(parameters[i].device())));
  }
  return result;
}

/// The gradients in the layout of their parameters: libtorch's fused kernels go through both as plain memory.
vector<Tensor> gradients(const vector<Tensor>& parameters) {
  vector<Tensor> result;
  result.reserve(parameters.size());
  for (const Tensor& parameter : parameters) {
    const Tensor& gradient = parameter.grad();
    if (!gradient.defined()) throw std::runtime_error("a parameter has no gradient");
    if (gradient.sizes() != parameter.sizes() || gradient.scalar_type() != parameter.scalar_type() ||
        gradient.device() != parameter.device()) {
      throw ArgumentError("a gradient differs from its parameter in shape, dtype or device");
    }
    const bool sameLayout = gradient.strides() == parameter.strides();
    result.push_back(sameLayout ? gradient : at::empty_like(parameter).copy_(gradient));
  }
  return result;
}

void checkParameters(const vector<Tensor>& parameters) {
  for (const Tensor& parameter : parameters) {
    if (!parameter.is_floating_point()) throw ArgumentError("a parameter is not of a floating dtype");
    if (!parameter.is_non_overlapping_and_dense()) throw ArgumentError("a parameter is a view with gaps or overlap");
    if (parameter.device() != parameters[0].device()) throw ArgumentError("the parameters are on different devices");
  }
}

/// libtorch's fused kernels trust that the lists fit each other, number for number.
void checkState(const vector<Tensor>& parameters, const vector<Tensor>& state) {
  if (state.size() != parameters.size()) throw ArgumentError("the lists of parameters and of their state differ in length");
  for (size_t i = 0; i < state.size(); ++i) {
    const Tensor& x = parameters[i];
    const Tensor& y = state[i];
    if (x.sizes() != y.sizes() || x.strides() != y.strides() || x.scalar_type() != y.scalar_type() ||
        x.device() != y.device()) {
      throw ArgumentError("the state of a parameter differs from it in shape, strides, dtype or device");
    }
  }
}

/// The orthogonal matrix nearest to a matrix, approximately: five steps of the quintic Newton-Schulz iteration of Muon,
/// whose singular values end between 0.7 and 1.2.
Tensor orthogonalized(const Tensor& matrix, at::ScalarType precision) {
  constexpr double a = 3.4445, b = -4.775, c = 2.0315;
  const bool isTall = matrix.size(0) > matrix.size(1);
  Tensor x = (isTall ? matrix.t() : matrix).to(precision).contiguous();
  x = x.div(x.norm().clamp_min(1e-7));
  for (int step = 0; step < 5; ++step) {
    const Tensor gram = x.mm(x.t());
    x = at::addmm(x, at::addmm(gram, gram, gram, b, c), x, a, 1);
  }
  return isTall ? x.t() : x;
}

}  // namespace

void defineOptimizers(const Exports& exports) {
  exports.defineGradient("hasGrad", [](const vector<Tensor>& parameters) {
    Ints flags;
    for (const Tensor& parameter : parameters) flags.push_back(parameter.grad().defined() ? 1 : 0);
    return flags;
  });

  // `decoupled` is AdamW; otherwise weight decay is added to the gradient. `steps` count this update, from 1.
  exports.defineGradient("adamStep", [](const vector<Tensor>& parameters, const vector<Tensor>& averages,
                                const vector<Tensor>& squares, const vector<double>& steps, double rate, double beta1,
                                double beta2, double epsilon, double decay, bool decoupled) {
    const c10::NoGradGuard guard;
    checkParameters(parameters);
    checkState(parameters, averages);
    checkState(parameters, squares);
    if (steps.size() != parameters.size()) throw ArgumentError("the lists of parameters and of steps differ in length");
    const auto counts = stepTensors(parameters, steps);
    const auto grads = gradients(parameters);
    for (const auto& places : byDtype(parameters)) {
      const auto of = [&](const vector<Tensor>& all) { return picked(all, places); };
      if (decoupled) {
        at::_fused_adamw_(of(parameters), of(grads), of(averages), of(squares), {}, of(counts), rate, beta1, beta2, decay,
                          epsilon, false, false);
      } else {
        at::_fused_adam_(of(parameters), of(grads), of(averages), of(squares), {}, of(counts), rate, beta1, beta2, decay,
                         epsilon, false, false);
      }
    }
  });

  // `first` is true for the parameters' first update, where the momentum buffer becomes the gradient itself.
  exports.defineGradient("sgdStep", [](const vector<Tensor>& parameters, const vector<Tensor>& momenta, double rate,
                               double momentum, double dampening, double decay, bool nesterov, bool first) {
    const c10::NoGradGuard guard;
    checkParameters(parameters);
    if (!momenta.empty() || momentum != 0) checkState(parameters, momenta);
    const auto grads = gradients(parameters);
    for (const auto& places : byDtype(parameters)) {
      at::_fused_sgd_(picked(parameters, places), picked(grads, places), picked(momenta, places), decay, momentum, rate,
                      dampening, nesterov, false, first);
    }
  });

  // Matrices only. `likeAdam` makes updates as large as those of Adam. `bfloat16` orthogonalizes in that precision, otherwise in the precision of the parameters.
  exports.defineGradient("muonStep", [](const vector<Tensor>& parameters, const vector<Tensor>& momenta, double rate,
                                double momentum, double decay, bool nesterov, bool likeAdam, bool bfloat16) {
    const c10::NoGradGuard guard;
    checkParameters(parameters);
    checkState(parameters, momenta);
    for (const Tensor& parameter : parameters) {
      if (parameter.dim() != 2) throw ArgumentError("a parameter of Muon is not a matrix");
    }
    const auto grads = gradients(parameters);
    for (size_t i = 0; i < parameters.size(); ++i) {
      const Tensor& weight = parameters[i];
      Tensor average = momenta[i];
      average.lerp_(grads[i], 1 - momentum);
      const Tensor update = nesterov ? grads[i].lerp(average, momentum) : average;
      const Tensor direction = orthogonalized(update, bfloat16 ? at::kBFloat16 : weight.scalar_type());
      const auto rows = static_cast<double>(weight.size(0)), columns = static_cast<double>(weight.size(1));
      const double scale = likeAdam ? 0.2 * std::sqrt(std::max(rows, columns)) : std::sqrt(std::max(1.0, rows / columns));
      Tensor target = weight;
      if (decay != 0) target.mul_(1 - rate * decay);
      target.add_(direction, -rate * scale);
    }
  });

  exports.defineGradient("zeroGrads", [](const vector<Tensor>& parameters, bool setToNone) {
    const c10::NoGradGuard guard;
    for (Tensor parameter : parameters) {
      if (!parameter.grad().defined()) continue;
      if (setToNone) {
        parameter.mutable_grad() = Tensor();
      } else {
        parameter.mutable_grad().detach_().zero_();
      }
    }
  });

  // Scales every gradient by min(1, maximum / (norm + 1e-6)); returns the norm over all of them before that.
  // An infinite maximum only measures.
  exports.defineGradient("clipGradNorm", [](const vector<Tensor>& parameters, double maximum) {
    const c10::NoGradGuard guard;
    if (!(maximum >= 0)) badArgument(1, "a number of at least 0");
    vector<Tensor> grads;
    for (const Tensor& parameter : parameters) {
      if (parameter.grad().defined()) grads.push_back(parameter.grad());
    }
    if (grads.empty()) return 0.0;
    const auto norms = at::_foreach_norm(grads, 2);
    vector<Tensor> gathered;
    for (const Tensor& norm : norms) gathered.push_back(norm.to(norms[0].device(), at::kDouble));
    const double total = at::linalg_vector_norm(at::stack(gathered)).item<double>();
    if (std::isinf(maximum)) return total;
    const double factor = maximum / (total + 1e-6);
    if (!(factor >= 1)) at::_foreach_mul_(grads, at::Scalar(factor));
    return total;
  });
}

}  // namespace vlgym
