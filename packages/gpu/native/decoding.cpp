// One token of a decoder in one call: the layers, the output layer, and the draw of the next token.
//
// A decoder of 28 layers is about 900 operations a token. Called one by one from JavaScript they cost more than the
// products of a small model; here they are plain calls of libtorch. Nothing records gradients.
#include <c10/core/GradMode.h>

#include <limits>

#include "operations.h"

namespace vlgym {

namespace {

using MaybeTensor = optional<Tensor>;

/// A matrix with its bias, and the low-rank changes of its rows: y = W x + b, then rows [start, start + count) of y gain
/// scale · B (A x). The A of all parts are one matrix, so that x is read once.
struct Linear {
  struct Part {
    int64_t start;
    int64_t rank;
    double scale;
    Tensor b;  // [rank, rows]
  };
  Tensor weight;
  MaybeTensor bias;
  Tensor a;  // [sum of ranks, in]; undefined without adapters
  vector<Part> parts;

  Tensor forward(const Tensor& x) const {
    Tensor y = at::linear(x, weight, bias);
    if (!a.defined()) return y;
    const Tensor low = at::linear(x, a);
    int64_t first = 0;
    for (const Part& part : parts) {
      y.narrow(-1, part.start, part.b.size(1)).addmm_(low.narrow(-1, first, part.rank), part.b, 1, part.scale);
      first += part.rank;
    }
    return y;
  }
};

/// In memory of float32 with the last dimension dense, where plain loops are faster than several operations.
bool isPlain(const Tensor& x) {
  return x.is_cpu() && x.scalar_type() == at::kFloat && x.dim() > 0 && x.stride(-1) == 1;
}

/// x / sqrt(mean(x²) + epsilon) · weight per row of x [rows, width].
void normRows(const Tensor& x, const Tensor& weight, double epsilon, const Tensor& y) {
  constexpr int64_t kLanes = 16;
  const int64_t width = x.size(1);
  const float* factor = weight.const_data_ptr<float>();
  for (int64_t row = 0; row < x.size(0); ++row) {
    const float* from = x.const_data_ptr<float>() + row * x.stride(0);
    float* to = y.mutable_data_ptr<float>() + row * y.stride(0);
    float sums[kLanes] = {};
    int64_t i = 0;
    for (; i + kLanes <= width; i += kLanes) {
      for (int64_t lane = 0; lane < kLanes; ++lane) sums[lane] += from[i + lane] * from[i + lane];
    }
    float sum = 0;
    for (const float part : sums) sum += part;
    for (; i < width; ++i) sum += from[i] * from[i];
    const float scale = 1.0F / std::sqrt(sum / static_cast<float>(width) + static_cast<float>(epsilon));
    for (i = 0; i < width; ++i) to[i] = from[i] * scale * factor[i];
  }
}

/// Rotates x [rows, 1, heads, width], each row by its angles in cos and sin [rows or 1, 1, 1, width].
void rotateRows(const Tensor& x, const Tensor& cos, const Tensor& sin, const Tensor& y) {
  const int64_t half = x.size(3) / 2;
  for (int64_t row = 0; row < x.size(0); ++row) {
    const float* c = cos.const_data_ptr<float>() + (cos.size(0) > 1 ? row * cos.stride(0) : 0);
    const float* s = sin.const_data_ptr<float>() + (sin.size(0) > 1 ? row * sin.stride(0) : 0);
    for (int64_t head = 0; head < x.size(2); ++head) {
      const float* from = x.const_data_ptr<float>() + row * x.stride(0) + head * x.stride(2);
      float* to = y.mutable_data_ptr<float>() + row * y.stride(0) + head * y.stride(2);
      for (int64_t i = 0; i < half; ++i) {
        to[i] = from[i] * c[i] + from[i + half] * s[i];
        to[i + half] = from[i + half] * c[i + half] + from[i] * s[i + half];
      }
    }
  }
}

bool areAngles(const Tensor& angles, const Tensor& x) {
  return isPlain(angles) && angles.dim() == 4 && angles.size(1) == 1 && angles.size(2) == 1 &&
         angles.size(3) == x.size(3) && (angles.size(0) == 1 || angles.size(0) == x.size(0));
}

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

struct Decoder {
  int64_t heads = 1;
  int64_t groups = 1;
  int64_t width = 2;
  double epsilon = 0;
  /// In half precision the norm is computed in float32 and cast back before it is multiplied by the weight.
  bool wideNorm = false;
  Tensor embedding;
  vector<Layer> layers;
  Tensor norm;
  Linear head;

