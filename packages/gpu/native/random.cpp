// Random numbers. Every function takes a generator; `null` means libtorch's default one.
#include <mutex>

#include "compat.h"
#include "operations.h"

namespace vlgym {

using OptionalGenerator = optional<at::Generator>;

void defineRandom(const Exports& exports) {
  exports.define("newGenerator", [](at::Device device) { return compat::newGenerator(device); });
  exports.define("seedGenerator", [](at::Generator generator, int64_t seed) {
    const std::lock_guard<std::mutex> lock(generator.mutex());
    generator.set_current_seed(static_cast<uint64_t>(seed));
  });
  exports.define("generatorState", [](at::Generator generator) { return generator.get_state(); });
  exports.define("setGeneratorState", [](at::Generator generator, const Tensor& state) { generator.set_state(state); });
  exports.define("manualSeed", [](int64_t seed) { at::manual_seed(static_cast<uint64_t>(seed)); });

  exports.define("rand", [](const Ints& shape, const OptionalGenerator& generator, at::ScalarType dtype,
                            at::Device device) { return at::rand(shape, generator, at::dtype(dtype).device(device)); });
  exports.define("randn",
                 [](const Ints& shape, const OptionalGenerator& generator, at::ScalarType dtype, at::Device device) {
                   return at::randn(shape, generator, at::dtype(dtype).device(device));
                 });
  exports.define("randint", [](int64_t low, int64_t high, const Ints& shape, const OptionalGenerator& generator,
                               at::ScalarType dtype, at::Device device) {
    return at::randint(low, high, shape, generator, at::dtype(dtype).device(device));
  });
  exports.define("randperm",
                 [](int64_t count, const OptionalGenerator& generator, at::ScalarType dtype, at::Device device) {
                   return at::randperm(count, generator, at::dtype(dtype).device(device));
                 });
  exports.define("multinomial",
                 [](const Tensor& weights, int64_t samples, bool replacement, const OptionalGenerator& generator) {
                   return at::multinomial(weights, samples, replacement, generator);
                 });
  exports.define("bernoulli", [](const Tensor& probabilities, const OptionalGenerator& generator) {
    return at::bernoulli(probabilities, generator);
  });
  exports.define("uniform_", [](const Tensor& x, double low, double high, const OptionalGenerator& generator) {
    Tensor target = x;
    target.uniform_(low, high, generator);
  });
  exports.define("normal_", [](const Tensor& x, double mean, double deviation, const OptionalGenerator& generator) {
    Tensor target = x;
    target.normal_(mean, deviation, generator);
  });
  exports.define("bernoulli_", [](const Tensor& x, double probability, const OptionalGenerator& generator) {
    Tensor target = x;
    target.bernoulli_(probability, generator);
  });
  exports.define("exponential_", [](const Tensor& x, double rate, const OptionalGenerator& generator) {
    Tensor target = x;
    target.exponential_(rate, generator);
  });
}

}  // namespace vlgym
