// Compares the known types of a node's inputs and outputs with the types that the operator accepts.
#include <fmt/format.h>

#include <array>

#include "check/corrections.h"
#include "source/operand_name.h"
#include "source/type_words.h"

namespace onnxc::check {
namespace {

/// The type to which a type variable of the signature is bound at this node.
struct Binding {
  TypeId type = kNoType;
  std::size_t operand = 0;
  int field = 0;             ///< the field of the node that has the operand
  bool is_settled = false;   ///< the types of all inputs were compared already
  TypeId refused = kNoType;  ///< a type that the operator does not accept for an operand
};

class Operands {
 public:
  Operands(const onnx::NodeProto& node, const Place& place, Context& context)
      : node_(node), place_(place), context_(context) {}

  void Check(std::span<const Parameter> formals, std::span<const TypeId> types, int field) {
    if (field == onnx::NodeProto::kInputFieldNumber) inputs_ = {formals, types};
    for (std::size_t i = 0; i < types.size() && !formals.empty(); ++i) {
      const Parameter& formal = formals[std::min(i, formals.size() - 1)];
      const bool is_beyond = i >= formals.size() && formal.arity != static_cast<std::uint8_t>(Arity::kVariadic);
      if (is_beyond || types[i] == kNoType) continue;
      CheckOne(formal, types[i], {place_, field, static_cast<int>(i)});
    }
  }

 private:
  void CheckOne(const Parameter& formal, TypeId type, const Spot& spot) {
    Binding& bound = variables_[formal.variable];
    const bool is_output = spot.field == onnx::NodeProto::kOutputFieldNumber;
    if (!Types(formal).Has(type)) {
      if (is_output) Forget(spot);
      if (is_output && formal.homogeneous && bound.refused == type)
        return;  // already reported for an input of this type
      bound.refused = type;
      return is_output ? ReportOutput(formal, type, spot) : ReportInput(formal, type, spot);
    }
    if (!formal.homogeneous) return;
    const auto index = static_cast<std::size_t>(spot.index);
    if (context_.run.infers && is_output) {
      // An output with a different declared type is not reported here. Inference compares the declared type with the
      // inferred type later, and reports the operand that is wrong.
      if (bound.type != kNoType && bound.type != type) Forget(spot);
    } else if (bound.type == kNoType) {
      bound = {type, index, spot.field};
    } else if (bound.type != type) {
      const Binding other{type, index, spot.field};
      const bool is_first_odd = !is_output && !bound.is_settled && IsOfMost(type, formal.variable);
      ReportDiffer(is_first_odd ? bound : other, is_first_odd ? other : bound, formal);
      if (is_first_odd) bound = other;
      bound.is_settled = true;
    }
  }

  void ReportInput(const Parameter& formal, TypeId type, const Spot& spot) {
    const auto index = static_cast<std::size_t>(spot.index);
    if (is_told_ || ReportMoved(index, type) || ReportSwapped(index)) return;
    Diagnostic* const finding = context_.Report(
        diag::kOperandType, spot, FormalText(node_, inputs_.formals, index), ShownTypes(Types(formal), type),
        fmt::format("{} is {}{}", ValueText(node_, index), ShownType(type), WayToTypes(Types(formal), type)));
    Explain(finding, node_.input(spot.index));
    CorrectDeclared(node_.input(spot.index), formal, type, finding);
    ForgetInput(spot.index);
  }

  /// Returns whether the operator would accept this input and all later inputs if each were moved by `gap` positions
  /// toward the end.
  [[nodiscard]] bool FitBehind(std::size_t index, std::size_t gap) const {
    std::array<TypeId, kMostVariables> bound;  // the type of each type variable
    bound.fill(kNoType);
    for (std::size_t i = 0; i < inputs_.types.size(); ++i) {
      const std::size_t at = i < index ? i : i + gap;
      const TypeId type = inputs_.types[i];
      const bool is_known = type != kNoType && at < inputs_.formals.size();
      if (!is_known && i < index) continue;
      if (!is_known || !Types(inputs_.formals[at]).Has(type)) return false;
      if (!inputs_.formals[at].homogeneous) continue;
      TypeId& its = bound[inputs_.formals[at].variable];
      if (its != kNoType && its != type) return false;
      its = type;
    }
    return true;
  }

