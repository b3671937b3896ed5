// Picking numbers out by index, and putting them back.
#include "operations.h"

namespace vlgym {

namespace {

c10::List<optional<Tensor>> indices(const vector<optional<Tensor>>& list) {
  c10::List<optional<Tensor>> result;
  result.reserve(list.size());
  for (const auto& each : list) result.push_back(each);
  return result;
}

}  // namespace

void defineIndexing(const Exports& exports) {
  exports.define("gather", [](const Tensor& x, int64_t dim, const Tensor& index) { return x.gather(dim, index); });
  exports.define("scatter", [](const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
    return x.scatter(dim, index, source);
  });
  exports.define("scatterScalar", [](const Tensor& x, int64_t dim, const Tensor& index, at::Scalar value) {
    return x.scatter(dim, index, value);
  });
  exports.define("scatterAdd", [](const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
    return x.scatter_add(dim, index, source);
  });
  exports.define("indexSelect",
                 [](const Tensor& x, int64_t dim, const Tensor& index) { return x.index_select(dim, index); });
  exports.define("indexAdd", [](const Tensor& x, int64_t dim, const Tensor& index, const Tensor& source) {
    return x.index_add(dim, index, source);
  });
  exports.define("index", [](const Tensor& x, const vector<optional<Tensor>>& list) { return x.index(indices(list)); });
  exports.define("indexPut", [](const Tensor& x, const vector<optional<Tensor>>& list, const Tensor& values,
                                bool accumulate) { return x.index_put(indices(list), values, accumulate); });
  exports.define("indexPut_",
                 [](const Tensor& x, const vector<optional<Tensor>>& list, const Tensor& values, bool accumulate) {
                   Tensor target = x;
                   target.index_put_(indices(list), values, accumulate);
                 });
  exports.define("take", [](const Tensor& x, const Tensor& index) { return x.take(index); });
  exports.define("takeAlongDim", [](const Tensor& x, const Tensor& index, optional<int64_t> dim) {
    return x.take_along_dim(index, dim);
  });
  exports.define("maskedFill",
                 [](const Tensor& x, const Tensor& mask, at::Scalar value) { return x.masked_fill(mask, value); });
  exports.define("maskedSelect", [](const Tensor& x, const Tensor& mask) { return x.masked_select(mask); });
  exports.define("maskedScatter", [](const Tensor& x, const Tensor& mask, const Tensor& source) {
    return x.masked_scatter(mask, source);
  });
  exports.define("nonzero", [](const Tensor& x) { return x.nonzero(); });
  exports.define("searchsorted", [](const Tensor& sorted, const Tensor& values, bool right) {
    return at::searchsorted(sorted, values, false, right);
  });
  exports.define("bincount", [](const Tensor& x, const optional<Tensor>& weights, int64_t minimum) {
    return at::bincount(x, weights, minimum);
  });
}

}  // namespace vlgym
