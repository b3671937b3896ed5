// Matrix products, layers, attention and losses.
#include "fused.h"
#include "narrow.h"

namespace vlgym {

namespace {

/// libtorch's kernels take the number as it comes.
int64_t checked(int64_t reduction) {
  if (reduction < 0 || reduction > 2) throw ArgumentError("a reduction is 0 (none), 1 (mean) or 2 (sum)");
  return reduction;
}

}  // namespace

void defineNeural(const Exports& exports) {
  exports.define("matmul", [](const Tensor& x, const Tensor& y) { return at::matmul(x, y); });
  exports.define("mm", [](const Tensor& x, const Tensor& y) { return at::mm(x, y); });
  exports.define("bmm", [](const Tensor& x, const Tensor& y) { return at::bmm(x, y); });
  exports.define("dot", [](const Tensor& x, const Tensor& y) { return at::dot(x, y); });
  exports.define("outer", [](const Tensor& x, const Tensor& y) { return at::outer(x, y); });
  exports.define("addmm", [](const Tensor& bias, const Tensor& x, const Tensor& y, at::Scalar beta, at::Scalar alpha) {
    return at::addmm(bias, x, y, beta, alpha);
  });
  exports.define("einsum", [](const std::string& equation, const vector<Tensor>& tensors) {
    return at::einsum(equation, tensors);
  });

  exports.define("linear", [](const Tensor& x, const Tensor& weight, const optional<Tensor>& bias) {
    return at::linear(x, weight, bias);
  });
  exports.define("embedding", [](const Tensor& weight, const Tensor& index, int64_t padding) {
    return at::embedding(weight, index, padding);
  });
  exports.define("layerNorm",
                 [](const Tensor& x, const Ints& shape, const optional<Tensor>& weight, const optional<Tensor>& bias,
                    double epsilon) { return at::layer_norm(x, shape, weight, bias, epsilon); });
  exports.define("rmsNorm", [](const Tensor& x, const Ints& shape, const optional<Tensor>& weight,
                               optional<double> epsilon) { return at::rms_norm(x, shape, weight, epsilon); });
  exports.define("rotate", [](const Tensor& x, const Tensor& cos, const Tensor& sin) { return rotated(x, cos, sin); });
  exports.define("quickGelu", [](const Tensor& x) { return quickGelu(x); });
  exports.define("dropout", [](const Tensor& x, double probability, const optional<at::Generator>& generator) {
    return dropped(x, probability, generator);
  });
  exports.define("groupNorm",
                 [](const Tensor& x, int64_t groups, const optional<Tensor>& weight, const optional<Tensor>& bias,
                    double epsilon) { return at::group_norm(x, groups, weight, bias, epsilon); });
  exports.define("conv2d", [](const Tensor& x, const Tensor& weight, const optional<Tensor>& bias, const Ints& stride,
                              const Ints& padding, const Ints& dilation, int64_t groups) {
    return at::conv2d(x, weight, bias, stride, padding, dilation, groups);
  });
  exports.define("conv3d", [](const Tensor& x, const Tensor& weight, const optional<Tensor>& bias, const Ints& stride,
                              const Ints& padding, const Ints& dilation, int64_t groups) {
    return at::conv3d(x, weight, bias, stride, padding, dilation, groups);
  });
  exports.define("maxPool2d", [](const Tensor& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
    return at::max_pool2d(x, kernel, stride, padding);
  });
  exports.define("avgPool2d", [](const Tensor& x, const Ints& kernel, const Ints& stride, const Ints& padding) {
    return at::avg_pool2d(x, kernel, stride, padding);
  });
  exports.define("interpolateBilinear", [](const Tensor& x, const Ints& size, bool alignCorners, bool antialias) {
    return antialias ? at::_upsample_bilinear2d_aa(x, size, alignCorners)
                     : at::upsample_bilinear2d(x, size, alignCorners);
  });
  exports.define("interpolateBicubic", [](const Tensor& x, const Ints& size, bool alignCorners, bool antialias) {
    return antialias ? at::_upsample_bicubic2d_aa(x, size, alignCorners)
                     : at::upsample_bicubic2d(x, size, alignCorners);
  });
  exports.define("interpolateNearest",
                 [](const Tensor& x, const Ints& size) { return at::upsample_nearest2d(x, size); });
  exports.define("scaledDotProductAttention",
                 [](const Tensor& query, const Tensor& key, const Tensor& value, const optional<Tensor>& mask,
                    bool causal, optional<double> scale, bool groupedQuery) {
                   // libtorch divides by their number
                   const auto hasHeads = [](const Tensor& x) { return x.dim() < 3 || x.size(-3) > 0; };
                   if (groupedQuery && (!hasHeads(key) || !hasHeads(value))) {
                     throw ArgumentError("queries cannot share key-value heads where there are none");
                   }
                   return at::scaled_dot_product_attention(query, key, value, mask, 0.0, causal, scale, groupedQuery);
                 });
  exports.define("quantizeRows", [](const Tensor& weight) {
    auto [entries, scales] = quantized(weight);
    return std::make_tuple(entries, scales);
  });
  exports.define("oneHot", [](const Tensor& x, int64_t classes) { return at::one_hot(x, classes); });

  // Reduction: 0 none, 1 mean, 2 sum.
  exports.define("crossEntropy", [](const Tensor& x, const Tensor& target, const optional<Tensor>& weight,
                                    int64_t reduction, int64_t ignoreIndex, double labelSmoothing) {
    return at::cross_entropy_loss(x, target, weight, checked(reduction), ignoreIndex, labelSmoothing);
  });
  exports.define("nllLoss",
                 [](const Tensor& x, const Tensor& target, const optional<Tensor>& weight, int64_t reduction,
                    int64_t ignoreIndex) { return at::nll_loss_nd(x, target, weight, checked(reduction), ignoreIndex); });
  exports.define("mseLoss", [](const Tensor& x, const Tensor& target, int64_t reduction) {
    return at::mse_loss(x, target, checked(reduction));
  });
  exports.define("smoothL1Loss", [](const Tensor& x, const Tensor& target, int64_t reduction, double beta) {
    return at::smooth_l1_loss(x, target, checked(reduction), beta);
  });
  exports.define(
      "binaryCrossEntropyWithLogits",
      [](const Tensor& x, const Tensor& target, const optional<Tensor>& weight, const optional<Tensor>& positive,
         int64_t reduction) { return at::binary_cross_entropy_with_logits(x, target, weight, positive, checked(reduction)); });
}

}  // namespace vlgym