  Tensor normed(const Tensor& x, const Tensor& weight) const {
    if (isPlain(x) && x.dim() == 2 && isPlain(weight) && weight.dim() == 1 && weight.size(0) == x.size(1)) {
      Tensor y = at::empty({x.size(0), x.size(1)}, x.options());
      normRows(x, weight, epsilon, y);
      return y;
    }
    const bool isWide = x.scalar_type() == at::kFloat || x.scalar_type() == at::kDouble;
    if (isWide || !wideNorm) return at::rms_norm(x, weight.sizes(), weight, epsilon);
    return at::rms_norm(x.to(at::kFloat), weight.sizes(), std::nullopt, epsilon).to(x.scalar_type()).mul_(weight);
  }

  static Tensor rotated(const Tensor& x, const Tensor& cos, const Tensor& sin) {
    if (isPlain(x) && x.size(3) % 2 == 0 && areAngles(cos, x) && areAngles(sin, x)) {
      Tensor y = at::empty(x.sizes(), x.options());
      rotateRows(x, cos, sin, y);
      return y;
    }
    return x.mul(cos).addcmul_(x.roll(x.size(-1) / 2, -1), sin);
  }

  /// x [rows, hidden]; `keys` and `values` [rows, groups, capacity, width] get column `length`.
  Tensor attend(const Layer& layer, const Tensor& x, const Tensor& cos, const Tensor& sin, const MaybeTensor& mask,
                const Tensor& keys, const Tensor& values, int64_t length) const {
    const int64_t rows = x.size(0);
    const Tensor all = layer.qkv.forward(x).view({rows, 1, heads + 2 * groups, width});
    Tensor query;
    Tensor key;
    if (layer.queryNorm && layer.keyNorm) {
      query = rotated(normed(all.narrow(2, 0, heads), *layer.queryNorm), cos, sin);
      key = rotated(normed(all.narrow(2, heads, groups), *layer.keyNorm), cos, sin);
    } else {
      const Tensor both = rotated(all.narrow(2, 0, heads + groups), cos, sin);
      query = both.narrow(2, 0, heads);
      key = both.narrow(2, heads, groups);
    }
    keys.select(2, length).copy_(key.select(1, 0));
    values.select(2, length).copy_(all.select(1, 0).narrow(1, heads + groups, groups));
    // the heads that share a key-value head become its queries: no copy of the cache
    const Tensor attended = at::scaled_dot_product_attention(
        query.reshape({rows, groups, heads / groups, width}), keys.narrow(2, 0, length + 1),
        values.narrow(2, 0, length + 1), mask, 0.0, false, std::nullopt, false);
    return layer.output.forward(attended.reshape({rows, heads * width}));
  }

  Tensor feedForward(const Layer& layer, const Tensor& x) const {
    const Tensor both = layer.gateUp.forward(x);
    const int64_t inner = both.size(-1) / 2;
    return layer.down.forward(at::silu(both.narrow(-1, 0, inner)).mul_(both.narrow(-1, inner, inner)));
  }
};

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

/// Reads tensors one after the other from a list that JavaScript has made.
class Reader {
 public:
  Reader(const vector<MaybeTensor>& tensors, const vector<double>& numbers) : tensors_(tensors), numbers_(numbers) {}

  MaybeTensor maybe() {
    if (tensor_ == tensors_.size()) throw ArgumentError("the list of a decoder's tensors is too short");
    return tensors_[tensor_++];
  }

  Tensor tensor() {
    const MaybeTensor found = maybe();
    if (!found) throw ArgumentError("a tensor of the decoder is missing");
    return *found;
  }

  int64_t count(int64_t most) {
    const double value = number();
    if (!(value >= 0 && value <= static_cast<double>(most)) || value != std::floor(value)) {
      throw ArgumentError("a number of the decoder is out of range");
    }
    return static_cast<int64_t>(value);
  }

  double number() {
    if (number_ == numbers_.size()) throw ArgumentError("the list of a decoder's numbers is too short");
    return numbers_[number_++];
  }

