#include "fused.h"

#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include "compat.h"
#include "few-rows.h"
#include "kernels.h"
#include "narrow.h"

namespace vlgym {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Function;
using torch::autograd::variable_list;

/// Numbers that one thread takes at least.
constexpr int64_t kGrain = 1 << 15;

int64_t rowGrain(int64_t width) { return std::max<int64_t>(1, kGrain / std::max<int64_t>(1, width)); }

const float* in(const Tensor& x) { return x.const_data_ptr<float>(); }
float* out(const Tensor& x) { return x.mutable_data_ptr<float>(); }

bool needsGradient(const Tensor& x) { return c10::GradMode::is_enabled() && x.requires_grad(); }

/// The gradients here are loops: a second derivative would silently be zero.
void refuseSecond() {
  TORCH_CHECK_NOT_IMPLEMENTED(!c10::GradMode::is_enabled(), "this function has no second derivative");
}

bool isDense(const Tensor& x) { return isPlain(x) && x.is_contiguous(); }

// ---- norm ----------------------------------------------------------------------------------------------------------

bool fitsNorm(const Tensor& x, const Tensor& weight) {
  return isDense(weight) && weight.dim() == 1 && isPlain(x) && x.size(-1) == weight.size(0) && x.size(-1) > 0 &&
         (x.dim() == 2 || x.is_contiguous());
}

Tensor normed(const Tensor& x, const Tensor& weight, double epsilon, float* factors) {
  const int64_t width = x.size(-1);
  const int64_t stride = x.dim() == 2 ? x.stride(0) : width;
  Tensor y = at::empty(x.sizes(), x.options());
  const float* from = in(x);
  const float* scales = in(weight);
  float* to = out(y);
  at::parallel_for(0, x.numel() / width, rowGrain(width), [&](int64_t start, int64_t end) {
    kernels::norm(from + start * stride, stride, scales, static_cast<float>(epsilon), to + start * width,
                  factors ? factors + start : nullptr, end - start, width);
  });
  return y;
}

struct Norm : Function<Norm> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight, double epsilon) {
    Tensor factors = at::empty({x.numel() / x.size(-1)}, x.options());
    Tensor y = normed(x, weight, epsilon, out(factors));
    context->save_for_backward({x, weight, factors});
    return y;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const variable_list saved = context->get_saved_variables();
    const Tensor x = saved[0].contiguous();
    const Tensor gradient = gradients[0].contiguous();
    const int64_t width = x.size(-1);
    const int64_t rows = x.numel() / width;
    Tensor xGradient = at::empty(x.sizes(), x.options());
    // one sum per piece of a fixed size: the order does not depend on the number of threads
    const int64_t piece = rowGrain(width);
    const int64_t pieces = (rows + piece - 1) / piece;
    Tensor sums;
    if (context->needs_input_grad(1)) sums = at::zeros({pieces, width}, x.options());
    at::parallel_for(0, pieces, 1, [&](int64_t start, int64_t end) {
      for (int64_t i = start; i < end; ++i) {
        const int64_t row = i * piece;
        kernels::normBackward(in(gradient) + row * width, in(x) + row * width, in(saved[1]), in(saved[2]) + row,
                              out(xGradient) + row * width, sums.defined() ? out(sums) + i * width : nullptr,
                              std::min(piece, rows - row), width);
      }
    });
    return {xGradient, sums.defined() ? sums.sum(0) : Tensor(), Tensor()};
  }
};

// ---- rotation ------------------------------------------------------------------------------------------------------

bool areAngles(const Tensor& angles, const Tensor& x) {
  return isPlain(angles) && angles.dim() == 4 && (angles.size(0) == 1 || angles.size(0) == x.size(0)) &&
         angles.size(1) == x.size(1) && angles.size(2) == 1 && angles.size(3) == x.size(3) && !angles.requires_grad();
}

