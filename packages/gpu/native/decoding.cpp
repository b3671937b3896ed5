// Decoders as JavaScript calls them, and the draw of the next token from its scores. Draws record no gradients.
#include <c10/core/GradMode.h>

#include <limits>

#include "token-graph.h"
#include "worker.h"

namespace vlgym {

namespace {

/// What makes the distribution that is drawn from out of scores.
struct Shaping {
  double temperature;
  int64_t topK;
  double topP;
  double penalty;
  MaybeTensor seen;
  MaybeTensor allowed;

  bool isReshaped() const { return topK > 0 || topP < 1 || penalty != 1 || allowed; }

  Tensor scaled(const Tensor& x) const {
    return temperature != 0 && temperature != 1 ? x.div(wrapped(x, temperature)) : x;
  }
};

/// Penalty, temperature, tokens that are not allowed, top-k, top-p, in this order; -inf where an entry is removed.
Tensor processed(const Tensor& scores, const Shaping& shaping) {
  if (scores.dim() != 2 || scores.size(1) == 0) throw ArgumentError("scores are a matrix [rows, vocabulary]");
  const double removedScore = -std::numeric_limits<double>::infinity();
  const int64_t vocabulary = scores.size(1);
  Tensor x = scores;
  if (shaping.penalty != 1 && shaping.seen) {
    const Tensor factor = wrapped(x, shaping.penalty);
    x = at::where(*shaping.seen, at::where(x.gt(0), x.div(factor), x.mul(factor)), x);
  }
  x = shaping.scaled(x);
  if (shaping.allowed) x = x.masked_fill(shaping.allowed->logical_not(), removedScore);
  if (shaping.topK > 0 && shaping.topK < vocabulary) {
    const Tensor smallest = std::get<0>(x.topk(shaping.topK, -1)).narrow(-1, shaping.topK - 1, 1);
    x = x.masked_fill(x.lt(smallest), removedScore);
  }
  if (shaping.topP < 1) {
    const auto [sorted, places] = x.sort(true, -1, false);
    const Tensor removed = sorted.softmax(-1).cumsum(-1).le(1 - shaping.topP);
    removed.narrow(-1, vocabulary - 1, 1).zero_();  // the largest always stays
    x = x.masked_fill(removed.scatter(-1, places, removed), removedScore);
  }
  return x;
}

/// Log-probabilities and entropies of given tokens.
struct TokenScoring {
  Tensor weight;
  double temperature;
  double floor;
  bool withEntropies;
  int64_t step;

  Tensor scored(const Tensor& states, const Tensor& ids, const MaybeTensor& forbidden) const {
    if (states.dim() != 2 || ids.dim() != 1 || ids.size(0) != states.size(0) ||
        (forbidden && (forbidden->dim() != 2 || forbidden->size(0) != states.size(0)))) {
      throw ArgumentError("tokens are scored from states [tokens, hidden], with an id for each");
    }
    const at::ScalarType kind = states.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
    Tensor result = at::zeros({withEntropies ? 2 : 1, states.size(0)}, states.options().dtype(kind));
    for (int64_t start = 0; start < states.size(0); start += step) {
      const int64_t count = std::min(step, states.size(0) - start);
      const MaybeTensor hidden = forbidden ? MaybeTensor(forbidden->narrow(0, start, count)) : std::nullopt;
      const Tensor x = scores(states.narrow(0, start, count), hidden, kind);
      const Tensor total = x.logsumexp(-1);
      const Tensor chosen = x.gather(-1, ids.narrow(0, start, count).unsqueeze(-1)).squeeze(-1);
      result.select(0, 0).narrow(0, start, count).copy_(chosen.sub(total));
      if (!withEntropies) continue;
      result.select(0, 1).narrow(0, start, count).copy_(x.softmax(-1).mul_(x).sum(-1).sub_(total).neg_());
    }
    return result;
  }

