// Weights in fewer bytes than what they multiply, for sampling: bfloat16, or int8 with a scale per output. A decoding step
// reads every weight once, and that takes its time.
#pragma once

#include "operations.h"

namespace vlgym {

/// Is `weight` in fewer bytes than activations of this dtype? Throws where it cannot be multiplied.
bool isNarrow(const Tensor& weight, const optional<Tensor>& scales, at::ScalarType activations);

/// x Wᵀ for x [rows, in] on the CPU and a narrow W [out, in], in the dtype of x. Few rows: float32 activations and sums. More:
/// the products of bfloat16, where the processor has them.
Tensor narrowProduct(const Tensor& x, const Tensor& weight, const optional<Tensor>& scales);

/// int8 entries and a float32 scale per row: a row is about its scale times its entries, which go from -127 to 127.
std::pair<Tensor, Tensor> quantized(const Tensor& weight);

}  // namespace vlgym