bool fitsRotation(const Tensor& x, const Tensor& cos, const Tensor& sin) {
  return isPlain(x) && x.dim() == 4 && x.size(3) % 2 == 0 && areAngles(cos, x) && areAngles(sin, x);
}

/// Tokens of y are `stride` apart, their heads side by side.
void turnInto(const Tensor& x, const Tensor& cos, const Tensor& sin, bool inverse, float* y, int64_t stride) {
  const int64_t tokens = x.size(1);
  const auto angles = [](const Tensor& of, int64_t row, int64_t token) {
    return in(of) + (of.size(0) > 1 ? row * of.stride(0) : 0) + token * of.stride(1);
  };
  const float* from = in(x);
  at::parallel_for(0, x.size(0) * tokens, rowGrain(x.size(2) * x.size(3)), [&](int64_t start, int64_t end) {
    for (int64_t i = start; i < end; ++i) {
      const int64_t row = i / tokens;
      const int64_t token = i % tokens;
      kernels::rotate(from + row * x.stride(0) + token * x.stride(1), x.stride(2), angles(cos, row, token),
                      angles(sin, row, token), y + i * stride, x.size(2), x.size(3), inverse);
    }
  });
}

Tensor turned(const Tensor& x, const Tensor& cos, const Tensor& sin, bool inverse) {
  Tensor y = at::empty(x.sizes(), x.options());
  turnInto(x, cos, sin, inverse, out(y), x.size(2) * x.size(3));
  return y;
}

struct Rotation : Function<Rotation> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& cos, const Tensor& sin) {
    context->save_for_backward({cos, sin});
    return turned(x, cos, sin, false);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const variable_list saved = context->get_saved_variables();
    return {turned(gradients[0].contiguous(), saved[0], saved[1], true), Tensor(), Tensor()};
  }
};

/// Queries and keys, rotated, and values: the three gradients are written into one tensor.
struct Heads : Function<Heads> {
  static variable_list forward(AutogradContext* context, const Tensor& all, const Tensor& cos, const Tensor& sin,
                               int64_t heads, int64_t groups) {
    context->save_for_backward({cos, sin});
    return {turned(all.narrow(2, 0, heads), cos, sin, false), turned(all.narrow(2, heads, groups), cos, sin, false),
            all.narrow(2, heads + groups, groups).contiguous()};
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const variable_list saved = context->get_saved_variables();
    const auto plain = [](const Tensor& x) { return isPlain(x) ? x : x.contiguous(); };
    const Tensor query = plain(gradients[0]);
    const Tensor key = plain(gradients[1]);
    const int64_t heads = query.size(2);
    const int64_t groups = key.size(2);
    const int64_t width = query.size(3);
    const int64_t stride = (heads + 2 * groups) * width;
    Tensor all = at::empty({query.size(0), query.size(1), heads + 2 * groups, width}, query.options());
    turnInto(query, saved[0], saved[1], true, out(all), stride);
    turnInto(key, saved[0], saved[1], true, out(all) + heads * width, stride);
    all.narrow(2, heads + groups, groups).copy_(gradients[2]);
    return {all, Tensor(), Tensor(), Tensor(), Tensor()};
  }
};

// ---- activations ---------------------------------------------------------------------------------------------------

Tensor gate(const Tensor& x) {
  const int64_t inner = x.size(-1) / 2;
  vector<int64_t> shape = x.sizes().vec();
  shape.back() = inner;
  Tensor y = at::empty(shape, x.options());
  const float* from = in(x);
  float* to = out(y);
  at::parallel_for(0, y.numel() / inner, rowGrain(inner), [&](int64_t start, int64_t end) {
    kernels::gate(from + start * 2 * inner, 2 * inner, to + start * inner, end - start, inner);
  });
  return y;
}

