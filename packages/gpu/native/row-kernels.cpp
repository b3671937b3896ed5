// Written with the instructions of AVX-512 where the processor has them: compilers keep the sums of several rows in memory
// otherwise. Plain loops elsewhere.
#include "row-kernels.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define VLGYM_HAS_AVX512 1
#define VLGYM_AVX512 __attribute__((target("avx512f")))
#define VLGYM_AVX512_INLINE inline __attribute__((always_inline, target("avx512f")))
#endif

namespace vlgym::kernels {

namespace {

/// bfloat16 is the upper half of a float32.
inline float widened(uint16_t weight) {
  const uint32_t bits = static_cast<uint32_t>(weight) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

inline float widened(int8_t weight) { return static_cast<float>(weight); }

inline float widened(float weight) { return weight; }

template <class Weight>
void multiplyPlain(const float* x, int64_t rows, int64_t width, const Weight* weight, const float* scales, float* y,
                   int64_t stride, int64_t start, int64_t end) {
  for (int64_t o = start; o < end; ++o) {
    for (int64_t row = 0; row < rows; ++row) {
      float sum = 0;
      for (int64_t i = 0; i < width; ++i) sum += widened(weight[o * width + i]) * x[row * width + i];
      y[row * stride + o] = scales ? sum * scales[o] : sum;
    }
  }
}

#ifdef VLGYM_HAS_AVX512

constexpr int64_t kLanes = 16;

/// Sums at a time: enough that none waits for its last addition.
constexpr int64_t kSums = 8;

/// Bytes from a weight to the one that is fetched with it. The processor itself fetches ahead within a page only, and finding
/// the next one of a mapped file takes as long as reading half of it.
constexpr int64_t kAhead = 8192;

VLGYM_AVX512_INLINE __m512 sixteen(const float* from) { return _mm512_loadu_ps(from); }

VLGYM_AVX512_INLINE __m512 sixteen(const uint16_t* from) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}

VLGYM_AVX512_INLINE __m512 sixteen(const int8_t* from) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
}

/// `Outputs` rows of the matrix times `Rows` rows of x: a weight is read and widened once for all rows, a number of x once for
/// all outputs.
template <int64_t Rows, int64_t Outputs, class Weight>
VLGYM_AVX512_INLINE void multiplyTile(const float* x, int64_t width, const Weight* weight, const float* scales, float* y,
                                      int64_t stride) {
  __m512 sums[Outputs][Rows];
#pragma GCC unroll 8
  for (int64_t o = 0; o < Outputs; ++o) {
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) sums[o][row] = _mm512_setzero_ps();
  }
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    __m512 wide[Outputs];
#pragma GCC unroll 8
    for (int64_t o = 0; o < Outputs; ++o) {
      const Weight* from = weight + o * width + i;
      wide[o] = sixteen(from);
      _mm_prefetch(reinterpret_cast<const char*>(from) + kAhead, _MM_HINT_T0);
    }
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) {
      const __m512 numbers = _mm512_loadu_ps(x + row * width + i);
#pragma GCC unroll 8
      for (int64_t o = 0; o < Outputs; ++o) sums[o][row] = _mm512_fmadd_ps(wide[o], numbers, sums[o][row]);
    }
  }
#pragma GCC unroll 8
  for (int64_t o = 0; o < Outputs; ++o) {
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) {
      float sum = _mm512_reduce_add_ps(sums[o][row]);
      for (int64_t rest = i; rest < width; ++rest) sum += widened(weight[o * width + rest]) * x[row * width + rest];
      y[row * stride + o] = scales ? sum * scales[o] : sum;
    }
  }
}

template <int64_t Rows, class Weight>
VLGYM_AVX512_INLINE void multiplyTiles(const float* x, int64_t width, const Weight* weight, const float* scales, float* y,
                                       int64_t stride, int64_t outputs) {
  constexpr int64_t kOutputs = kSums / Rows;
  const auto at = [&](int64_t first) { return scales ? scales + first : nullptr; };
  int64_t o = 0;
  for (; o + kOutputs <= outputs; o += kOutputs) {
    multiplyTile<Rows, kOutputs>(x, width, weight + o * width, at(o), y + o, stride);
  }
  for (; o < outputs; ++o) multiplyTile<Rows, 1>(x, width, weight + o * width, at(o), y + o, stride);
}

