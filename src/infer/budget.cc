#include "infer/budget.h"

#include <onnxc/proto.h>

#include <algorithm>
#include <utility>

namespace onnxc::infer {

void Budget::TakeLeastSize(std::size_t size) {
  taken_ = size;
  left_ += for_each_byte_ * size;
}

void Budget::TakeSize() {
  if (!is_raised_) TakeSize(message_.ByteSizeLong());
}

void Budget::TakeSize(std::size_t size) {
  if (!std::exchange(is_raised_, true)) left_ += for_each_byte_ * (size - taken_);
}

bool Budget::Raise(std::size_t units) {
  TakeSize();
  is_used_up_ = is_used_up_ || units > left_;
  if (is_used_up_) left_ = 0;
  return !is_used_up_;
}

std::size_t CostOf(std::string_view name) { return 4 + name.size() / 8; }

std::size_t CostOf(const ValueType& type) {
  std::size_t cost = 1;
  for (const ValueType* part = &type; part != nullptr; part = part->element) cost += 1 + part->shape.size();
  return cost;
}

std::size_t CostOf(const ConstantValue& constant) {
  return std::max(constant.integers.size(), constant.reals.size()) * (1 + constant.shape.size());
}

std::size_t CostOf(const InferredValue& value) {
  return CostOf(value.type) + (value.constant == nullptr ? 0 : CostOf(*value.constant));
}

std::size_t CostOf(const onnx::AttributeProto& attribute) {
  const auto size = [](const auto& list) { return static_cast<std::size_t>(list.size()); };
  const std::size_t elements = size(attribute.ints()) + size(attribute.floats()) + size(attribute.strings()) +
                               size(attribute.t().dims()) + size(attribute.sparse_tensor().dims());
  return CostOf(attribute.name()) + attribute.s().size() + 4 * elements;
}

}  // namespace onnxc::infer
