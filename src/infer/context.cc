#include "infer/context.h"

#include <fmt/format.h>

#include "infer/contents.h"
#include "source/operand_name.h"

namespace onnxc::infer {

const Constant* NodeContext::Constant(int i) {
  (void)Seen(i);
  Value* const value = i < inputs() ? inputs_[At(i)] : nullptr;
  if (value == nullptr) return nullptr;
  if (value->constant == nullptr && value->tensor != nullptr) {
    value->constant = ContentsOf(*value->tensor, memory_);
    value->tensor = nullptr;
  }
  return value->constant;
}

Dim NodeContext::Scalar(int i) {
  const infer::Constant* const constant = Constant(i);
  if (constant == nullptr || constant->integers.size() != 1) return {};
  return constant->integers[0];
}

std::optional<std::span<const Dim>> NodeContext::Integers(int i) {
  const infer::Constant* const constant = Constant(i);
  if (constant == nullptr || constant->shape.size() > 1 || !IsInteger(constant->element_type)) return std::nullopt;
  return constant->integers;
}

std::optional<std::span<const std::int64_t>> NodeContext::Numbers(int i) {
  const auto integers = Integers(i);
  if (!integers || !std::ranges::all_of(*integers, &Dim::IsNumber)) return std::nullopt;
  const std::span<std::int64_t> numbers = New<std::int64_t>(integers->size());
  std::ranges::transform(*integers, numbers.begin(), &Dim::number);
  return numbers;
}

std::int64_t NodeContext::Int(std::string_view name, std::int64_t otherwise) const {
  const onnx::AttributeProto* const attribute = Attribute(name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::INT ? attribute->i() : otherwise;
}

float NodeContext::Float(std::string_view name, float otherwise) const {
  const onnx::AttributeProto* const attribute = Attribute(name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::FLOAT ? attribute->f() : otherwise;
}

std::string_view NodeContext::String(std::string_view name, std::string_view otherwise) const {
  const onnx::AttributeProto* const attribute = Attribute(name);
  return attribute != nullptr && attribute->type() == onnx::AttributeProto::STRING ? attribute->s() : otherwise;
}

std::optional<std::span<const std::int64_t>> NodeContext::Ints(std::string_view name) const {
  const onnx::AttributeProto* const attribute = Attribute(name);
  if (attribute == nullptr || attribute->type() != onnx::AttributeProto::INTS) return std::nullopt;
  return std::span(attribute->ints().data(), static_cast<std::size_t>(attribute->ints_size()));
}

std::optional<std::span<const float>> NodeContext::Floats(std::string_view name) const {
  const onnx::AttributeProto* const attribute = Attribute(name);
  if (attribute == nullptr || attribute->type() != onnx::AttributeProto::FLOATS) return std::nullopt;
  return std::span(attribute->floats().data(), static_cast<std::size_t>(attribute->floats_size()));
}

void NodeContext::SetOutput(int i, const Type& type) {
  if (i < outputs()) outputs_[At(i)].type = type;
}

void NodeContext::SetElement(int i, int element_type) {
  if (i >= outputs()) return;
  Type& type = outputs_[At(i)].type;
  if (!type.IsTensor()) type = {.kind = Kind::kTensor};
  type.element_type = element_type;
}

void NodeContext::SetShape(int i, std::span<const Dim> shape) {
  if (i >= outputs()) return;
  Type& type = outputs_[At(i)].type;
  if (!type.IsTensor()) type = {.kind = Kind::kTensor};
  memory_.SetShape(&type, shape);
}

void NodeContext::CopyShape(int from, int to) {
  if (to >= outputs() || !HasRank(from)) return;
  Type& type = outputs_[At(to)].type;
  if (!type.IsTensor()) type = {.kind = Kind::kTensor};
  type.has_rank = true;
  type.shape = Input(from).shape;
}

void NodeContext::CopyType(int from, int to) {
  if (to < outputs() && Input(from).kind != Kind::kUnknown) outputs_[At(to)].type = Input(from);
}

void NodeContext::SetConstant(int i, const infer::Constant* constant) {
  if (i < outputs()) outputs_[At(i)].constant = constant;
}

std::string NodeContext::Describe(const Part& part) const {
  const auto formal = [](std::span<const Parameter> formals, int index) {
    if (formals.empty()) return std::string_view("?");
    return Word(formals[std::min(At(index), formals.size() - 1)]);
  };
  switch (part.kind) {
    case Part::Kind::kNode: return "the node";
    case Part::Kind::kInput: {
      const std::string name = OperandName(node_, Inputs(op_), At(part.index));
      const std::string value = HasInput(part.index) ? Quoted(node_.input(part.index)) : name;
      return value == name ? fmt::format("input '{}'", name) : fmt::format("'{}' as input '{}'", value, name);
    }
    case Part::Kind::kOutput: return fmt::format("output '{}'", formal(Outputs(op_), part.index));
    case Part::Kind::kAttribute: return fmt::format("attribute '{}'", part.name);
  }
  return {};
}

}  // namespace onnxc::infer
