// Compares the types of a node's operands with the types that its operator accepts.
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

/// The type to which a type variable of the signature is bound, and the input that binds it.
struct Bound {
  TypeId type = kNoType;
  std::size_t input = 0;
};

/// Returns whether most inputs of the type variable have this type.
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

std::optional<TypeClash> FindTypeClash(const Operator& op, std::span<Value* const> inputs, BoundTypes* bound) {
  std::array<Bound, kMostVariables> variables{};
  const std::span<const Parameter> formals = Inputs(op);
  for (std::size_t i = 0; i < inputs.size() && !formals.empty(); ++i) {
    const Parameter& formal = formals[std::min(i, formals.size() - 1)];
    if (inputs[i] == nullptr || inputs[i]->type.kind == Kind::kUnknown) continue;
    if (formal.homogeneous && (*bound)[formal.variable] == nullptr) (*bound)[formal.variable] = &inputs[i]->type;
    const bool is_beyond = i >= formals.size() && formal.arity != static_cast<std::uint8_t>(Arity::kVariadic);
    const TypeId type = is_beyond ? kNoType : TypeOf(inputs[i]->type);
    if (type == kNoType) continue;
    if (!Types(formal).Has(type)) return TypeClash{i};
    if (!formal.homogeneous) continue;
    Bound& first = variables[formal.variable];
    if (first.type == kNoType) {
      first = {type, i};
    } else if (first.type != type) {
      const bool is_first_odd = IsOfMost(type, formal.variable, formals, inputs);
      return is_first_odd ? TypeClash{first.input, i} : TypeClash{i, first.input};
    }
  }
  return std::nullopt;
}

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

std::optional<BoundTypes> Engine::CheckOperands(const onnx::NodeProto& node, const Binding& binding,
                                                std::span<Value* const> inputs, const Place& place,
                                                const Frame& frame) {
  BoundTypes types{};
  const Operator& op = *binding.op;
  const std::optional<TypeClash> clash = FindTypeClash(op, inputs, &types);
  if (!clash) return types;
  const std::size_t blamed = clash->blamed;
  if (clash->other) {
    ReportTypesDiffer(node, op, {blamed, *clash->other}, inputs, place);
    return std::nullopt;
  }
  const std::span<const Parameter> formals = Inputs(op);
  const TypeSet& taken = Types(formals[std::min(blamed, formals.size() - 1)]);
  const TypeId type = TypeOf(inputs[blamed]->type);
  Diagnostic finding =
      MakeDiagnostic(rule::kOperandType, kNowhere, FormalText(node, formals, blamed), ShownTypes(taken, type),
                     fmt::format("{} is {}{}", ValueText(node, blamed), ShownType(type), WayToTypes(taken, type)));
  if (MaySuggest(node)) (void)SuggestOperands(node, binding, inputs, frame, &finding);
  Explain(&finding, node.input(static_cast<int>(blamed)), *inputs[blamed]);
  Report(std::move(finding), {place, onnx::NodeProto::kInputFieldNumber, static_cast<int>(blamed)});
  return std::nullopt;
}

}  // namespace onnxc::infer
