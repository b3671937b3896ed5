// Decoding steps on a CUDA device as one graph: the first step of a batch runs as usual, the second is recorded, and those
// that follow replay it. A recorded step reads and writes always the same memory, so that attention sees the whole cache, with
// a mask over what is not filled yet.
#pragma once

#include "cuda-graph.h"
#include "decoder.h"

namespace vlgym {

class TokenGraph {
 public:
  /// True for a step where graphs are possible and in use.
  static bool canRead(const Tensor& ids, const Reading& reading);

  /// `decoder.token(ids, reading)`. The decoder is the same in every call.
  Tensor read(const Decoder& decoder, const Tensor& ids, const Reading& reading);

 private:
  /// The step after the last one, of the same batch.
  bool follows(const Tensor& ids, const Reading& reading) const;
  void begin(const Tensor& ids, const Reading& reading);
  void setInputs(const Tensor& ids, const Reading& reading);
  Tensor step(const Decoder& decoder) const;

  Tensor ids_;
  /// In memory of its own but for the cache.
  Reading reading_;
  std::unique_ptr<CudaGraph> graph_;
  /// What a replay leaves.
  Tensor scores_;
};

}  // namespace vlgym
