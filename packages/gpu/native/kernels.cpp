// Compiled with more optimization than the rest, and on x86 once per generation of processors: the loader picks.
#include "kernels.h"

#include <cmath>
#include <cstring>

// By feature, not by name of a processor: "arch=haswell" would leave out all later ones.
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
#define VLGYM_EVERY_PROCESSOR __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#elif defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && !defined(__clang__)
#define VLGYM_EVERY_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define VLGYM_EVERY_PROCESSOR
#endif
#if defined(__GNUC__)
#define VLGYM_INLINE inline __attribute__((always_inline))
#else
#define VLGYM_INLINE inline
#endif

namespace vlgym::kernels {

namespace {

/// Sums are kept in this many parts, so that the order does not depend on the width of registers.
constexpr int64_t kLanes = 16;

/// e^x to about two units in the last place, without branches: 2^n · e^r with |r| <= ln 2 / 2 and a Taylor polynomial of
/// degree 7. Arguments are clamped to where the result is a normal number; NaN stays NaN.
VLGYM_INLINE float exponential(float x) {
  x = x > 88.0F ? 88.0F : x;
  x = x < -87.0F ? -87.0F : x;
  constexpr float kRound = 12582912.0F;  // 1.5 · 2^23: adding it rounds to a whole number
  const float shifted = x * 1.44269504F + kRound;
  const float n = shifted - kRound;
  const float r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  float p = 1.0F / 5040.0F;
  p = p * r + 1.0F / 720.0F;
  p = p * r + 1.0F / 120.0F;
  p = p * r + 1.0F / 24.0F;
  p = p * r + 1.0F / 6.0F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  int32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  const int32_t scale = (bits << 23) + 0x3f800000;  // the low bits of `shifted` are n
  float power;
  std::memcpy(&power, &scale, sizeof power);
  return p * power;
}

VLGYM_INLINE float sigmoid(float x) { return 1.0F / (1.0F + exponential(-x)); }

}  // namespace

VLGYM_EVERY_PROCESSOR
void norm(const float* x, int64_t stride, const float* weight, float epsilon, float* y, float* factors, int64_t rows,
          int64_t width) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* from = x + row * stride;
    float* to = y + row * width;
    float sums[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += from[i + lane] * from[i + lane];
    }
    float sum = 0;
    for (const float part : sums) sum += part;
    for (; i < width; ++i) sum += from[i] * from[i];
    const float factor = 1.0F / std::sqrt(sum / static_cast<float>(width) + epsilon);
    for (i = 0; i < width; ++i) to[i] = from[i] * factor * weight[i];
    if (factors) factors[row] = factor;
  }
}

// With f the factor of a row: dx = f · (weight · g − x · f² · mean(weight · g · x)), dweight = sum of g · x · f.
VLGYM_EVERY_PROCESSOR
void normBackward(const float* gradient, const float* x, const float* weight, const float* factors, float* xGradient,
                  float* weightGradient, int64_t rows, int64_t width) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* g = gradient + row * width;
    const float* from = x + row * width;
    float* to = xGradient + row * width;
    float sums[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += weight[i + lane] * g[i + lane] * from[i + lane];
    }
    float sum = 0;
    for (const float part : sums) sum += part;
    for (; i < width; ++i) sum += weight[i] * g[i] * from[i];
    const float factor = factors[row];
    const float inner = factor * factor * sum / static_cast<float>(width);
    for (i = 0; i < width; ++i) to[i] = factor * (weight[i] * g[i] - from[i] * inner);
    if (weightGradient) {
      for (i = 0; i < width; ++i) weightGradient[i] += g[i] * from[i] * factor;
    }
  }
}

VLGYM_EVERY_PROCESSOR
void rotate(const float* x, int64_t stride, const float* cos, const float* sin, float* y, int64_t heads, int64_t width,
            bool inverse) {
  const int64_t half = width / 2;
  const float* low = inverse ? sin + half : sin;
  const float* high = inverse ? sin : sin + half;
  for (int64_t head = 0; head < heads; ++head) {
    const float* from = x + head * stride;
    float* to = y + head * width;
    for (int64_t i = 0; i < half; ++i) {
      const float a = from[i];
      const float b = from[i + half];
      to[i] = a * cos[i] + b * low[i];
      to[i + half] = b * cos[i + half] + a * high[i];
    }
  }
}

VLGYM_EVERY_PROCESSOR
void softmax(float* scores, int64_t rows, int64_t tokens, float scale, const float* mask) {
  for (int64_t row = 0; row < rows; ++row) {
    float* s = scores + row * tokens;
    for (int64_t i = 0; i < tokens; ++i) s[i] = mask ? s[i] * scale + mask[i] : s[i] * scale;
    float most = s[0];
    for (int64_t i = 1; i < tokens; ++i) most = s[i] > most ? s[i] : most;
    for (int64_t i = 0; i < tokens; ++i) {
      const float x = s[i] - most;
      s[i] = x < -87.0F ? 0.0F : exponential(x);
    }
    float sums[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= tokens; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += s[i + lane];
    }
    float total = 0;
    for (; i < tokens; ++i) total += s[i];
    for (const float sum : sums) total += sum;
    for (int64_t j = 0; j < tokens; ++j) s[j] /= total;
  }
}

VLGYM_EVERY_PROCESSOR
void mix(const float* weights, const float* values, float* y, int64_t rows, int64_t count, int64_t width) {
  for (int64_t row = 0; row < rows; ++row) {
    float* to = y + row * width;
    for (int64_t i = 0; i < width; ++i) to[i] = 0;
    for (int64_t j = 0; j < count; ++j) {
      const float weight = weights[row * count + j];
      const float* from = values + j * width;
      for (int64_t i = 0; i < width; ++i) to[i] += weight * from[i];
    }
  }
}

VLGYM_EVERY_PROCESSOR
void gate(const float* x, int64_t stride, float* y, int64_t rows, int64_t inner) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* gates = x + row * stride;
    const float* up = gates + inner;
    float* to = y + row * inner;
    for (int64_t i = 0; i < inner; ++i) to[i] = gates[i] * sigmoid(gates[i]) * up[i];
  }
}

VLGYM_EVERY_PROCESSOR
void gateBackward(const float* gradient, const float* x, int64_t stride, float* xGradient, int64_t rows, int64_t inner) {
  for (int64_t row = 0; row < rows; ++row) {
    const float* g = gradient + row * inner;
    const float* gates = x + row * stride;
    const float* up = gates + inner;
    float* to = xGradient + row * 2 * inner;
    float* toUp = to + inner;
    for (int64_t i = 0; i < inner; ++i) {
      const float s = sigmoid(gates[i]);
      to[i] = g[i] * up[i] * s * (1.0F + gates[i] * (1.0F - s));
      toUp[i] = g[i] * gates[i] * s;
    }
  }
}

VLGYM_EVERY_PROCESSOR
void quickGelu(const float* x, float* y, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] * sigmoid(1.702F * x[i]);
}

VLGYM_EVERY_PROCESSOR
void quickGeluBackward(const float* gradient, const float* x, float* xGradient, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    const float s = sigmoid(1.702F * x[i]);
    xGradient[i] = gradient[i] * s * (1.0F + 1.702F * x[i] * (1.0F - s));
  }
}

}  // namespace vlgym::kernels