  /// weight, bias, A, then one B per part; numbers: parts, then start, rank and scale of each.
  Linear linear() {
    Linear result;
    result.weight = tensor();
    if (result.weight.dim() != 2) throw ArgumentError("the weight of a decoder's linear layer is not a matrix");
    result.bias = maybe();
    const MaybeTensor a = maybe();
    const int64_t parts = count(1024);
    if (a) result.a = *a;
    for (int64_t i = 0; i < parts; ++i) {
      const int64_t start = count(int64_t{1} << 32);
      const int64_t rank = count(int64_t{1} << 32);
      result.parts.push_back({start, rank, number(), tensor()});
      if (result.parts.back().b.dim() != 2) throw ArgumentError("a factor of an adapter is not a matrix");
    }
    return result;
  }

  void end() const {
    if (tensor_ != tensors_.size() || number_ != numbers_.size()) {
      throw ArgumentError("the lists of a decoder are too long");
    }
  }

 private:
  const vector<MaybeTensor>& tensors_;
  const vector<double>& numbers_;
  size_t tensor_ = 0;
  size_t number_ = 0;
};

}  // namespace

void defineDecoding(const Exports& exports) {
  // `numbers`: layers, heads, groups, width, epsilon, wideNorm, then those of each linear layer. `tensors`: embedding,
  // then per layer norm, qkv, query norm, key norm, output, norm, gate and up, down; the last norm; the output layer.
  exports.define("newDecoder", [](const Call& call, const vector<double>& numbers, const vector<MaybeTensor>& tensors) {
    const c10::NoGradGuard guard;
    Reader reader(tensors, numbers);
    auto decoder = std::make_shared<Decoder>();
    const int64_t layers = reader.count(100'000);
    decoder->heads = reader.count(1 << 20);
    decoder->groups = reader.count(1 << 20);
    decoder->width = reader.count(1 << 20);
    decoder->epsilon = reader.number();
    decoder->wideNorm = reader.number() != 0;
    if (decoder->groups < 1 || decoder->heads < 1 || decoder->width < 2 || decoder->heads % decoder->groups != 0) {
      throw ArgumentError("a decoder has at least one head, and as many or a multiple of its key-value heads");
    }
    decoder->embedding = reader.tensor();
    for (int64_t i = 0; i < layers; ++i) {
      Layer layer;
      layer.inputNorm = reader.tensor();
      layer.qkv = reader.linear();
      layer.queryNorm = reader.maybe();
      layer.keyNorm = reader.maybe();
      layer.output = reader.linear();
      layer.middleNorm = reader.tensor();
      layer.gateUp = reader.linear();
      layer.down = reader.linear();
      decoder->layers.push_back(std::move(layer));
    }
    decoder->norm = reader.tensor();
    decoder->head = reader.linear();
    reader.end();
    return external(call, std::move(decoder), typeid(Decoder));
  });

  // Lets go of its tensors; every use after that is refused.
  exports.define("closeDecoder", [](const Call& call, napi_value value) {
    const auto decoder = std::static_pointer_cast<Decoder>(fromExternal(call, 0, value, typeid(Decoder)));
    *decoder = Decoder{};
  });

  // ids int64 [rows] → scores [rows, vocabulary] of the next token.
  exports.define("decodeToken", [](const Call& call, napi_value value, const Tensor& ids, const Tensor& cos,
                                   const Tensor& sin, const MaybeTensor& mask, const vector<Tensor>& keys,
                                   const vector<Tensor>& values, int64_t length) {
    const c10::NoGradGuard guard;
    const auto decoder = std::static_pointer_cast<Decoder>(fromExternal(call, 0, value, typeid(Decoder)));
    if (!decoder->norm.defined()) throw ArgumentError("the decoder is closed");
    if (keys.size() != decoder->layers.size() || values.size() != keys.size()) {
      throw ArgumentError("the cache does not have one entry per layer of the decoder");
    }
    Tensor x = at::embedding(decoder->embedding, ids.view({-1}));
    for (size_t i = 0; i < keys.size(); ++i) {
      const Layer& layer = decoder->layers[i];
      x.add_(decoder->attend(layer, decoder->normed(x, layer.inputNorm), cos, sin, mask, keys[i], values[i], length));
      x.add_(decoder->feedForward(layer, decoder->normed(x, layer.middleNorm)));
    }
    return decoder->head.forward(decoder->normed(x, decoder->norm));
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
      const Tensor cumulative = behavior.to(at::kDouble).exp_().cumsum_(-1);
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
