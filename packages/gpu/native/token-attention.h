// Attention of a decoding step, where each row has one new token.
#pragma once

#include "operations.h"

namespace vlgym {

/// What each head reads, without gradients: query [rows, groups, heads per group, width], key and value
/// [rows, groups, tokens, width], mask [rows or 1, 1, 1, tokens] added to the scores or none; the result has the shape of
/// the query. In float32 a row has the same bits whatever other rows there are.
Tensor tokenAttention(const Tensor& query, const Tensor& key, const Tensor& value, const optional<Tensor>& mask);

}  // namespace vlgym
