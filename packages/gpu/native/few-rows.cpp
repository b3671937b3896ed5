#include "few-rows.h"

#include <ATen/Parallel.h>

#include "row-kernels.h"

namespace vlgym {

namespace {

/// Up to this many rows; more are read from memory seldom enough for the products of libtorch.
constexpr int64_t kMostRows = 16;

/// Weights that one thread takes at least.
constexpr int64_t kGrain = 1 << 16;

}  // namespace

bool isFewRows(const Tensor& x) {
  return kernels::hasWideRegisters() && x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() == 2 && x.size(0) <= kMostRows;
}

Tensor fewRowsProduct(const Tensor& x, const Tensor& weight, const optional<Tensor>& scales) {
  if (x.size(1) != weight.size(1)) throw ArgumentError("a matrix multiplies rows of its width");
  const Tensor wide = x.to(at::kFloat).contiguous();
  const Tensor dense = weight.contiguous();
  const int64_t rows = wide.size(0);
  const int64_t width = wide.size(1);
  const int64_t outputs = weight.size(0);
  Tensor y = at::empty({rows, outputs}, wide.options());
  const float* from = wide.const_data_ptr<float>();
  float* to = y.mutable_data_ptr<float>();
  const float* factors = scales ? scales->const_data_ptr<float>() : nullptr;
  const void* entries = dense.const_data_ptr();
  at::parallel_for(0, outputs, std::max<int64_t>(8, kGrain / std::max<int64_t>(1, width)), [&](int64_t start, int64_t end) {
    switch (dense.scalar_type()) {
      case at::kFloat:
        return kernels::multiplyFloat32(from, rows, width, static_cast<const float*>(entries), to, outputs, start, end);
      case at::kBFloat16:
        return kernels::multiplyBfloat16(from, rows, width, static_cast<const uint16_t*>(entries), to, outputs, start, end);
      case at::kChar:
        return kernels::multiplyInt8(from, rows, width, static_cast<const int8_t*>(entries), factors, to, outputs, start, end);
      default:
        throw ArgumentError("few rows are multiplied with float32, bfloat16 or int8");
    }
  });
  return y;
}

}  // namespace vlgym