/// Some outputs of all rows before the next ones: their weights are read from memory once.
template <class Weight>
VLGYM_AVX512_INLINE void multiplyWide(const float* x, int64_t rows, int64_t width, const Weight* weight,
                                      const float* scales, float* y, int64_t stride, int64_t start, int64_t end) {
  for (int64_t o = start; o < end; o += kSums) {
    const int64_t outputs = std::min(kSums, end - o);
    const Weight* some = weight + o * width;
    const float* factors = scales ? scales + o : nullptr;
    int64_t row = 0;
    const auto from = [&] { return x + row * width; };
    const auto to = [&] { return y + row * stride + o; };
    for (; row + 8 <= rows; row += 8) multiplyTiles<8>(from(), width, some, factors, to(), stride, outputs);
    for (; row + 4 <= rows; row += 4) multiplyTiles<4>(from(), width, some, factors, to(), stride, outputs);
    for (; row + 2 <= rows; row += 2) multiplyTiles<2>(from(), width, some, factors, to(), stride, outputs);
    if (row < rows) multiplyTiles<1>(from(), width, some, factors, to(), stride, outputs);
  }
}

VLGYM_AVX512 void multiplyWideFloat32(const float* x, int64_t rows, int64_t width, const float* weight, float* y,
                                      int64_t stride, int64_t start, int64_t end) {
  multiplyWide(x, rows, width, weight, nullptr, y, stride, start, end);
}

VLGYM_AVX512 void multiplyWideBfloat16(const float* x, int64_t rows, int64_t width, const uint16_t* weight, float* y,
                                       int64_t stride, int64_t start, int64_t end) {
  multiplyWide(x, rows, width, weight, nullptr, y, stride, start, end);
}

VLGYM_AVX512 void multiplyWideInt8(const float* x, int64_t rows, int64_t width, const int8_t* weight, const float* scales,
                                   float* y, int64_t stride, int64_t start, int64_t end) {
  multiplyWide(x, rows, width, weight, scales, y, stride, start, end);
}

#endif

}  // namespace

bool hasWideRegisters() {
#ifdef VLGYM_HAS_AVX512
  static const bool has = __builtin_cpu_supports("avx512f");
  return has;
#else
  return false;
#endif
}

void multiplyFloat32(const float* x, int64_t rows, int64_t width, const float* weight, float* y, int64_t stride,
                     int64_t start, int64_t end) {
#ifdef VLGYM_HAS_AVX512
  if (hasWideRegisters()) return multiplyWideFloat32(x, rows, width, weight, y, stride, start, end);
#endif
  multiplyPlain(x, rows, width, weight, nullptr, y, stride, start, end);
}

void multiplyBfloat16(const float* x, int64_t rows, int64_t width, const uint16_t* weight, float* y, int64_t stride,
                      int64_t start, int64_t end) {
#ifdef VLGYM_HAS_AVX512
  if (hasWideRegisters()) return multiplyWideBfloat16(x, rows, width, weight, y, stride, start, end);
#endif
  multiplyPlain(x, rows, width, weight, nullptr, y, stride, start, end);
}

void multiplyInt8(const float* x, int64_t rows, int64_t width, const int8_t* weight, const float* scales, float* y,
                  int64_t stride, int64_t start, int64_t end) {
#ifdef VLGYM_HAS_AVX512
  if (hasWideRegisters()) return multiplyWideInt8(x, rows, width, weight, scales, y, stride, start, end);
#endif
  multiplyPlain(x, rows, width, weight, scales, y, stride, start, end);
}

bool hasBfloat16Products() {
#ifdef VLGYM_HAS_AVX512
  static const bool has = __builtin_cpu_supports("avx512bf16");
  return has;
#else
  return false;
#endif
}

}  // namespace vlgym::kernels
