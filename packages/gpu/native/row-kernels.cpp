// Written with the instructions of AVX-512 and AVX2 where the processor has them: compilers keep the sums of several rows in
// memory otherwise. Plain loops elsewhere.
#include "row-kernels.h"

#include <ATen/Version.h>

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define VLGYM_HAS_REGISTERS 1
#define VLGYM_INLINE inline __attribute__((always_inline, target(VLGYM_TARGET)))
#endif

namespace vlgym::kernels {

namespace {

/// As row-kernels.h names them.
template <class Weight>
struct Product {
  const float* x;
  int64_t rows;
  int64_t width;
  const Weight* weight;
  const float* scales;
  float* y;
  int64_t stride;
  int64_t start;
  int64_t end;
};

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
void multiplyPlain(const Product<Weight>& product) {
  const auto [x, rows, width, weight, scales, y, stride, start, end] = product;
  for (int64_t o = start; o < end; ++o) {
    for (int64_t row = 0; row < rows; ++row) {
      float sum = 0;
      for (int64_t i = 0; i < width; ++i) sum += widened(weight[o * width + i]) * x[row * width + i];
      y[row * stride + o] = scales ? sum * scales[o] : sum;
    }
  }
}

#ifdef VLGYM_HAS_REGISTERS

/// Outputs of all rows that are made before the next ones.
constexpr int64_t kBlock = 12;

/// Bytes of a matrix that the processor may keep from token to token. Reading x is then not the longer work.
constexpr int64_t kCached = 1 << 20;

/// Bytes from a weight to the one that is fetched with it. The processor itself fetches ahead within a page only, and finding
/// the next one of a mapped file takes as long as reading half of it.
constexpr int64_t kAhead = 8192;

namespace avx512 {

#define VLGYM_TARGET "avx512f"
using Register = __m512;
constexpr int64_t kLanes = 16;
/// Outputs of eight rows at a time, of 32 registers.
constexpr int64_t kTogether = 3;

VLGYM_INLINE Register zeros() { return _mm512_setzero_ps(); }
VLGYM_INLINE Register load(const float* from) { return _mm512_loadu_ps(from); }
VLGYM_INLINE Register load(const uint16_t* from) {
  const __m256i halves = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(halves), 16));
}
VLGYM_INLINE Register load(const int8_t* from) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
}
VLGYM_INLINE Register plusProduct(Register sum, Register a, Register b) { return _mm512_fmadd_ps(a, b, sum); }
VLGYM_INLINE float sumOf(Register numbers) { return _mm512_reduce_add_ps(numbers); }

#include "row-tiles.h"
#undef VLGYM_TARGET

}  // namespace avx512

namespace avx2 {

#define VLGYM_TARGET "avx2,fma"
using Register = __m256;
constexpr int64_t kLanes = 8;
/// Outputs of eight rows at a time, of 16 registers.
constexpr int64_t kTogether = 1;

VLGYM_INLINE Register zeros() { return _mm256_setzero_ps(); }
VLGYM_INLINE Register load(const float* from) { return _mm256_loadu_ps(from); }
VLGYM_INLINE Register load(const uint16_t* from) {
  const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(halves), 16));
}
VLGYM_INLINE Register load(const int8_t* from) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
}
VLGYM_INLINE Register plusProduct(Register sum, Register a, Register b) { return _mm256_fmadd_ps(a, b, sum); }
VLGYM_INLINE float sumOf(Register numbers) {
  const __m128 four = _mm_add_ps(_mm256_castps256_ps128(numbers), _mm256_extractf128_ps(numbers, 1));
  const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
  return _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)));
}

#include "row-tiles.h"
#undef VLGYM_TARGET

}  // namespace avx2

#endif

/// What libtorch uses, so that ATEN_CPU_CAPABILITY limits both.
enum class Registers { plain, avx2, avx512 };

Registers registers() {
#ifdef VLGYM_HAS_REGISTERS
  static const Registers widest = [] {
    const std::string name = at::get_cpu_capability();
    if (name.rfind("AVX512", 0) == 0 && __builtin_cpu_supports("avx512f")) return Registers::avx512;
    const bool hasAvx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return name.rfind("AVX", 0) == 0 && hasAvx2 ? Registers::avx2 : Registers::plain;
  }();
  return widest;
#else
  return Registers::plain;
#endif
}

template <class Weight>
void multiplyWidest(const Product<Weight>& product) {
#ifdef VLGYM_HAS_REGISTERS
  if (registers() == Registers::avx512) return avx512::multiply(product);
  if (registers() == Registers::avx2) return avx2::multiply(product);
#endif
  multiplyPlain(product);
}

}  // namespace

bool hasWideRegisters() { return registers() != Registers::plain; }

void multiplyFloat32(const float* x, int64_t rows, int64_t width, const float* weight, float* y, int64_t stride,
                     int64_t start, int64_t end) {
  multiplyWidest<float>({x, rows, width, weight, nullptr, y, stride, start, end});
}

void multiplyBfloat16(const float* x, int64_t rows, int64_t width, const uint16_t* weight, float* y, int64_t stride,
                      int64_t start, int64_t end) {
  multiplyWidest<uint16_t>({x, rows, width, weight, nullptr, y, stride, start, end});
}

void multiplyInt8(const float* x, int64_t rows, int64_t width, const int8_t* weight, const float* scales, float* y,
                  int64_t stride, int64_t start, int64_t end) {
  multiplyWidest<int8_t>({x, rows, width, weight, scales, y, stride, start, end});
}

bool hasBfloat16Products() {
#ifdef VLGYM_HAS_REGISTERS
  static const bool has = registers() == Registers::avx512 && __builtin_cpu_supports("avx512bf16");
  return has;
#else
  return false;
#endif
}

}  // namespace vlgym::kernels
