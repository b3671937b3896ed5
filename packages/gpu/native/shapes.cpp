// The same numbers in another shape, order or arrangement.
#include "operations.h"

namespace vlgym {

void defineShapes(const Exports& exports) {
  exports.define("view", [](const Tensor& x, const Shape& shape) { return x.view(shape); });
  exports.define("reshape", [](const Tensor& x, const Shape& shape) { return x.reshape(shape); });
  exports.define("flatten", [](const Tensor& x, int64_t start, int64_t end) { return x.flatten(start, end); });
  exports.define("unflatten", [](const Tensor& x, int64_t dim, const Shape& sizes) { return x.unflatten(dim, sizes); });
  exports.define("transpose", [](const Tensor& x, int64_t a, int64_t b) { return x.transpose(a, b); });
  exports.define("t", [](const Tensor& x) { return x.t(); });
  exports.define("permute", [](const Tensor& x, const Ints& dims) { return x.permute(dims); });
  exports.define("squeeze", [](const Tensor& x, optional<int64_t> dim) { return dim ? x.squeeze(*dim) : x.squeeze(); });
  exports.define("unsqueeze", [](const Tensor& x, int64_t dim) { return x.unsqueeze(dim); });
  exports.define("expand", [](const Tensor& x, const Shape& shape) { return x.expand(shape); });
  exports.define("repeat", [](const Tensor& x, const Shape& times) { return x.repeat(times); });
  exports.define("repeatInterleave",
                 [](const Tensor& x, int64_t times, optional<int64_t> dim) { return x.repeat_interleave(times, dim); });
  exports.define("repeatInterleaveTensor", [](const Tensor& x, const Tensor& times, optional<int64_t> dim) {
    return x.repeat_interleave(times, dim);
  });
  exports.define("narrow", [](const Tensor& x, int64_t dim, int64_t start, int64_t length) {
    return x.narrow(dim, start, length);
  });
  exports.define("slice", [](const Tensor& x, int64_t dim, optional<int64_t> start, optional<int64_t> end,
                             int64_t step) { return x.slice(dim, start, end, step); });
  exports.define("select", [](const Tensor& x, int64_t dim, int64_t index) { return x.select(dim, index); });
  exports.define("flip", [](const Tensor& x, const Ints& dims) { return x.flip(dims); });
  exports.define("roll", [](const Tensor& x, const Ints& shifts, const Ints& dims) { return x.roll(shifts, dims); });
  exports.define("tril", [](const Tensor& x, int64_t diagonal) { return x.tril(diagonal); });
  exports.define("triu", [](const Tensor& x, int64_t diagonal) { return x.triu(diagonal); });
  exports.define("diagonal",
                 [](const Tensor& x, int64_t offset, int64_t a, int64_t b) { return x.diagonal(offset, a, b); });
  exports.define("pad", [](const Tensor& x, const Ints& pad, const std::string& mode, optional<double> value) {
    return at::pad(x, pad, mode, value);
  });
  exports.define("cat", [](const vector<Tensor>& tensors, int64_t dim) { return at::cat(tensors, dim); });
  exports.define("stack", [](const vector<Tensor>& tensors, int64_t dim) { return at::stack(tensors, dim); });
  exports.define("split", [](const Tensor& x, int64_t size, int64_t dim) { return x.split(size, dim); });
  exports.define("splitSizes", [](const Tensor& x, const Ints& sizes, int64_t dim) { return x.split(sizes, dim); });
  exports.define("chunk", [](const Tensor& x, int64_t chunks, int64_t dim) { return x.chunk(chunks, dim); });
  exports.define("unbind", [](const Tensor& x, int64_t dim) { return x.unbind(dim); });
  exports.define("unfold",
                 [](const Tensor& x, int64_t dim, int64_t size, int64_t step) { return x.unfold(dim, size, step); });
}

}  // namespace vlgym
