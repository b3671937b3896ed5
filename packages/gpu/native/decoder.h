// The layers of a decoder in one call: a prompt, a batch to score or to train on, or one new token per row.
//
// A decoder of 28 layers is about 900 operations a token. Called one by one from JavaScript they cost more than the
// products of a small model; here they are plain calls of libtorch, and a call can run on the native thread.
#pragma once

#include "fused.h"

namespace vlgym {

using MaybeTensor = optional<Tensor>;

struct Layer {
  Tensor inputNorm;
  Linear qkv;
  MaybeTensor queryNorm;
  MaybeTensor keyNorm;
  Linear output;
  Tensor middleNorm;
  Linear gateUp;
  Linear down;
};

/// Where tokens stand, what they attend to, and the cache that they are added to.
struct Reading {
  Tensor cos;
  Tensor sin;
  MaybeTensor mask;
  /// Per layer [rows, groups, capacity, width], filled up to `length`; none without a cache.
  vector<Tensor> keys;
  vector<Tensor> values;
  int64_t length = 0;
  /// A decoding step: loops for few rows, whose last bits differ from those of `forward`.
  bool isStep = false;
  /// int64 [1]: a token is written into this column, and sees what the mask over the whole cache shows it. In place of
  /// `length`, where that must not be part of the operations.
  MaybeTensor column = std::nullopt;
};

/// What a forward gives.
struct Outcome {
  /// Through the norm behind the last layer.
  bool isLast = true;
  /// Of the last token of each row alone: the last layer then computes nothing else but keys and values. Where `isLast`.
  bool lastOnly = false;
  /// `added[i]`, of the shape of the embeddings, is added to what comes out of layer i.
  vector<Tensor> added;
};

struct Decoder {
  int64_t heads = 1;
  int64_t groups = 1;
  int64_t width = 2;
  double epsilon = 0;
  /// In half precision the norm is computed in float32 and cast back before it is multiplied by the weight.
  bool wideNorm = false;
  /// Records gradients where they are on; its factors are then those that are trained, not copies.
  bool records = false;
  /// Products of the layers' matrices in bfloat16 (`Linear`), the head's not.
  bool autocast = false;
  Tensor embedding;
  vector<Layer> layers;
  Tensor norm;
  Linear head;

  /// ids int64 [rows] → scores [rows, vocabulary] of the next token. `reading` is a step.
  Tensor token(const Tensor& ids, const Reading& reading) const;
  /// x [rows, tokens, hidden] through the layers → the same shape, or [rows, 1, hidden] of the last tokens.
  Tensor forward(const Tensor& x, const Reading& reading, const Outcome& outcome) const;

 private:
  /// The same for the tokens of all rows one below the other, x [rows · tokens, hidden].
  Tensor through(Tensor x, int64_t rows, const Reading& reading, const Outcome& outcome) const;
  Tensor product(const Linear& linear, const Tensor& x, const Reading& reading) const;
  Tensor normed(const Tensor& x, const Tensor& weight) const;
  /// Queries, keys and values [rows, tokens, heads or groups, width] of what `qkv` gives.
  std::array<Tensor, 3> split(const Layer& layer, const Tensor& all, const Reading& reading) const;
  /// The last `queries` tokens of each row attend.
  Tensor attend(const Layer& layer, size_t index, const Tensor& x, int64_t rows, int64_t queries, const Reading& reading) const;
  Tensor feedForward(const Layer& layer, const Tensor& x, const Reading& reading) const;
};

/// A decoder from lists that JavaScript has made; `decoding.cpp` says in which order. `generator` draws dropout.
std::shared_ptr<const Decoder> readDecoder(const vector<double>& numbers, const vector<MaybeTensor>& tensors,
                                           const optional<at::Generator>& generator);

}  // namespace vlgym
