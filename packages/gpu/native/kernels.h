// Loops over rows of float32 that would be several operations of libtorch each, with their gradients. Plain memory in,
// plain memory out: who calls has checked sizes, strides and types.
#pragma once

#include <cstdint>

namespace vlgym::kernels {

/// y = x · weight / sqrt(mean(x²) + epsilon) per row. Rows of x are `stride` apart, those of y dense. `factors` [rows], if
/// there, gets 1 / sqrt(…).
void norm(const float* x, int64_t stride, const float* weight, float epsilon, float* y, float* factors, int64_t rows,
          int64_t width);

/// Gradients of `norm` with dense rows. `weightGradient` [width], if there, is added to.
void normBackward(const float* gradient, const float* x, const float* weight, const float* factors, float* xGradient,
                  float* weightGradient, int64_t rows, int64_t width);

/// Rotates one token: `heads` heads of `width` numbers by cos and sin [width]; heads of x are `stride` apart, those of y
/// dense. With `inverse` the gradient: entry i of sin and the entry half a head away change places.
void rotate(const float* x, int64_t stride, const float* cos, const float* sin, float* y, int64_t heads, int64_t width,
            bool inverse);

/// Softmax in place over each row of scores [rows, tokens], times `scale` and with `mask` [tokens], if there, added before.
/// Tokens that the mask hides with -inf weigh nothing; one must not be hidden.
void softmax(float* scores, int64_t rows, int64_t tokens, float scale, const float* mask);

/// y [rows, width] = weights [rows, count] · values [count, width].
void mix(const float* weights, const float* values, float* y, int64_t rows, int64_t count, int64_t width);

/// y = silu(gate) · up per row of x = gate, up [2 · inner]; rows of y are dense.
void gate(const float* x, int64_t stride, float* y, int64_t rows, int64_t inner);
void gateBackward(const float* gradient, const float* x, int64_t stride, float* xGradient, int64_t rows, int64_t inner);

/// y = x · sigmoid(1.702 x).
void quickGelu(const float* x, float* y, int64_t count);
void quickGeluBackward(const float* gradient, const float* x, float* xGradient, int64_t count);

}  // namespace vlgym::kernels