  /// Reports `Op (x, third)`, in which an optional input was omitted without an empty name in its place. Returns false
  /// unless exactly one number of missing empty names explains the types.
  bool ReportMoved(std::size_t index, TypeId type) {
    const std::span<const Parameter> formals = inputs_.formals;
    std::size_t moved = 0;
    for (std::size_t gap = 1; index + gap < formals.size(); ++gap) {
      if (formals[index + gap - 1].arity != static_cast<std::uint8_t>(Arity::kOptional)) break;
      if (!FitBehind(index, gap)) continue;
      if (moved > 0) return false;
      moved = gap;
    }
    if (moved == 0) return false;
    is_told_ = true;
    const auto at = static_cast<int>(index);
    Diagnostic* const finding =
        context_.Report(diag::kOperandType, {place_, onnx::NodeProto::kInputFieldNumber, at},
                        FormalText(node_, formals, index), ShownTypes(Types(formals[index]), type),
                        fmt::format("{} is {}, which fits the input '{}'", ValueText(node_, index), ShownType(type),
                                    Word(formals[index + moved])));
    Explain(finding, node_.input(at));
    const SourceRange* const text = FindText(context_.run, node_, onnx::NodeProto::kInputFieldNumber, at);
    if (finding != nullptr && text != nullptr) finding->fix_its = {LeaveOutBefore(text->begin, moved)};
    ForgetInput(at);
    return true;
  }

  /// Reports `Op (x, zero_point, scale)`, in which two adjacent inputs are swapped. Returns false unless exactly one
  /// exchange makes the types match.
  bool ReportSwapped(std::size_t index) {
    const auto fits = [&](std::size_t input, std::size_t formal) {
      const std::span<const Parameter> formals = inputs_.formals;
      return formal < formals.size() && formals[formal].arity != static_cast<std::uint8_t>(Arity::kVariadic) &&
             inputs_.types[input] != kNoType && Types(formals[formal]).Has(inputs_.types[input]);
    };
    const auto is_pair = [&](std::size_t first) {
      return first + 1 < inputs_.types.size() && fits(first, first + 1) && fits(first + 1, first) &&
             (!fits(first, first) || !fits(first + 1, first + 1));
    };
    const bool is_with_last = index > 0 && is_pair(index - 1);
    if (is_with_last == is_pair(index) || HasSpareValue()) return false;
    return SwapInputs(is_with_last ? index - 1 : index, index);
  }
  /// Returns whether nothing reads an input or initializer of the model. It may be what is missing among the inputs.
  [[nodiscard]] bool HasSpareValue() const {
    Uses& uses = context_.run.uses;
    uses.ReadAround(place_);
    return uses.HasSpareInput();
  }

  /// Reports that the inputs `first` and `first + 1` are swapped, and returns true. `odd` is the index of the input
  /// whose type was not accepted.
  bool SwapInputs(std::size_t first, std::size_t odd) {
    is_told_ = true;
    const auto at = static_cast<int>(first);
    const auto is = [&](std::size_t i) {
      return fmt::format("{} is {}", ValueText(node_, i), ShownType(inputs_.types[i]));
    };
    Diagnostic* const finding = context_.Report(
        diag::kOperandType, {place_, onnx::NodeProto::kInputFieldNumber, at}, FormalText(node_, inputs_.formals, odd),
        ShownTypes(Types(inputs_.formals[odd]), inputs_.types[odd]),
        fmt::format("{} and {}: the two are swapped", is(first), is(first + 1)));
    const SourceRange* const one = FindText(context_.run, node_, onnx::NodeProto::kInputFieldNumber, at);
    const SourceRange* const other = FindText(context_.run, node_, onnx::NodeProto::kInputFieldNumber, at + 1);
    Explain(finding, node_.input(at));
    if (finding == nullptr || one == nullptr || other == nullptr || one->end >= other->begin) return true;
    const auto here = Respell(*one, node_.input(at), node_.input(at + 1));
    const auto there = Respell(*other, node_.input(at + 1), node_.input(at));
    if (here && there) finding->fix_its = {*here, *there};
    return true;
  }

  /// Corrects the declared element type of a value if nothing else reads the value, and the right type is clear: the
  /// operator accepts only one type, or only one accepted type has a name similar to the declared one.
  void CorrectDeclared(const std::string& name, const Parameter& formal, TypeId type, Diagnostic* finding) {
    const int only = OnlyElementType(Types(formal));
    const int wanted = only != 0 ? only : MisspeltElementType(Types(formal), type);
    const Value* const value = context_.scope.Find(name);
    if (finding == nullptr || wanted == 0 || value == nullptr || value->depth != 1) return;
    if (value->kind == ValueKind::kOutput) return;
    Uses& uses = context_.run.uses;
    uses.ReadAround(place_);
    if (uses.Reads(name) == 1 && !uses.HasSpareInput()) CorrectElementType(*value->owner, type, wanted, finding);
  }