struct Gate : Function<Gate> {
  static Tensor forward(AutogradContext* context, const Tensor& x) {
    context->save_for_backward({x});
    return gate(x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const Tensor x = context->get_saved_variables()[0];
    const Tensor gradient = gradients[0].contiguous();
    const int64_t inner = gradient.size(-1);
    Tensor xGradient = at::empty(x.sizes(), x.options());
    at::parallel_for(0, gradient.numel() / inner, rowGrain(inner), [&](int64_t start, int64_t end) {
      kernels::gateBackward(in(gradient) + start * inner, in(x) + start * 2 * inner, 2 * inner,
                            out(xGradient) + start * 2 * inner, end - start, inner);
    });
    return {xGradient};
  }
};

Tensor activated(const Tensor& x) {
  Tensor y = at::empty(x.sizes(), x.options());
  const float* from = in(x);
  float* to = out(y);
  at::parallel_for(0, x.numel(), kGrain,
                   [&](int64_t start, int64_t end) { kernels::quickGelu(from + start, to + start, end - start); });
  return y;
}

struct QuickGelu : Function<QuickGelu> {
  static Tensor forward(AutogradContext* context, const Tensor& x) {
    context->save_for_backward({x});
    return activated(x);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const Tensor x = context->get_saved_variables()[0];
    const Tensor gradient = gradients[0].contiguous();
    Tensor xGradient = at::empty(x.sizes(), x.options());
    at::parallel_for(0, x.numel(), kGrain, [&](int64_t start, int64_t end) {
      kernels::quickGeluBackward(in(gradient) + start, in(x) + start, out(xGradient) + start, end - start);
    });
    return {xGradient};
  }
};

// ---- adapters ------------------------------------------------------------------------------------------------------

/// W x + b; with `inBfloat16` W and x are rounded to it for their product.
Tensor affine(const Tensor& x, const Tensor& weight, const optional<Tensor>& bias, bool inBfloat16) {
  if (!inBfloat16) return at::linear(x, weight, bias);
  const Tensor y = at::linear(x.to(at::kBFloat16), weight.to(at::kBFloat16)).to(x.scalar_type());
  return bias ? y.add(*bias) : y;
}

/// Adds scale · low · Bᵀ to the rows of y that each part changes; `low` holds A x of all parts side by side.
void addLowRank(const Tensor& y, const Tensor& low, const vector<int64_t>& starts, const vector<double>& scales,
                const vector<Tensor>& transposed) {
  int64_t first = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    const Tensor& b = transposed[i];
    y.narrow(-1, starts[i], b.size(1)).addmm_(low.narrow(-1, first, b.size(0)), b, 1, scales[i]);
    first += b.size(0);
  }
}

