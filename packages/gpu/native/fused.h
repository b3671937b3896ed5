// Functions of several operations with one node in the graph of gradients each. In float32 on the CPU they are loops of
// `kernels.h`; everywhere else the operations of libtorch they stand for.
#pragma once

#include <array>

#include "operations.h"

namespace vlgym {

/// In memory of float32 with the last dimension dense, where plain loops are faster than several operations.
bool isPlain(const Tensor& x);

/// RMSNorm over the last dimension. In half precision with `wide` the norm is computed in float32 and cast back before it
/// is multiplied by the weight.
Tensor rootMeanSquareNorm(const Tensor& x, const Tensor& weight, double epsilon, bool wide);

/// x · cos + (x with its halves exchanged) · sin. x [rows, tokens, heads, width]; cos and sin [rows or 1, tokens, 1, width].
Tensor rotated(const Tensor& x, const Tensor& cos, const Tensor& sin);

/// Queries and keys, rotated, and values of all [rows, tokens, heads + 2 · groups, width].
std::array<Tensor, 3> splitHeads(const Tensor& all, int64_t heads, int64_t groups, const Tensor& cos, const Tensor& sin);

/// silu(gate) · up of x [..., gate and up].
Tensor gated(const Tensor& x);

/// x · sigmoid(1.702 x).
Tensor quickGelu(const Tensor& x);

/// Zero with this probability, and the rest scaled so that the mean stays. Masks are as large as x: a generator of the CPU
/// gives the seed of one on the device of x, which draws them there.
Tensor dropped(const Tensor& x, double probability, const optional<at::Generator>& generator);

/// A matrix with its bias, and low-rank changes of some of its rows: y = W x + b, then rows [start, start + rows of B) of y
/// gain scale · B (A x).
struct Linear {
  struct Part {
    int64_t start;
    double scale;
    /// Probability that an entry of x is zero for this part; drawn with `generator`.
    double dropout;
    Tensor a;  // [rank, in]
    Tensor b;  // [rows, rank]
  };
  Tensor weight;
  optional<Tensor> bias;
  vector<Part> parts;
  optional<at::Generator> generator;
  /// The weight is in fewer bytes than x (`narrow.h`); without gradients then.
  bool isNarrow = false;
  /// Of int8 weights, one per output.
  optional<Tensor> scales;
  /// W x in bfloat16, W and x rounded for it, the result in the dtype of x. Not of a decoding step.
  bool inBfloat16 = false;
  /// The A of all parts, one below the other, so that x is read once; undefined before `freeze`.
  Tensor frozenA;
  /// Transposed.
  vector<Tensor> frozenB;

  /// Prepares for many calls of `forward` and `step` with these factors, in the dtype of x.
  void freeze(at::ScalarType kind);
  /// Some part draws: only `record` is to be called then, whether gradients are recorded or not.
  bool isDropping() const;
  /// Without gradients, x [rows, in]; the bits of `record`.
  Tensor forward(const Tensor& x) const;
  /// The same for a decoding step, where few rows of float32 are multiplied by loops (`few-rows.h`): other last bits.
  Tensor step(const Tensor& x) const;
  /// With gradients of x, of the factors, and without factors of weight and bias. Each part that draws has numbers of its own.
  Tensor record(const Tensor& x) const;

 private:
  Tensor product(const Tensor& x) const;
};

}  // namespace vlgym
