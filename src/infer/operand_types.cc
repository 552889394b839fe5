// The types of the values at a node against those that its operator takes.
#include <array>

#include "infer/engine.h"
#include "source/operand_name.h"
#include "source/type_words.h"

namespace onnxc::infer {
namespace {

TypeId TypeOf(const Type& type) {
  if (type.kind == Kind::kTensor) return TensorType(type.element_type);
  return onnxc::TypeOf(ToProtoWithoutShapes(type));
}

/// What a type variable of the signature stands for at this node, and by which input.
struct Bound {
  TypeId type = kNoType;
  int input = 0;
};

/// Whether most of the inputs that stand for the type variable are of the type.
bool IsOfMost(TypeId type, int variable, std::span<const Parameter> formals, std::span<Value* const> inputs) {
  std::ptrdiff_t more = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Parameter& formal = formals[std::min(i, formals.size() - 1)];
    if (!formal.homogeneous || formal.variable != variable || inputs[i] == nullptr) continue;
    const TypeId its = TypeOf(inputs[i]->type);
    if (its != kNoType) more += its == type ? 1 : -1;
  }
  return more > 0;
}

}  // namespace

void Engine::ReportTypesDiffer(const onnx::NodeProto& node, const Operator& op,
                               std::pair<std::size_t, std::size_t> operands, std::span<Value* const> inputs,
                               const Place& place) {
  const auto [blamed, other] = operands;
  Diagnostic finding =
      MakeDiagnostic(rule::kOperandTypesDiffer, kNowhere, FormalsText(Inputs(op), blamed, other),
                     Quoted(node.op_type()), ValueText(node, blamed), ShownType(TypeOf(inputs[blamed]->type)),
                     ValueText(node, other), ShownType(TypeOf(inputs[other]->type)));
  Explain(&finding, node.input(static_cast<int>(blamed)), *inputs[blamed]);
  Explain(&finding, node.input(static_cast<int>(other)), *inputs[other]);
  Report(std::move(finding), {place, onnx::NodeProto::kInputFieldNumber, static_cast<int>(blamed)});
}

std::optional<BoundTypes> Engine::CheckOperands(const onnx::NodeProto& node, const Operator& op,
                                                std::span<Value* const> inputs, const Place& place) {
  BoundTypes types{};
  std::array<Bound, kMostVariables> variables{};
  const std::span<const Parameter> formals = Inputs(op);
  for (std::size_t i = 0; i < inputs.size() && !formals.empty(); ++i) {
    const Parameter& formal = formals[std::min(i, formals.size() - 1)];
    if (inputs[i] == nullptr || inputs[i]->type.kind == Kind::kUnknown) continue;
    if (formal.homogeneous && types[formal.variable] == nullptr) types[formal.variable] = &inputs[i]->type;
    const bool is_beyond = i >= formals.size() && formal.arity != static_cast<std::uint8_t>(Arity::kVariadic);
    const TypeId type = is_beyond ? kNoType : TypeOf(inputs[i]->type);
    if (type == kNoType) continue;
    const Spot spot(place, onnx::NodeProto::kInputFieldNumber, static_cast<int>(i));
    if (!Types(formal).Has(type)) {
      Diagnostic finding = MakeDiagnostic(
          rule::kOperandType, kNowhere, FormalText(node, formals, i), ShownTypes(Types(formal), type),
          fmt::format("{} is {}{}", ValueText(node, i), ShownType(type), WayToTypes(Types(formal), type)));
      Explain(&finding, node.input(static_cast<int>(i)), *inputs[i]);
      Report(std::move(finding), spot);
      return std::nullopt;
    }
    if (!formal.homogeneous) continue;
    Bound& bound = variables[formal.variable];
    if (bound.type == kNoType) {
      bound = {type, static_cast<int>(i)};
    } else if (bound.type != type) {
      const bool is_first_odd = IsOfMost(type, formal.variable, formals, inputs);
      const std::size_t first = static_cast<std::size_t>(bound.input);
      ReportTypesDiffer(node, op, is_first_odd ? std::pair(first, i) : std::pair(i, first), inputs, place);
      return std::nullopt;
    }
  }
  return types;
}

}  // namespace onnxc::infer