/// W stays as it is; gradients go to x, to the A of all parts in one matrix, and to up to three B.
struct Adapted : Function<Adapted> {
  static Tensor forward(AutogradContext* context, const Tensor& x, const Tensor& weight, const optional<Tensor>& bias,
                        const Tensor& a, const Tensor& b0, const optional<Tensor>& b1, const optional<Tensor>& b2,
                        const vector<int64_t>& starts, const vector<double>& scales, bool inBfloat16) {
    const Tensor flat = x.reshape({-1, x.size(-1)});
    const Tensor y = affine(flat, weight, bias, inBfloat16);
    const Tensor low = at::linear(flat, a);
    variable_list saved{flat, weight, low, a, b0};
    for (const auto& b : {b1, b2}) {
      if (b) saved.push_back(*b);
    }
    vector<Tensor> transposed;
    for (size_t i = 4; i < saved.size(); ++i) transposed.push_back(saved[i].t());
    addLowRank(y, low, starts, scales, transposed);
    context->save_for_backward(saved);
    context->saved_data["starts"] = starts;
    context->saved_data["scales"] = scales;
    context->saved_data["shape"] = x.sizes().vec();
    context->saved_data["inBfloat16"] = inBfloat16;
    vector<int64_t> shape = x.sizes().vec();
    shape.back() = y.size(-1);
    return at::_unsafe_view(y, shape);
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    refuseSecond();
    const variable_list saved = context->get_saved_variables();
    const Tensor& flat = saved[0];
    const Tensor& low = saved[2];
    const Tensor& a = saved[3];
    const Tensor gradient = gradients[0].reshape({flat.size(0), -1});
    const vector<int64_t> starts = context->saved_data["starts"].toIntVector();
    const vector<double> scales = context->saved_data["scales"].toDoubleVector();
    Tensor lowGradient = at::empty(low.sizes(), low.options());
    Tensor bGradients[3];
    int64_t first = 0;
    for (size_t i = 0; i < starts.size(); ++i) {
      const Tensor& b = saved[4 + i];
      const Tensor part = gradient.narrow(1, starts[i], b.size(0));
      Tensor target = lowGradient.narrow(1, first, b.size(1));
      target.copy_(at::mm(part, b).mul_(scales[i]));
      bGradients[i] = at::mm(part.t(), low.narrow(1, first, b.size(1))).mul_(scales[i]);
      first += b.size(1);
    }
    Tensor xGradient;
    if (context->needs_input_grad(0)) {
      const Tensor transposed = saved[1].t();
      xGradient = affine(gradient, transposed, std::nullopt, context->saved_data["inBfloat16"].toBool());
      xGradient = xGradient.addmm_(lowGradient, a).view(context->saved_data["shape"].toIntVector());
    }
    return {xGradient, Tensor(), Tensor(), at::mm(lowGradient.t(), flat), bGradients[0], bGradients[1], bGradients[2],
            Tensor(), Tensor(), Tensor()};
  }
};

Tensor inDtype(const Tensor& x, at::ScalarType kind) { return x.scalar_type() == kind ? x : x.to(kind); }

}  // namespace

bool isPlain(const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && x.layout() == at::kStrided && x.dim() > 0 &&
         (x.stride(-1) == 1 || x.size(-1) == 1);
}

Tensor rootMeanSquareNorm(const Tensor& x, const Tensor& weight, double epsilon, bool wide) {
  if (fitsNorm(x, weight)) {
    if (needsGradient(x) || needsGradient(weight)) return Norm::apply(x, weight, epsilon);
    return normed(x, weight, epsilon, nullptr);
  }
  const bool isWide = x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble;
  if (isWide || !wide) return at::rms_norm(x, weight.sizes(), weight, epsilon);
  return at::rms_norm(x.to(at::kFloat), weight.sizes(), std::nullopt, epsilon).to(x.scalar_type()).mul(weight);
}

Tensor rotated(const Tensor& x, const Tensor& cos, const Tensor& sin) {
  if (fitsRotation(x, cos, sin)) return needsGradient(x) ? Rotation::apply(x, cos, sin) : turned(x, cos, sin, false);
  return x.mul(cos).addcmul(x.roll(x.size(-1) / 2, -1), sin);
}

std::array<Tensor, 3> splitHeads(const Tensor& all, int64_t heads, int64_t groups, const Tensor& cos, const Tensor& sin) {
  if (needsGradient(all) && fitsRotation(all, cos, sin)) {
    const variable_list parts = Heads::apply(all, cos, sin, heads, groups);
    return {parts[0], parts[1], parts[2]};
  }
  const Tensor both = rotated(all.narrow(2, 0, heads + groups), cos, sin);
  return {both.narrow(2, 0, heads), both.narrow(2, heads, groups), all.narrow(2, heads + groups, groups)};
}

Tensor gated(const Tensor& x) {
  if (isDense(x) && x.size(-1) % 2 == 0 && x.size(-1) > 0) return needsGradient(x) ? Gate::apply(x) : gate(x);
  const vector<Tensor> halves = x.chunk(2, -1);
  return at::silu(halves.at(0)).mul(halves.at(1));
}

