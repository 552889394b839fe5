// The types of the values at a node, where they are known, against those that its operator takes.
#include <fmt/format.h>

#include <array>

#include "check/context.h"

namespace onnxc::check {
namespace {

/// What a type variable of the signature stands for at this node.
struct Binding {
  TypeId type = kUnknownType;
  std::string_view parameter;
  std::string_view side;
  TypeId refused = kUnknownType;  ///< of an operand, where the operator does not take it
};

class Operands {
 public:
  Operands(const onnx::NodeProto& node, const Place& place, Context& context)
      : node_(node), place_(place), context_(context) {}

  void Check(std::span<const Parameter> formals, std::span<const TypeId> types, std::string_view side, int field) {
    for (std::size_t i = 0; i < types.size() && !formals.empty(); ++i) {
      const Parameter& formal = formals[std::min(i, formals.size() - 1)];
      const bool is_beyond = i >= formals.size() && formal.arity != static_cast<std::uint8_t>(Arity::kVariadic);
      if (is_beyond || types[i] == kUnknownType) continue;
      CheckOne(formal, types[i], side, {place_, field, static_cast<int>(i)});
    }
  }

 private:
  void CheckOne(const Parameter& formal, TypeId type, std::string_view side, const Spot& spot) {
    Binding& bound = variables_[formal.variable];
    const bool is_output = spot.field == onnx::NodeProto::kOutputFieldNumber;
    if (!Types(formal).Has(type)) {
      if (is_output) Forget(spot);
      if (is_output && formal.homogeneous && bound.refused == type) return;  // an input is told to be of that type
      bound.refused = type;
      Diagnostic* const finding =
          context_.Report(diag::kOperandType, spot, side, Word(formal.name), Quoted(node_.op_type()), NameOf(type));
      if (!is_output) {
        Explain(finding, node_.input(spot.index));
      } else if (finding != nullptr) {
        finding->message = fmt::format("output '{}' of {} is declared as {}, which it does not give", Word(formal.name),
                                       Quoted(node_.op_type()), NameOf(type));
      }
      return;
    }
    if (!formal.homogeneous) return;
    if (context_.run.infers && is_output) {
      // What an output is declared as is compared with the inferred type, and the operand that is wrong is blamed.
      if (bound.type != kUnknownType && bound.type != type) Forget(spot);
    } else if (bound.type == kUnknownType) {
      bound = {type, Word(formal.name), side};
    } else if (bound.type != type) {
      Diagnostic* const finding =
          context_.Report(diag::kOperandTypesDiffer, spot, side, Word(formal.name), Quoted(node_.op_type()),
                          NameOf(type), bound.side, bound.parameter, NameOf(bound.type));
      if (side == "input") Explain(finding, node_.input(spot.index));
    }
  }

  /// The declared type of an output is wrong, so its readers are not held to it.
  void Forget(const Spot& output) {
    Value* const value = context_.scope.Find(node_.output(output.index));
    if (value != nullptr && value->owner == &node_) value->type = kUnknownType;
  }

  void Explain(Diagnostic* finding, const std::string& name) {
    const Value* const value = context_.scope.Find(name);
    if (value == nullptr || value->owner == nullptr) return;
    context_.run.findings.Explain(finding, *value->owner, value->field, value->index, "defined here");
  }

  const onnx::NodeProto& node_;
  const Place& place_;
  Context& context_;
  std::array<Binding, kMostVariables> variables_{};
};

}  // namespace

void CheckOperands(const onnx::NodeProto& node, const Operator& op, std::span<const TypeId> types, const Place& place,
                   Context& context) {
  Operands operands(node, place, context);
  const auto inputs = static_cast<std::size_t>(node.input_size());
  operands.Check(Inputs(op), types.first(inputs), "input", onnx::NodeProto::kInputFieldNumber);
  operands.Check(Outputs(op), types.subspan(inputs), "output", onnx::NodeProto::kOutputFieldNumber);
}

}  // namespace onnxc::check
