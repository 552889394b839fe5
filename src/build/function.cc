#include "build/function.h"

#include "build/attribute.h"
#include "build/graph.h"
#include "build/literal.h"
#include "syntax/explain.h"
#include "syntax/parse.h"

namespace onnxc {
namespace {

using Function = onnx::FunctionProto;

// An input or output is a name; a type before it is kept as a value info.
void BuildParameter(const Grammar::ValueInfoContext* tree, int field, Lowering& lowering, Function* function,
                    google::protobuf::RepeatedPtrField<std::string>* names) {
  lowering.Map(*function, RangeOf(tree), field, names->size());
  *names->Add() = NameOf(ValueName(tree));
  if (tree->bare == nullptr) BuildValueInfo(tree, lowering, function->add_value_info());
}

const Grammar::ValueInfoContext* WithoutData(const Grammar::ValueContext* tree, Lowering& lowering) {
  if (tree->eq != nullptr) {
    lowering.Report(DiagnosticKind::kInitializerInFunction, static_cast<const SyntaxToken*>(tree->eq)->range());
  }
  return ChildOf<Grammar::ValueInfoContext>(tree, Grammar::RuleValueInfo);
}

// formal : nm=name (':' annotation=name)? (eq='=' attrValue)?       a name alone is an attribute without default
void BuildFormal(const Grammar::FormalContext* tree, Lowering& lowering, Function* function) {
  if (tree->annotation == nullptr && tree->eq == nullptr) {
    lowering.Map(*function, RangeOf(tree), Function::kAttributeFieldNumber, function->attribute_size());
    return function->add_attribute(NameOf(tree->nm));
  }
  if (tree->eq == nullptr) {
    const SourceRange range{RangeOf(tree).end, RangeOf(tree).end};
    return lowering.Report(DiagnosticKind::kUnexpectedToken, range, "'=' and a default value", "none");
  }
  const Nested nested(lowering, 1, First(tree).range());
  if (!nested) return;
  onnx::AttributeProto* attribute = function->add_attribute_proto();
  lowering.Map(*attribute, RangeOf(tree));
  attribute->set_name(NameOf(tree->nm));
  BuildAttributeValue(tree->annotation, ChildOf<Grammar::AttrValueContext>(tree, Grammar::RuleAttrValue), lowering, attribute);
}

}  // namespace

// formals : '<' formal (',' formal)* '>'
void BuildFormals(const Grammar::FormalsContext* tree, Lowering& lowering, Function* function) {
  for (const auto* formal : ChildrenOf<Grammar::FormalContext>(tree)) {
    if (!IsBroken(formal)) BuildFormal(formal, lowering, function);
  }
}

void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, Function* function) {
  BuildParameter(WithoutData(tree, lowering), Function::kInputFieldNumber, lowering, function, function->mutable_input());
}

void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, Function* function) {
  for (const auto* info : ChildrenOf<Grammar::ValueInfoContext>(tree)) {
    if (IsBroken(info)) continue;
    BuildParameter(info, Function::kOutputFieldNumber, lowering, function, function->mutable_output());
  }
}

void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, Function* function) {
  BuildValueInfo(WithoutData(tree, lowering), lowering, function->add_value_info());
}

}  // namespace onnxc
