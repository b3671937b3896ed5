#include "decoder.h"

#include <c10/core/GradMode.h>

#include "narrow.h"
#include "token-attention.h"

namespace vlgym {

namespace {

/// Tokens of prompts that the MLP of a layer takes at once.
constexpr int64_t kTokensAtOnce = 2048;

/// Reads tensors one after the other from a list that JavaScript has made.
class Reader {
 public:
  Reader(const vector<MaybeTensor>& tensors, const vector<double>& numbers, const optional<at::Generator>& generator)
      : tensors_(tensors), numbers_(numbers), generator_(generator) {}

  MaybeTensor maybe() {
    if (tensor_ == tensors_.size()) throw ArgumentError("the list of a decoder's tensors is too short");
    const MaybeTensor& found = tensors_[tensor_++];
    // loops over memory of the CPU must not meet that of a device
    if (found && found->device() != tensors_[0]->device()) throw ArgumentError("the tensors of a decoder are on several devices");
    return found;
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

  /// weight, scales of int8 weights, bias, then A and B per part; numbers: parts, then start, scale and dropout of each.
  Linear linear(const Decoder& decoder) {
    Linear result;
    result.weight = tensor();
    if (result.weight.dim() != 2) throw ArgumentError("the weight of a decoder's linear layer is not a matrix");
    result.scales = maybe();
    const at::ScalarType kind = decoder.embedding.scalar_type();
    result.isNarrow = isNarrow(result.weight, result.scales, kind);
    if (result.isNarrow && decoder.records) throw ArgumentError("weights in fewer bytes record no gradients");
    result.bias = maybe();
    result.inBfloat16 = decoder.autocast;
    result.generator = generator_;
    const int64_t parts = count(1024);
    for (int64_t i = 0; i < parts; ++i) {
      const int64_t start = count(int64_t{1} << 32);
      const double scale = number();
      const double dropout = number();
      if (!(dropout >= 0 && dropout <= 1)) throw ArgumentError("dropout is a probability");
      const Tensor a = tensor();
      const Tensor b = tensor();
      if (a.dim() != 2 || b.dim() != 2 || a.size(0) != b.size(1) || a.size(1) != result.weight.size(1) ||
          start + b.size(0) > result.weight.size(0)) {
        throw ArgumentError("the factors of an adapter do not fit its matrix");
      }
      result.parts.push_back({start, scale, dropout, a, b});
    }
    if (!decoder.records) result.freeze(result.isNarrow ? kind : result.weight.scalar_type());
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
  const optional<at::Generator>& generator_;
  size_t tensor_ = 0;
  size_t number_ = 0;
};

/// [rows, groups, tokens, width] → [rows, heads, tokens, width], each group for all heads that share it.
Tensor perHead(const Tensor& x, int64_t heads) {
  const int64_t groups = x.size(1);
  return x.unsqueeze(2).expand({-1, -1, heads / groups, -1, -1}).reshape({x.size(0), heads, x.size(2), x.size(3)});
}

/// In place of the first, which nobody else has, where no gradient passes through it.
Tensor sum(const Tensor& x, const Tensor& y) {
  if (c10::GradMode::is_enabled()) return x.add(y);
  Tensor(x).add_(y);
  return x;
}

}  // namespace

Tensor Decoder::product(const Linear& linear, const Tensor& x, const Reading& reading) const {
  if (reading.isStep && !records && !linear.isDropping()) return linear.step(x);
  return records || linear.isDropping() ? linear.record(x) : linear.forward(x);
}

Tensor Decoder::normed(const Tensor& x, const Tensor& weight) const {
  return rootMeanSquareNorm(x, weight, epsilon, wideNorm);
}

std::array<Tensor, 3> Decoder::split(const Layer& layer, const Tensor& all, const Reading& reading) const {
  if (!layer.queryNorm || !layer.keyNorm) return splitHeads(all, heads, groups, reading.cos, reading.sin);
  const Tensor query = normed(all.narrow(2, 0, heads).contiguous(), *layer.queryNorm);
  const Tensor key = normed(all.narrow(2, heads, groups).contiguous(), *layer.keyNorm);
  return {rotated(query, reading.cos, reading.sin), rotated(key, reading.cos, reading.sin),
          all.narrow(2, heads + groups, groups)};
}

Tensor Decoder::attend(const Layer& layer, size_t index, const Tensor& x, int64_t rows, int64_t queries,
                       const Reading& reading) const {
  const int64_t tokens = x.size(0) / rows;
  const Tensor all = product(layer.qkv, x, reading).view({rows, tokens, heads + 2 * groups, width});
  const auto parts = split(layer, all, reading);
  const Tensor query = parts[0].narrow(1, tokens - queries, queries);
  Tensor key = parts[1].transpose(1, 2);
  Tensor value = parts[2].transpose(1, 2);
  if (reading.column) {
    key = Tensor(reading.keys[index]).index_copy_(2, *reading.column, key);
    value = Tensor(reading.values[index]).index_copy_(2, *reading.column, value);
  } else if (!reading.keys.empty()) {
    reading.keys[index].narrow(2, reading.length, tokens).copy_(key);
    reading.values[index].narrow(2, reading.length, tokens).copy_(value);
    key = reading.keys[index].narrow(2, 0, reading.length + tokens);
    value = reading.values[index].narrow(2, 0, reading.length + tokens);
  }
  if (queries == 1) {
    // what the last token attends to; the heads that share a key-value head become its queries: no copy of the cache
    const Tensor shared = query.reshape({rows, groups, heads / groups, width});
    MaybeTensor mask = reading.mask;
    if (mask && mask->size(-2) > 1) mask = mask->narrow(-2, mask->size(-2) - 1, 1);
    const Tensor attended = reading.isStep ? tokenAttention(shared, key, value, mask)
                                           : at::scaled_dot_product_attention(shared, key, value, mask);
    return product(layer.output, attended.reshape({rows, heads * width}), reading);
  }
  if (heads != groups && reading.mask && x.is_cuda()) {
    // with a mask and shared heads libtorch would keep the scores of all pairs of tokens
    key = perHead(key, heads);
    value = perHead(value, heads);
  }
  const Tensor attended = at::scaled_dot_product_attention(query.transpose(1, 2), key, value, reading.mask, 0.0,
                                                           !reading.mask, std::nullopt, key.size(1) != heads);
  return product(layer.output, attended.transpose(1, 2).reshape({rows * tokens, heads * width}), reading);
}

Tensor Decoder::feedForward(const Layer& layer, const Tensor& x, const Reading& reading) const {
  const auto compute = [&](const Tensor& tokens) {
    Tensor wide = product(layer.gateUp, tokens, reading);
    wide = gated(wide);
    return product(layer.down, wide, reading);
  };
  // prompts of many rows: what is between the products would be most of a forward's memory
  if (records || reading.keys.empty() || x.size(0) <= kTokensAtOnce) return compute(x);
  Tensor y = at::empty_like(x);
  for (int64_t start = 0; start < x.size(0); start += kTokensAtOnce) {
    const int64_t count = std::min(kTokensAtOnce, x.size(0) - start);
    y.narrow(0, start, count).copy_(compute(x.narrow(0, start, count)));
  }
  return y;
}

Tensor Decoder::token(const Tensor& ids, const Reading& reading) const {
  const c10::NoGradGuard guard;
  if (reading.keys.empty()) throw ArgumentError("a token is read into a cache");
  const Tensor x = at::embedding(embedding, ids.view({-1}));
  return product(head, through(x, x.size(0), reading, {}), reading);
}

Tensor Decoder::forward(const Tensor& x, const Reading& reading, const Outcome& outcome) const {
  if (x.dim() != 3) throw ArgumentError("embeddings are [rows, tokens, hidden]");
  const c10::AutoGradMode mode(records && c10::GradMode::is_enabled());
  const Tensor y = through(x.reshape({x.size(0) * x.size(1), x.size(2)}), x.size(0), reading, outcome);
  return y.view({x.size(0), -1, x.size(2)});
}

Tensor Decoder::through(Tensor x, int64_t rows, const Reading& reading, const Outcome& outcome) const {
  if (x.numel() == 0) throw ArgumentError("there are no tokens to read");
  if (reading.keys.size() != reading.values.size() || (!reading.keys.empty() && reading.keys.size() != layers.size())) {
    throw ArgumentError("the cache does not have one entry per layer of the decoder");
  }
  for (const vector<Tensor>* cache : {&reading.keys, &reading.values}) {
    for (const Tensor& entry : *cache) {
      // libtorch divides by the number of heads
      if (entry.dim() != 4 || entry.size(0) != rows || entry.size(1) != groups || entry.size(3) != width) {
        throw ArgumentError("an entry of the cache is [rows, key-value heads, capacity, head width]");
      }
    }
  }
  const int64_t tokens = x.size(0) / rows;
  const auto lastOf = [&](const Tensor& all) { return all.reshape({rows, tokens, -1}).select(1, tokens - 1).contiguous(); };
  for (size_t i = 0; i < layers.size(); ++i) {
    const Layer& layer = layers[i];
    const bool isNarrowed = outcome.isLast && outcome.lastOnly && i + 1 == layers.size();
    const Tensor attended = attend(layer, i, normed(x, layer.inputNorm), rows, isNarrowed ? 1 : tokens, reading);
    x = sum(attended, isNarrowed ? lastOf(x) : x);
    x = sum(feedForward(layer, normed(x, layer.middleNorm), reading), x);
    if (i >= outcome.added.size()) continue;
    x = sum(x, isNarrowed ? lastOf(outcome.added[i]) : outcome.added[i].reshape(x.sizes()));
  }
  return outcome.isLast ? normed(x, norm) : x;
}

std::shared_ptr<const Decoder> readDecoder(const vector<double>& numbers, const vector<MaybeTensor>& tensors,
                                           const optional<at::Generator>& generator) {
  Reader reader(tensors, numbers, generator);
  auto decoder = std::make_shared<Decoder>();
  const int64_t layers = reader.count(100'000);
  decoder->heads = reader.count(1 << 20);
  decoder->groups = reader.count(1 << 20);
  decoder->width = reader.count(1 << 20);
  decoder->epsilon = reader.number();
  decoder->wideNorm = reader.number() != 0;
  decoder->records = reader.number() != 0;
  decoder->autocast = reader.number() != 0;
  if (decoder->groups < 1 || decoder->heads < 1 || decoder->width < 2 || decoder->heads % decoder->groups != 0) {
    throw ArgumentError("a decoder has at least one head, and as many or a multiple of its key-value heads");
  }
  const c10::AutoGradMode mode(false);
  decoder->embedding = reader.tensor();
  for (int64_t i = 0; i < layers; ++i) {
    Layer layer;
    layer.inputNorm = reader.tensor();
    layer.qkv = reader.linear(*decoder);
    layer.queryNorm = reader.maybe();
    layer.keyNorm = reader.maybe();
    layer.output = reader.linear(*decoder);
    layer.middleNorm = reader.tensor();
    layer.gateUp = reader.linear(*decoder);
    layer.down = reader.linear(*decoder);
    decoder->layers.push_back(std::move(layer));
  }
  decoder->norm = reader.tensor();
  decoder->head = reader.linear(*decoder);
  decoder->head.inBfloat16 = false;
  reader.end();
  return decoder;
}

}  // namespace vlgym
