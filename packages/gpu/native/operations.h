// The groups of functions; each lives in a file of its own so that they compile side by side.
#pragma once

#include "bind.h"

namespace vlgym {

using std::optional;
using std::vector;
using Ints = std::vector<int64_t>;

/// Bytes of a bool tensor from outside: any but 0 and 1 is undefined behavior as a C++ bool, and counts of them go wrong.
void zeroOrOne(const Tensor& tensor);

void defineRuntime(const Exports& exports);
void defineCreation(const Exports& exports);
void defineData(const Exports& exports);
void definePointwise(const Exports& exports);
void defineInPlace(const Exports& exports);
void defineReductions(const Exports& exports);
void defineShapes(const Exports& exports);
void defineIndexing(const Exports& exports);
void defineNeural(const Exports& exports);
void defineDecoding(const Exports& exports);
void defineRecorded(const Exports& exports);
void defineRandom(const Exports& exports);
void defineAutograd(const Exports& exports);
void defineOptimizers(const Exports& exports);
void defineFiles(const Exports& exports);
void defineDistributed(const Exports& exports);
void defineGradientBuckets(const Exports& exports);

}  // namespace vlgym