  /// Replaces the element type, which comes first in a declaration.
  void CorrectElementType(const google::protobuf::Message& declaration, TypeId from, int to, Diagnostic* finding) {
    const bool is_known = declaration.GetDescriptor() == onnx::ValueInfoProto::descriptor() ||
                          declaration.GetDescriptor() == onnx::TensorProto::descriptor();
    const SourceMap* const map = context_.run.options.source_map;
    const SourceRange* const range = map == nullptr || !is_known ? nullptr : map->Find(declaration);
    const std::string word = ShownType(from);
    const bool is_tensor = NameOf(from).starts_with("tensor(");
    if (range == nullptr || !is_tensor || range->end - range->begin < word.size()) return;
    finding->fix_its = {{{range->begin, range->begin + word.size()}, ShownType(TensorType(to))}};
  }

  void ReportOutput(const Parameter& formal, TypeId type, const Spot& spot) {
    const std::string& name = node_.output(spot.index);
    const std::string subject = fmt::format("output '{}' of {}", Word(formal), Quoted(node_.op_type()));
    Diagnostic* const finding = context_.Report(diag::kOperandType, spot, subject, ShownTypes(Types(formal), type),
                                                fmt::format("'{}' is declared as {}", Quoted(name), ShownType(type)));
    const int wanted = OnlyElementType(Types(formal));
    if (finding == nullptr || wanted == 0) return;
    Uses& uses = context_.run.uses;
    uses.ReadAround(place_);
    const onnx::ValueInfoProto* const output = uses.Output(name, place_);
    if (output == nullptr || uses.Reads(name) != 1 || uses.Declaration(name, place_) != nullptr) return;
    CorrectElementType(*output, type, wanted, finding);
  }

  void ReportDiffer(const Binding& blamed, const Binding& other, const Parameter& formal) {
    const auto is_input = [](const Binding& one) { return one.field == onnx::NodeProto::kInputFieldNumber; };
    const auto value = [&](const Binding& one) {
      return is_input(one) ? ValueText(node_, one.operand)
                           : fmt::format("'{}'", Quoted(node_.output(static_cast<int>(one.operand))));
    };
    const std::string formals =
        is_input(blamed) && is_input(other)
            ? FormalsText(inputs_.formals, blamed.operand, other.operand)
            : fmt::format("'{}' and output '{}'", OperandName(node_, inputs_.formals, other.operand), Word(formal));
    Diagnostic* const finding = context_.Report(
        diag::kOperandTypesDiffer, {place_, blamed.field, static_cast<int>(blamed.operand)}, formals,
        Quoted(node_.op_type()), value(blamed), ShownType(blamed.type), value(other), ShownType(other.type));
    if (!is_input(blamed)) return;
    Explain(finding, node_.input(static_cast<int>(blamed.operand)));
    ForgetInput(static_cast<int>(blamed.operand));
  }

  /// Forgets the type of the input, so that the same mistake is not reported again.
  void ForgetInput(int input) {
    Value* const value = context_.scope.Find(node_.input(input));
    if (value != nullptr && value->kind != ValueKind::kOutput) value->type = kNoType;
  }

  /// Returns whether most inputs of the type variable have this type.
  [[nodiscard]] bool IsOfMost(TypeId type, int variable) const {
    std::ptrdiff_t more = 0;
    for (std::size_t i = 0; i < inputs_.types.size(); ++i) {
      const Parameter& formal = inputs_.formals[std::min(i, inputs_.formals.size() - 1)];
      const TypeId its = inputs_.types[i];
      if (formal.homogeneous && formal.variable == variable && its != kNoType) more += its == type ? 1 : -1;
    }
    return more > 0;
  }

  /// Forgets the declared type of an output if this type is wrong, so that nodes that read the output are not checked
  /// against it.
  void Forget(const Spot& output) {
    Value* const value = context_.scope.Find(node_.output(output.index));
    if (value != nullptr && value->owner == &node_) value->type = kNoType;
  }

  void Explain(Diagnostic* finding, const std::string& name) {
    const Value* const value = context_.scope.Find(name);
    if (value == nullptr || value->owner == nullptr) return;
    context_.run.findings.Explain(finding, *value->owner, value->field, value->index, "defined here");
  }

  struct {
    std::span<const Parameter> formals;
    std::span<const TypeId> types;
  } inputs_;
  const onnx::NodeProto& node_;
  const Place& place_;
  Context& context_;
  std::array<Binding, kMostVariables> variables_{};
  bool is_told_ = false;  // the inputs were reported to be in the wrong places
};

}  // namespace

void CheckOperands(const onnx::NodeProto& node, const Operator& op, std::span<const TypeId> types, const Place& place,
                   Context& context) {
  Operands operands(node, place, context);
  const auto inputs = static_cast<std::size_t>(node.input_size());
  operands.Check(Inputs(op), types.first(inputs), onnx::NodeProto::kInputFieldNumber);
  operands.Check(Outputs(op), types.subspan(inputs), onnx::NodeProto::kOutputFieldNumber);
}

}  // namespace onnxc::check
