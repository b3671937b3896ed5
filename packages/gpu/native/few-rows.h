// The products of a decoding step, where the few rows of one token each meet every weight of a matrix.
#pragma once

#include "operations.h"

namespace vlgym {

/// Are products with x [rows, in] of float32 faster here than in libtorch?
bool isFewRows(const Tensor& x);

/// x Wᵀ in float32 for x [rows, in] and W [out, in] of float32, of bfloat16, or of int8 with `scales` [out], on the CPU. A row
/// has the same bits whatever other rows there are.
Tensor fewRowsProduct(const Tensor& x, const Tensor& weight, const optional<Tensor>& scales);

}  // namespace vlgym