 private:
  Tensor scores(const Tensor& states, const MaybeTensor& forbidden, at::ScalarType kind) const {
    Tensor x = at::linear(states, weight).to(kind);
    if (temperature != 1) x = x.div(wrapped(x, temperature));
    return forbidden ? x.masked_fill(*forbidden, floor) : x;
  }
};

/// What JavaScript holds: closed, it lets go of the tensors. A job on the native thread keeps them until it ends.
struct OpenDecoder {
  std::shared_ptr<const Decoder> decoder;
  std::shared_ptr<TokenGraph> graph;
};

OpenDecoder opened(const Call& call, napi_value value) {
  const auto open = std::static_pointer_cast<OpenDecoder>(fromExternal(call, 0, value, typeid(OpenDecoder)));
  if (!open->decoder) throw ArgumentError("the decoder is closed");
  return *open;
}

Tensor nextScores(const OpenDecoder& open, const Tensor& ids, const Reading& reading) {
  if (TokenGraph::canRead(ids, reading)) return open.graph->read(*open.decoder, ids, reading);
  return open.decoder->token(ids, reading);
}

}  // namespace

void defineDecoding(const Exports& exports) {
  // `numbers`: layers, heads, groups, width, epsilon, wideNorm, records, autocast, then those of each linear layer. `tensors`:
  // embedding, then per layer norm, qkv, query norm, key norm, output, norm, gate and up, down; the last norm; the output
  // layer. Each linear layer: weight, scales of int8 weights, bias, A and B per part; numbers: parts, then start, scale and
  // dropout of each. Weights may be bfloat16 beside a float32 embedding, or int8.
  exports.define("newDecoder", [](const Call& call, const vector<double>& numbers, const vector<MaybeTensor>& tensors,
                                  const optional<at::Generator>& generator) {
    const auto open = std::make_shared<OpenDecoder>(
        OpenDecoder{readDecoder(numbers, tensors, generator), std::make_shared<TokenGraph>()});
    return external(call, open, typeid(OpenDecoder));
  });

  // Lets go of its tensors; every use after that is refused.
  exports.define("closeDecoder", [](const Call& call, napi_value value) {
    *std::static_pointer_cast<OpenDecoder>(fromExternal(call, 0, value, typeid(OpenDecoder))) = {};
  });

  // ids int64 [rows] → scores [rows, vocabulary] of the next token.
  exports.define("decodeToken", [](const Call& call, napi_value value, const Tensor& ids, const Tensor& cos,
                                   const Tensor& sin, const MaybeTensor& mask, const vector<Tensor>& keys,
                                   const vector<Tensor>& values, int64_t length) {
    return nextScores(opened(call, value), ids, {cos, sin, mask, keys, values, length, true});
  });
  exports.define("decodeTokenAsync", [](const Call& call, napi_value value, const Tensor& ids, const Tensor& cos,
                                        const Tensor& sin, const MaybeTensor& mask, const vector<Tensor>& keys,
                                        const vector<Tensor>& values, int64_t length) {
    return call.environment.worker().submitTensor(
        "decodeTokenAsync",
        [open = opened(call, value), ids, reading = Reading{cos, sin, mask, keys, values, length, true}] {
          return nextScores(open, ids, reading);
        });
  });

  // Embeddings [rows, tokens, hidden] through the layers, and where `isLast` through the norm behind them; `lastOnly`: the
  // last token of each row then.
  exports.define("runDecoder", [](const Call& call, napi_value value, const Tensor& x, const Tensor& cos,
                                  const Tensor& sin, const MaybeTensor& mask, const vector<Tensor>& keys,
                                  const vector<Tensor>& values, int64_t length, bool isLast, bool lastOnly,
                                  const vector<Tensor>& added) {
    return opened(call, value).decoder->forward(x, {cos, sin, mask, keys, values, length}, {isLast, lastOnly, added});
  });
  // The same on the native thread; gradients are recorded where they are on at the time of the call.
  exports.define("runDecoderAsync", [](const Call& call, napi_value value, const Tensor& x, const Tensor& cos,
                                       const Tensor& sin, const MaybeTensor& mask, const vector<Tensor>& keys,
                                       const vector<Tensor>& values, int64_t length, bool isLast, bool lastOnly,
                                       const vector<Tensor>& added) {
    const auto decoder = opened(call, value).decoder;
    return call.environment.worker().submitTensor(
        "runDecoderAsync", [decoder, x, reading = Reading{cos, sin, mask, keys, values, length},
                            outcome = Outcome{isLast, lastOnly, added}, records = c10::GradMode::is_enabled()] {
          const c10::AutoGradMode mode(records);
          return decoder->forward(x, reading, outcome);
        });
  });

  // Hidden states [tokens, hidden] and the output layer → float [1 or 2, tokens]: log-probability of each id at this
  // temperature, and the entropy where asked for. `forbidden` bool [tokens, vocabulary] get the score `floor`. At most `step`
  // tokens at a time have their scores in memory. Without gradients, on the native thread.
  exports.define("scoreTokensAsync", [](const Call& call, const Tensor& states, const Tensor& weight, const Tensor& ids,
                                        const MaybeTensor& forbidden, double floor, double temperature, bool withEntropies,
                                        int64_t step) {
    if (step < 1) throw ArgumentError("at least one token is scored at a time");
    const TokenScoring scoring{weight, temperature, floor, withEntropies, step};
    return call.environment.worker().submitTensor("scoreTokensAsync", [states, ids, forbidden, scoring] {
      const c10::NoGradGuard guard;
      return scoring.scored(states, ids, forbidden);
    });
  });

  exports.define("processScores", [](const Tensor& scores, double temperature, int64_t topK, double topP, double penalty,
                                     const MaybeTensor& seen, const MaybeTensor& allowed) {
    const c10::NoGradGuard guard;
    return processed(scores, {temperature, topK, topP, penalty, seen, allowed});
  });

  // Scores [rows, vocabulary] → float64 [3, rows]: token, its log-probability at this temperature, and that under the
  // distribution it was drawn from. `uniforms` float64 [rows] in [0, 1), absent where the likeliest token is taken.
  // `seen` bool [rows, vocabulary] gains the tokens.
  exports.define("drawToken", [](const Tensor& scores, double temperature, int64_t topK, double topP, double penalty,
                                 const MaybeTensor& seen, const MaybeTensor& allowed, const MaybeTensor& uniforms) {
    const c10::NoGradGuard guard;
    const Shaping shaping{temperature, topK, topP, penalty, seen, allowed};
    const Tensor logits = scores.scalar_type() == at::kDouble ? scores : scores.to(at::kFloat);
    const Tensor candidates = processed(logits, shaping);
    const int64_t last = logits.size(1) - 1;
    const Tensor trained = at::log_softmax(shaping.scaled(logits), -1);
    const Tensor behavior = shaping.isReshaped() ? at::log_softmax(candidates, -1) : trained;
    Tensor tokens;
    if (uniforms) {
      // a copy: float64 log-probabilities are still to be read
      const Tensor cumulative = behavior.to(at::kDouble, false, true).exp_().cumsum_(-1);
      const Tensor total = cumulative.narrow(-1, last, 1);
      // beyond the last token only where the scores are NaN, which the caller reports
      tokens = at::searchsorted(cumulative, total.mul(uniforms->unsqueeze(-1)), false, true).clamp_(0, last);
    } else {
      tokens = candidates.argmax(-1, true);
    }
    if (seen) Tensor(*seen).scatter_(-1, tokens, 1);
    const Tensor logProb = trained.gather(-1, tokens).to(at::kDouble);
    const Tensor drawnWith = shaping.isReshaped() ? behavior.gather(-1, tokens).to(at::kDouble) : logProb;
    return at::cat({tokens.to(at::kDouble), logProb, drawnWith}, -1).t().contiguous();
  });
}

}  // namespace vlgym
