#include "narrow.h"

#include <c10/core/GradMode.h>

#include "few-rows.h"
#include "row-kernels.h"

namespace vlgym {

namespace {

/// Up to this many rows memory bounds a product; from there on the units for bfloat16 are faster.
constexpr int64_t kFewRows = 8;

/// Entries of float32 that quantizing holds beside its result.
constexpr int64_t kEntriesAtOnce = 1 << 22;

}  // namespace

bool isNarrow(const Tensor& weight, const optional<Tensor>& scales, at::ScalarType activations) {
  const bool isInt8 = weight.scalar_type() == at::kChar;
  const bool isBfloat16 = weight.scalar_type() == at::kBFloat16 && activations == at::kFloat;
  if (!isInt8 && !scales && !isBfloat16) return false;
  if (isInt8 != scales.has_value()) throw ArgumentError("int8 weights have scales, others have none");
  if (!weight.is_cpu() || weight.layout() != at::kStrided || !weight.is_contiguous()) {
    throw ArgumentError("weights in fewer bytes are dense and on the CPU");
  }
  if (scales && (scales->scalar_type() != at::kFloat || !scales->is_cpu() || scales->dim() != 1 ||
                 scales->size(0) != weight.size(0) || !scales->is_contiguous())) {
    throw ArgumentError("scales are float32, one per row of the weight");
  }
  return true;
}

Tensor narrowProduct(const Tensor& x, const Tensor& weight, const optional<Tensor>& scales) {
  if (!x.is_cpu() || !x.is_floating_point() || x.dim() != 2 || x.size(1) != weight.size(1)) {
    throw ArgumentError("a narrow matrix multiplies floating-point rows of its width on the CPU");
  }
  if (x.size(0) <= kFewRows) return fewRowsProduct(x, weight, scales).to(x.scalar_type());
  const at::ScalarType kind = kernels::hasBfloat16Products() ? at::kBFloat16 : at::kFloat;
  const Tensor y = at::linear(x.to(kind), weight.to(kind));
  return (scales ? y.to(at::kFloat).mul_(*scales) : y).to(x.scalar_type());
}

std::pair<Tensor, Tensor> quantized(const Tensor& weight) {
  if (weight.dim() != 2 || !weight.is_floating_point() || !weight.is_cpu()) {
    throw ArgumentError("int8 entries are made of a floating-point matrix on the CPU");
  }
  const c10::NoGradGuard guard;
  Tensor entries = at::empty(weight.sizes(), weight.options().dtype(at::kChar));
  Tensor scales = at::ones({weight.size(0)}, weight.options().dtype(at::kFloat));
  if (weight.numel() == 0) return {entries, scales};
  const int64_t step = std::max<int64_t>(1, kEntriesAtOnce / weight.size(1));
  for (int64_t start = 0; start < weight.size(0); start += step) {
    const int64_t count = std::min(step, weight.size(0) - start);
    const Tensor rows = weight.narrow(0, start, count).to(at::kFloat);
    const Tensor largest = rows.abs().amax(1);
    // a row of zeros keeps the scale 1
    const Tensor factors = at::where(largest.gt(0), largest.div(127), at::ones_like(largest));
    scales.narrow(0, start, count).copy_(factors);
    entries.narrow(0, start, count).copy_(rows.div(factors.unsqueeze(1)).round().clamp_(-127, 127));
  }
  return {entries, scales};
}

}  // namespace vlgym
