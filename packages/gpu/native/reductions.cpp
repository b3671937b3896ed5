// Many numbers to few: sums, extremes, softmax, sorting.
#include "operations.h"

namespace vlgym {

void defineReductions(const Exports& exports) {
  // An absent `dim` means all dimensions.
  exports.define(
      "sum", [](const Tensor& x, const optional<Ints>& dim, bool keep) { return dim ? x.sum(*dim, keep) : x.sum(); });
  exports.define("mean", [](const Tensor& x, const optional<Ints>& dim, bool keep) {
    return dim ? x.mean(*dim, keep) : x.mean();
  });
  exports.define("variance", [](const Tensor& x, const optional<Ints>& dim, double correction, bool keep) {
    return x.var(dim ? at::OptionalIntArrayRef(*dim) : at::OptionalIntArrayRef(), at::Scalar(correction), keep);
  });
  exports.define("std", [](const Tensor& x, const optional<Ints>& dim, double correction, bool keep) {
    return x.std(dim ? at::OptionalIntArrayRef(*dim) : at::OptionalIntArrayRef(), at::Scalar(correction), keep);
  });
  exports.define("prod",
                 [](const Tensor& x, optional<int64_t> dim, bool keep) { return dim ? x.prod(*dim, keep) : x.prod(); });
  exports.define("amax", [](const Tensor& x, const Ints& dim, bool keep) { return x.amax(dim, keep); });
  exports.define("amin", [](const Tensor& x, const Ints& dim, bool keep) { return x.amin(dim, keep); });
  exports.define("max", [](const Tensor& x) { return x.max(); });
  exports.define("min", [](const Tensor& x) { return x.min(); });
  exports.define("maxDim", [](const Tensor& x, int64_t dim, bool keep) { return x.max(dim, keep); });
  exports.define("minDim", [](const Tensor& x, int64_t dim, bool keep) { return x.min(dim, keep); });
  exports.define("argmax", [](const Tensor& x, optional<int64_t> dim, bool keep) { return x.argmax(dim, keep); });
  exports.define("argmin", [](const Tensor& x, optional<int64_t> dim, bool keep) { return x.argmin(dim, keep); });
  exports.define("any",
                 [](const Tensor& x, optional<int64_t> dim, bool keep) { return dim ? x.any(*dim, keep) : x.any(); });
  exports.define("all",
                 [](const Tensor& x, optional<int64_t> dim, bool keep) { return dim ? x.all(*dim, keep) : x.all(); });
  exports.define("norm", [](const Tensor& x, double order, const optional<Ints>& dim, bool keep) {
    return at::linalg_vector_norm(x, order, dim ? at::OptionalIntArrayRef(*dim) : at::OptionalIntArrayRef(), keep);
  });
  exports.define("logsumexp", [](const Tensor& x, const Ints& dim, bool keep) { return x.logsumexp(dim, keep); });
  exports.define("softmax",
                 [](const Tensor& x, int64_t dim, optional<at::ScalarType> dtype) { return x.softmax(dim, dtype); });
  exports.define("logSoftmax", [](const Tensor& x, int64_t dim, optional<at::ScalarType> dtype) {
    return x.log_softmax(dim, dtype);
  });
  exports.define("cumsum", [](const Tensor& x, int64_t dim) { return x.cumsum(dim); });
  exports.define("cumprod", [](const Tensor& x, int64_t dim) { return x.cumprod(dim); });
  exports.define("sort", [](const Tensor& x, int64_t dim, bool descending, bool stable) {
    return x.sort(optional<bool>(stable), dim, descending);
  });
  exports.define("argsort", [](const Tensor& x, int64_t dim, bool descending, bool stable) {
    return x.argsort(stable, dim, descending);
  });
  exports.define("topk", [](const Tensor& x, int64_t k, int64_t dim, bool largest, bool sorted) {
    return x.topk(k, dim, largest, sorted);
  });
  exports.define("kthvalue",
                 [](const Tensor& x, int64_t k, int64_t dim, bool keep) { return x.kthvalue(k, dim, keep); });
  exports.define("median", [](const Tensor& x) { return x.median(); });
  exports.define("quantile",
                 [](const Tensor& x, double q, optional<int64_t> dim, bool keep) { return x.quantile(q, dim, keep); });
  exports.define("unique", [](const Tensor& x) { return std::get<0>(at::_unique2(x, true, false, false)); });
  exports.define("equal", [](const Tensor& x, const Tensor& y) { return x.equal(y); });
  exports.define("allclose", [](const Tensor& x, const Tensor& y, double rtol, double atol, bool equalNan) {
    return x.allclose(y, rtol, atol, equalNan);
  });
}

}  // namespace vlgym
