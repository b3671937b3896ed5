// Products of a few rows in registers of one width. Included by row-kernels.cpp once per width, inside a namespace that has
// VLGYM_TARGET, `Register`, `kLanes`, `kTogether`, `zeros`, `load`, `plusProduct` and `sumOf`.

#define VLGYM_TILE inline __attribute__((always_inline, target(VLGYM_TARGET)))

/// `Outputs` rows of the matrix times `Rows` rows of x: a weight is read and widened once for all rows, a number of x once for
/// all outputs. Of several streams of memory, or of one that eight rows slow down, the processor fetches too little
/// ahead: that is done here.
template <int64_t Rows, int64_t Outputs, class Weight>
VLGYM_TILE void multiplyTile(const float* x, int64_t width, const Weight* weight, const float* scales, float* y,
                             int64_t stride) {
  Register sums[Outputs][Rows];
#pragma GCC unroll 8
  for (int64_t o = 0; o < Outputs; ++o) {
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) sums[o][row] = zeros();
  }
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) {
    Register wide[Outputs];
#pragma GCC unroll 8
    for (int64_t o = 0; o < Outputs; ++o) {
      const Weight* from = weight + o * width + i;
      wide[o] = load(from);
      if (Outputs > 1 || Rows == 8) _mm_prefetch(reinterpret_cast<const char*>(from) + kAhead, _MM_HINT_T0);
    }
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) {
      const Register numbers = load(x + row * width + i);
#pragma GCC unroll 8
      for (int64_t o = 0; o < Outputs; ++o) sums[o][row] = plusProduct(sums[o][row], wide[o], numbers);
    }
  }
#pragma GCC unroll 8
  for (int64_t o = 0; o < Outputs; ++o) {
#pragma GCC unroll 8
    for (int64_t row = 0; row < Rows; ++row) {
      float sum = sumOf(sums[o][row]);
      for (int64_t rest = i; rest < width; ++rest) sum += widened(weight[o * width + rest]) * x[row * width + rest];
      y[row * stride + o] = scales ? sum * scales[o] : sum;
    }
  }
}

template <int64_t Rows, int64_t Outputs, class Weight>
VLGYM_TILE void multiplyTiles(const float* x, int64_t width, const Weight* weight, const float* scales, float* y,
                              int64_t stride, int64_t outputs) {
  const auto at = [&](int64_t first) { return scales ? scales + first : nullptr; };
  int64_t o = 0;
  for (; o + Outputs <= outputs; o += Outputs) {
    multiplyTile<Rows, Outputs>(x, width, weight + o * width, at(o), y + o, stride);
  }
  for (; o < outputs; ++o) multiplyTile<Rows, 1>(x, width, weight + o * width, at(o), y + o, stride);
}

/// Some outputs of all rows before the next ones: their weights are read from memory once. Few rows take one output at a time,
/// because memory is read fastest in one stream; eight take several, because reading x is then the longer work.
template <class Weight>
VLGYM_TILE void multiplyRows(const Product<Weight>& product) {
  const auto [x, rows, width, weight, scales, y, stride, start, end] = product;
  const bool cached = (end - start) * width * static_cast<int64_t>(sizeof(Weight)) <= kCached;
  for (int64_t o = start; o < end; o += kBlock) {
    const int64_t outputs = std::min(kBlock, end - o);
    const Weight* some = weight + o * width;
    const float* factors = scales ? scales + o : nullptr;
    int64_t row = 0;
    for (; row + 8 <= rows; row += 8) {
      const float* from = x + row * width;
      float* to = y + row * stride + o;
      if (cached) multiplyTiles<8, 1>(from, width, some, factors, to, stride, outputs);
      else multiplyTiles<8, kTogether>(from, width, some, factors, to, stride, outputs);
    }
    for (; row + 4 <= rows; row += 4) {
      multiplyTiles<4, 1>(x + row * width, width, some, factors, y + row * stride + o, stride, outputs);
    }
    for (; row + 2 <= rows; row += 2) {
      multiplyTiles<2, 1>(x + row * width, width, some, factors, y + row * stride + o, stride, outputs);
    }
    if (row < rows) multiplyTiles<1, 1>(x + row * width, width, some, factors, y + row * stride + o, stride, outputs);
  }
}

__attribute__((target(VLGYM_TARGET))) void multiply(const Product<float>& product) { multiplyRows(product); }
__attribute__((target(VLGYM_TARGET))) void multiply(const Product<uint16_t>& product) { multiplyRows(product); }
__attribute__((target(VLGYM_TARGET))) void multiply(const Product<int8_t>& product) { multiplyRows(product); }

#undef VLGYM_TILE
