#include "token-graph.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/GradMode.h>

#include <limits>

namespace vlgym {

namespace {

bool areSame(const vector<Tensor>& a, const vector<Tensor>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](const Tensor& x, const Tensor& y) {
    return x.is_same(y);
  });
}

}  // namespace

bool TokenGraph::canRead(const Tensor& ids, const Reading& reading) {
  return areGraphsInUse(ids.device()) && !reading.keys.empty();
}

bool TokenGraph::follows(const Tensor& ids, const Reading& reading) const {
  return ids_.defined() && ids_.numel() == ids.numel() && reading_.length == reading.length &&
         reading_.cos.sizes() == reading.cos.sizes() && areSame(reading_.keys, reading.keys) &&
         areSame(reading_.values, reading.values);
}

void TokenGraph::begin(const Tensor& ids, const Reading& reading) {
  graph_.reset();
  const int64_t columns = reading.keys[0].size(2);
  if (reading.length >= columns) throw ArgumentError("the cache is full");
  const int64_t rows = reading.mask ? reading.mask->size(0) : 1;
  Tensor mask = at::full({rows, 1, 1, columns}, -std::numeric_limits<double>::infinity(), reading.cos.options());
  Tensor visible = mask.narrow(3, 0, reading.length + 1);
  if (reading.mask) visible.copy_(*reading.mask);
  else visible.zero_();
  for (const vector<Tensor>* cache : {&reading.keys, &reading.values}) {
    // a mask does not hide what is not a number
    for (const Tensor& entry : *cache) entry.narrow(2, reading.length, columns - reading.length).zero_();
  }
  ids_ = at::empty({ids.numel()}, ids.options());
  reading_ = reading;
  reading_.cos = at::empty(reading.cos.sizes(), reading.cos.options());
  reading_.sin = at::empty(reading.sin.sizes(), reading.sin.options());
  reading_.mask = mask;
  reading_.column = at::empty({1}, ids.options());
}

void TokenGraph::setInputs(const Tensor& ids, const Reading& reading) {
  ids_.copy_(ids.view({-1}));
  reading_.cos.copy_(reading.cos);
  reading_.sin.copy_(reading.sin);
  reading_.column->fill_(reading.length);
  reading_.length = reading.length + 1;
}

Tensor TokenGraph::step(const Decoder& decoder) const {
  reading_.mask->index_fill_(3, *reading_.column, 0);
  return decoder.token(ids_, reading_);
}

Tensor TokenGraph::read(const Decoder& decoder, const Tensor& ids, const Reading& reading) {
  const c10::NoGradGuard noGradients;
  const bool isNew = !follows(ids, reading);
  if (isNew) begin(ids, reading);
  setInputs(ids, reading);
  if (!ids.is_cuda()) return step(decoder);
  const c10::DeviceGuard guard(ids.device());
  if (isNew) {
    Tensor scores;
    onSideStream(ids.device(), [&] { scores = step(decoder); });
    return scores;
  }
  if (!graph_) {
    auto graph = std::make_unique<CudaGraph>();
    onSideStream(ids.device(), [&] { graph->record([&] { scores_ = step(decoder); }); });
    graph_ = std::move(graph);
  }
  graph_->replay();
  return scores_.clone();
}

}  // namespace vlgym
