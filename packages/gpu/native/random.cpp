// Random numbers. Every function takes a generator; `null` means libtorch's default one. A generator draws on its own device
// and the numbers are copied from there: those of a seed are the same on every device.
#include <cstring>
#include <mutex>

#include "compat.h"
#include "operations.h"

namespace vlgym {

using OptionalGenerator = optional<at::Generator>;

namespace {

/// libtorch checks `left` and `next` of a Mersenne twister by themselves. Together they may still lead it past the end of
/// its 624 numbers (`mt19937_engine::operator()` in ATen/core/MT19937RNGEngine.h), and a state may come from a file.
void checkState(const Tensor& state) {
  struct {
    uint64_t seed;
    int32_t left;
    int32_t seeded;
    uint64_t next;
  } start;
  if (state.scalar_type() != at::kByte || !state.is_contiguous() || state.nbytes() < sizeof start) {
    throw ArgumentError("the state of a generator is a row of bytes");
  }
  std::memcpy(&start, state.data_ptr(), sizeof start);
  const bool drawsNewNumbers = start.left == 1;
  if (!drawsNewNumbers && (start.left < 1 || start.next > 624 || start.left + start.next > 625)) {
    throw ArgumentError("the state of the generator is damaged");
  }
}

/// Where numbers for a tensor on `wanted` are drawn.
at::Device placeOf(const OptionalGenerator& generator, const at::Device& wanted) {
  return !generator || generator->device().type() == wanted.type() ? wanted : generator->device();
}

/// Calls `draw` with the tensor itself, or with one on the device of the generator that is then copied into it.
template <class F>
void drawInto(const Tensor& x, const OptionalGenerator& generator, F draw) {
  Tensor target = x;
  const at::Device place = placeOf(generator, x.device());
  if (place == x.device()) {
    draw(target);
    return;
  }
  Tensor numbers = at::empty(x.sizes(), x.options().device(place));
  draw(numbers);
  target.copy_(numbers);
}

}  // namespace

void defineRandom(const Exports& exports) {
  exports.define("newGenerator", [](at::Device device) { return compat::newGenerator(device); });
  exports.define("seedGenerator", [](at::Generator generator, int64_t seed) {
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_current_seed(static_cast<uint64_t>(seed));
  });
  exports.define("generatorState", [](at::Generator generator) { return generator.get_state(); });
  exports.define("setGeneratorState", [](at::Generator generator, const Tensor& state) {
    const Tensor bytes = state.cpu();
    if (generator.device().is_cpu()) checkState(bytes);
    generator.set_state(bytes);
  });
  exports.define("manualSeed", [](int64_t seed) { at::manual_seed(static_cast<uint64_t>(seed)); });

  exports.define("rand", [](const Shape& shape, const OptionalGenerator& generator, at::ScalarType dtype,
                            at::Device device) {
    return at::rand(shape, generator, at::dtype(dtype).device(placeOf(generator, device))).to(device);
  });
  exports.define("randn",
                 [](const Shape& shape, const OptionalGenerator& generator, at::ScalarType dtype, at::Device device) {
                   return at::randn(shape, generator, at::dtype(dtype).device(placeOf(generator, device))).to(device);
                 });
  exports.define("randint", [](int64_t low, int64_t high, const Shape& shape, const OptionalGenerator& generator,
                               at::ScalarType dtype, at::Device device) {
    return at::randint(low, high, shape, generator, at::dtype(dtype).device(placeOf(generator, device))).to(device);
  });
  exports.define("randperm",
                 [](int64_t count, const OptionalGenerator& generator, at::ScalarType dtype, at::Device device) {
                   return at::randperm(count, generator, at::dtype(dtype).device(placeOf(generator, device))).to(device);
                 });
  exports.define("multinomial",
                 [](const Tensor& weights, int64_t samples, bool replacement, const OptionalGenerator& generator) {
                   const Tensor placed = weights.to(placeOf(generator, weights.device()));
                   return at::multinomial(placed, samples, replacement, generator).to(weights.device());
                 });
  exports.define("bernoulli", [](const Tensor& probabilities, const OptionalGenerator& generator) {
    const Tensor placed = probabilities.to(placeOf(generator, probabilities.device()));
    return at::bernoulli(placed, generator).to(probabilities.device());
  });
  exports.define("uniform_", [](const Tensor& x, double low, double high, const OptionalGenerator& generator) {
    drawInto(x, generator, [&](Tensor& target) { target.uniform_(low, high, generator); });
  });
  exports.define("normal_", [](const Tensor& x, double mean, double deviation, const OptionalGenerator& generator) {
    drawInto(x, generator, [&](Tensor& target) { target.normal_(mean, deviation, generator); });
  });
  exports.define("bernoulli_", [](const Tensor& x, double probability, const OptionalGenerator& generator) {
    drawInto(x, generator, [&](Tensor& target) { target.bernoulli_(probability, generator); });
  });
  exports.define("exponential_", [](const Tensor& x, double rate, const OptionalGenerator& generator) {
    drawInto(x, generator, [&](Tensor& target) { target.exponential_(rate, generator); });
  });
}

}  // namespace vlgym