Tensor quickGelu(const Tensor& x) {
  if (isDense(x)) return needsGradient(x) ? QuickGelu::apply(x) : activated(x);
  return x.mul(x.mul(wrapped(x, 1.702)).sigmoid());
}

Tensor dropped(const Tensor& x, double probability, const optional<at::Generator>& generator) {
  if (probability == 0) return x;
  const double kept = 1 - probability;
  const bool isElsewhere = generator && generator->device().type() != x.device().type();
  const auto own = isElsewhere ? compat::seededBy(*generator, x.device()) : generator;
  return x.mul(at::empty_like(x).bernoulli_(kept, own).mul_(kept == 0 ? 0 : 1 / kept));
}

void Linear::freeze(at::ScalarType kind) {
  if (parts.empty()) return;
  vector<Tensor> factors;
  for (const Part& part : parts) {
    factors.push_back(inDtype(part.a.detach(), kind));
    frozenB.push_back(inDtype(part.b.detach(), kind).t());
  }
  frozenA = factors.size() == 1 ? factors[0] : at::cat(factors, 0);
}

Tensor Linear::product(const Tensor& x) const {
  if (!isNarrow) return affine(x, weight, bias, inBfloat16);
  Tensor y = narrowProduct(x, weight, scales);
  return bias ? y.add_(*bias) : y;
}

Tensor Linear::forward(const Tensor& x) const {
  Tensor y = product(x);
  if (!frozenA.defined()) return y;
  vector<int64_t> starts;
  vector<double> scales;
  for (const Part& part : parts) {
    starts.push_back(part.start);
    scales.push_back(part.scale);
  }
  addLowRank(y, at::linear(x, frozenA), starts, scales, frozenB);
  return y;
}

Tensor Linear::step(const Tensor& x) const {
  if (!isFewRows(x) || !(isNarrow || weight.scalar_type() == at::kFloat)) return forward(x);
  Tensor y = isNarrow ? narrowProduct(x, weight, scales) : fewRowsProduct(x, weight, std::nullopt);
  if (bias) y.add_(*bias);
  if (!frozenA.defined()) return y;
  const Tensor low = fewRowsProduct(x, frozenA, std::nullopt);
  int64_t first = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    const Tensor b = frozenB[i].t();
    const Tensor change = fewRowsProduct(low.narrow(1, first, b.size(1)), b, std::nullopt);
    y.narrow(1, parts[i].start, b.size(0)).add_(change, parts[i].scale);
    first += b.size(1);
  }
  return y;
}

bool Linear::isDropping() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.dropout > 0; });
}

Tensor Linear::record(const Tensor& x) const {
  if (parts.empty()) return affine(x, weight, bias, inBfloat16);
  const bool isTrained = needsGradient(weight) || (bias && needsGradient(*bias));
  vector<int64_t> starts;
  vector<double> scales;
  vector<Tensor> as;
  vector<optional<Tensor>> bs;
  for (const Part& part : parts) {
    starts.push_back(part.start);
    scales.push_back(part.scale);
    as.push_back(inDtype(part.a, x.scalar_type()));
    bs.emplace_back(inDtype(part.b, x.scalar_type()));
  }
  if (!isTrained && parts.size() <= 3 && !isDropping()) {
    bs.resize(3);
    const Tensor a = as.size() == 1 ? as[0] : at::cat(as, 0);
    return Adapted::apply(x, weight, bias, a, *bs[0], bs[1], bs[2], starts, scales, inBfloat16);
  }
  Tensor y = affine(x, weight, bias, inBfloat16);
  for (size_t i = 0; i < parts.size(); ++i) {
    const Tensor input = dropped(x, parts[i].dropout, generator);
    const Tensor change = at::linear(at::linear(input, as[i]), *bs[i]).mul(scales[i]);
    y = y.add(at::pad(change, {starts[i], y.size(-1) - starts[i] - change.size(-1)}));
  }
  return y;
}

}  // namespace vlgym
