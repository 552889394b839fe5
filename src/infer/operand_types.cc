// The types of the values at a node against those that its operator takes.
#include <array>

#include "infer/engine.h"

namespace onnxc::infer {
namespace {

TypeId TypeOf(const Type& type) {
  if (type.kind == Kind::kTensor) return TensorType(type.element_type);
  return onnxc::TypeOf(ToProto(type));
}

/// What a type variable of the signature stands for at this node, and by which input.
struct Bound {
  TypeId type = kUnknownType;
  int input = 0;
};

}  // namespace

std::optional<BoundTypes> Engine::CheckOperands(const onnx::NodeProto& node, const Operator& op,
                                                std::span<Value* const> inputs, const Place& place) {
  BoundTypes types{};
  std::array<Bound, kMostVariables> variables{};
  const std::span<const Parameter> formals = Inputs(op);
  constexpr std::string_view kSide = "input";
  for (std::size_t i = 0; i < inputs.size() && !formals.empty(); ++i) {
    const Parameter& formal = formals[std::min(i, formals.size() - 1)];
    if (inputs[i] == nullptr || inputs[i]->type.kind == Kind::kUnknown) continue;
    if (formal.homogeneous && types[formal.variable] == nullptr) types[formal.variable] = &inputs[i]->type;
    const bool is_beyond = i >= formals.size() && formal.arity != static_cast<std::uint8_t>(Arity::kVariadic);
    const TypeId type = is_beyond ? kUnknownType : TypeOf(inputs[i]->type);
    if (type == kUnknownType) continue;
    const Spot spot(place, onnx::NodeProto::kInputFieldNumber, static_cast<int>(i));
    if (!Types(formal).Has(type)) {
      Diagnostic finding =
          MakeDiagnostic(rule::kOperandType, kNowhere, kSide, Word(formal.name), Quoted(node.op_type()), NameOf(type));
      Explain(&finding, node.input(static_cast<int>(i)), *inputs[i]);
      Report(std::move(finding), spot);
      return std::nullopt;
    }
    if (!formal.homogeneous) continue;
    Bound& bound = variables[formal.variable];
    if (bound.type == kUnknownType) {
      bound = {type, static_cast<int>(i)};
    } else if (bound.type != type) {
      const Parameter& other = formals[std::min(static_cast<std::size_t>(bound.input), formals.size() - 1)];
      Diagnostic finding =
          MakeDiagnostic(rule::kOperandTypesDiffer, kNowhere, kSide, Word(formal.name), Quoted(node.op_type()),
                         NameOf(type), kSide, Word(other.name), NameOf(bound.type));
      Explain(&finding, node.input(static_cast<int>(i)), *inputs[i]);
      Explain(&finding, node.input(bound.input), *inputs[static_cast<std::size_t>(bound.input)]);
      Report(std::move(finding), spot);
      return std::nullopt;
    }
  }
  return types;
}

}  // namespace onnxc::infer
