#include "token-attention.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "fused.h"
#include "kernels.h"
#include "row-kernels.h"

namespace vlgym {

namespace {

/// Multiplications that one thread takes at least.
constexpr int64_t kGrain = 1 << 17;

/// [rows, groups, tokens, width], where the tokens of a row and group are dense.
bool hasDenseTokens(const Tensor& x) {
  return isPlain(x) && x.dim() == 4 && (x.size(2) == 1 || x.stride(2) == x.size(3));
}

bool fits(const Tensor& query, const Tensor& key, const Tensor& value, const optional<Tensor>& mask) {
  if (!kernels::hasWideRegisters()) return false;
  if (!hasDenseTokens(query) || !hasDenseTokens(key) || !hasDenseTokens(value)) return false;
  if (query.numel() == 0 || key.size(2) == 0 || key.sizes() != value.sizes()) return false;
  if (key.size(0) != query.size(0) || key.size(1) != query.size(1) || key.size(3) != query.size(3)) return false;
  return !mask || (isPlain(*mask) && mask->dim() == 4 && (mask->size(0) == 1 || mask->size(0) == query.size(0)) &&
                   mask->size(1) == 1 && mask->size(2) == 1 && mask->size(3) == key.size(2));
}

}  // namespace

Tensor tokenAttention(const Tensor& query, const Tensor& key, const Tensor& value, const optional<Tensor>& mask) {
  if (!fits(query, key, value, mask)) {
    return at::scaled_dot_product_attention(query, key, value, mask);
  }
  const int64_t groups = query.size(1);
  const int64_t heads = query.size(2);
  const int64_t tokens = key.size(2);
  const int64_t width = query.size(3);
  const float scale = 1.0F / std::sqrt(static_cast<float>(width));
  const auto of = [](const Tensor& x, int64_t row, int64_t group) {
    return x.const_data_ptr<float>() + row * x.stride(0) + group * x.stride(1);
  };
  Tensor y = at::empty(query.sizes(), query.options());
  float* to = y.mutable_data_ptr<float>();
  const int64_t grain = std::max<int64_t>(1, kGrain / (heads * tokens * width));
  at::parallel_for(0, query.size(0) * groups, grain, [&](int64_t start, int64_t end) {
    vector<float> scores(heads * tokens);
    for (int64_t i = start; i < end; ++i) {
      const int64_t row = i / groups;
      const int64_t group = i % groups;
      kernels::multiplyFloat32(of(query, row, group), heads, width, of(key, row, group), scores.data(), tokens, 0, tokens);
      const float* hidden = mask ? of(*mask, mask->size(0) > 1 ? row : 0, 0) : nullptr;
      kernels::softmax(scores.data(), heads, tokens, scale, hidden);
      kernels::mix(scores.data(), of(value, row, group), to + i * heads * width, heads, tokens, width);
    }
  });
  return y;
}

}  // namespace vlgym
