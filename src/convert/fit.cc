#include "convert/fit.h"

#include <fmt/format.h>
#include <onnxc/parser.h>

#include <algorithm>
#include <span>

#include "source/report.h"
#include "tables/operator_docs.h"
#include "tables/signatures.h"

namespace onnxc::convert {
namespace {

using onnx::AttributeProto;

/// Returns whether the attribute has this value, in the text syntax.
bool HasValue(const AttributeProto& attribute, std::string_view text) {
  AttributeProto other;
  if (text.empty() || !attribute.ref_attr_name().empty()) return false;
  if (!Parse(fmt::format("a = {}", text), &other).ok()) return false;
  switch (attribute.type()) {
    case AttributeProto::INT: return other.type() == AttributeProto::INT && other.i() == attribute.i();
    case AttributeProto::FLOAT:
      return attribute.f() == (other.type() == AttributeProto::INT ? static_cast<float>(other.i()) : other.f());
    case AttributeProto::STRING: return other.type() == AttributeProto::STRING && other.s() == attribute.s();
    default: return false;
  }
}

/// Returns the index of the operator's attribute, or -1.
int FindAttribute(const Operator& op, std::string_view name) {
  const auto attributes = Attributes(op);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    if (Word(attributes[i]) == name) return static_cast<int>(i);
  }
  return -1;
}

class Fitting {
 public:
  Fitting(Step* step, const Operator& before, const Operator& after) : step_(*step), before_(before), after_(after) {}

  void Run() {
    FitAttributes();
    FitOperands(step_.node().mutable_input(), Inputs(after_), after_.min_inputs, after_.max_inputs, "input");
    FitOutputs();
    CheckTypes(step_.node().input(), Inputs(before_), Inputs(after_));
    CheckTypes(step_.node().output(), Outputs(before_), Outputs(after_));
  }

 private:
  [[nodiscard]] std::string Version() const {
    return step_.up ? fmt::format("since version {}", step_.version) : fmt::format("before version {}", step_.version);
  }

  void FitAttributes() {
    for (int i = step_.node().attribute_size() - 1; i >= 0; --i) {
      const AttributeProto attribute = step_.node().attribute(i);
      const int known = FindAttribute(before_, attribute.name());
      if (after_.takes_any_attribute || known < 0 || FindAttribute(after_, attribute.name()) >= 0) continue;
      const std::string_view otherwise = DocOfAttribute(before_, static_cast<std::size_t>(known)).otherwise;
      // A hint about memory, without an effect on values.
      if (attribute.name() == "consumed_inputs" || HasValue(attribute, otherwise)) {
        step_.Remove(attribute.name());
      } else {
        step_.Refuse(fmt::format("there is no attribute '{}' {}, and the node gives it another value than the default",
                                 Quoted(attribute.name()), Version()));
      }
    }
  }

  void FitOperands(google::protobuf::RepeatedPtrField<std::string>* operands, std::span<const Parameter> parameters,
                   int least, int most, std::string_view what) {
    while (operands->size() > least && operands->rbegin()->empty()) operands->RemoveLast();
    if (most != Operator::kUnlimited && operands->size() > most) {
      step_.Refuse(fmt::format("{} takes at most {} {}s {}, and the node has '{}'", Quoted(step_.node().op_type()),
                               most, what, Version(), Quoted(operands->Get(most))));
    }
    for (int i = 0; i < operands->size(); ++i) {
      const bool is_required = i < static_cast<int>(parameters.size()) &&
                               static_cast<Arity>(parameters[static_cast<std::size_t>(i)].arity) == Arity::kSingle;
      if (is_required && operands->Get(i).empty()) operands_are_missing_ = true;
    }
    if (operands->size() < least || operands_are_missing_) {
      step_.Refuse(fmt::format("an {} is required {} that the node leaves out", what, Version()));
    }
  }

  void FitOutputs() {
    auto* const outputs = step_.node().mutable_output();
    const int most = after_.max_outputs == Operator::kUnlimited ? outputs->size() : after_.max_outputs;
    while (outputs->size() > most && !step_.IsRead(outputs->size() - 1)) outputs->RemoveLast();
    FitOperands(outputs, {}, std::min<int>(after_.min_outputs, outputs->size()), after_.max_outputs, "output");
  }

  /// Refuses types that the operator takes in the version from which the node comes, but not in the new one.
  void CheckTypes(const google::protobuf::RepeatedPtrField<std::string>& operands, std::span<const Parameter> before,
                  std::span<const Parameter> after) {
    for (int i = 0; i < operands.size() && !before.empty() && !after.empty(); ++i) {
      const InferredValue* const value = step_.Find(operands[i]);
      if (value == nullptr || value->type.kind == ValueType::Kind::kUnknown) continue;
      const TypeId type = TypeOf(ToProto(value->type));
      if (type >= kOtherType) continue;
      const auto types = [i](std::span<const Parameter> all) -> const TypeSet& {
        return Types(all[std::min(static_cast<std::size_t>(i), all.size() - 1)]);
      };
      if (!types(before).Has(type) || types(after).Has(type)) continue;
      step_.Refuse(fmt::format("{} does not take {} ('{}') {}", Quoted(step_.node().op_type()), NameOf(type),
                               Quoted(operands[i]), Version()));
    }
  }

  Step& step_;
  const Operator& before_;
  const Operator& after_;
  bool operands_are_missing_ = false;
};

}  // namespace

void Fit(Step* step, std::string_view domain) {
  if (!step->ok() || step->was_replaced()) {
    const bool stays = std::ranges::find(step->nodes(), &step->node()) != step->nodes().end();
    if (!step->ok() || !stays) return;
  }
  const std::string& op_type = step->node().op_type();
  const Operator* const before = FindOperator(domain, op_type, step->up ? step->version - 1 : step->version);
  const Operator* const after = FindOperator(domain, op_type, step->written());
  if (after == nullptr) {
    return step->Refuse(fmt::format("{} is new in version {}, and no nodes of earlier versions compute the same",
                                    Quoted(op_type), step->version));
  }
  if (before == nullptr) return;  // a rule gave the node another operator
  if (after->deprecated) {
    return step->Refuse(step->up
                            ? fmt::format("it is deprecated since version {}; keep an older version", step->version)
                            : fmt::format("it is deprecated in version {}", step->version - 1));
  }
  const bool becomes_initializer = op_type == "Constant" && step->target < kFirstCastOfNumbers;
  if (!becomes_initializer) Fitting(step, *before, *after).Run();
}

}  // namespace onnxc::convert
