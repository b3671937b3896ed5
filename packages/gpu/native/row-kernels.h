// Products of a matrix with the few rows of a decoding step: memory bandwidth bounds them, so that half the bytes take half
// the time. Activations and sums are float32. Who calls has checked sizes and types.
#pragma once

#include <cstdint>

namespace vlgym::kernels {

/// y[row · stride + o] = Σ x[row · width + i] · weight[o · width + i] for the outputs o from `start` up to `end`. Rows of x
/// are dense. A row has the same bits whatever other rows there are.
void multiplyFloat32(const float* x, int64_t rows, int64_t width, const float* weight, float* y, int64_t stride,
                     int64_t start, int64_t end);
/// The same with weights of bfloat16.
void multiplyBfloat16(const float* x, int64_t rows, int64_t width, const uint16_t* weight, float* y, int64_t stride,
                      int64_t start, int64_t end);
/// The same with int8 weights and a factor per output.
void multiplyInt8(const float* x, int64_t rows, int64_t width, const int8_t* weight, const float* scales, float* y,
                  int64_t stride, int64_t start, int64_t end);

/// These are written for the processor's widest registers; plain loops otherwise.
bool hasWideRegisters();

/// The processor multiplies bfloat16 faster than float32.
bool hasBfloat16Products();

}  // namespace vlgym::kernels
