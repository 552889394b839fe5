#include "lower/function.h"

#include "lower/annotation.h"
#include "lower/attribute.h"
#include "lower/field.h"
#include "lower/graph.h"
#include "lower/header.h"
#include "lower/literal.h"
#include "lower/node.h"
#include "syntax/parse.h"
#include "syntax/syntax_errors.h"

namespace onnxc::lower {
namespace {

using Function = onnx::FunctionProto;

// Builds an input or an output, which is a name. If a type precedes the name, a value info with this type is added.
void BuildParameter(const Grammar::ValueInfoContext* tree, int field, Lowering& lowering, Function* function,
                    google::protobuf::RepeatedPtrField<std::string>* names) {
  if (InPlace(tree) != nullptr) {
    return lowering.Report(diag::kUnexpectedToken, RangeOf(tree), "a parameter's name", "a record");
  }
  lowering.Map(*function, RangeOf(tree), field, names->size());
  *names->Add() = NameOf(ValueName(tree));
  const bool is_annotated = tree->bare != nullptr && !tree->children.empty();
  if (tree->bare == nullptr || is_annotated) BuildValueInfo(tree, lowering, function->add_value_info());
}

const Grammar::ValueInfoContext* WithoutData(const Grammar::ValueContext* tree, Lowering& lowering) {
  if (tree->eq != nullptr) {
    lowering.Report(diag::kInitializerInFunction, static_cast<const SyntaxToken*>(tree->eq)->range());
  }
  return ChildOf<Grammar::ValueInfoContext>(tree, Grammar::RuleValueInfo);
}

// formal : annotation* (inPlace | nm=name (':' kind=name)? (eq='=' attrValue)?)
// A name alone is an attribute without default.
void BuildFormal(const Grammar::FormalContext* tree, Lowering& lowering, Function* function) {
  const auto* record = InPlace(tree);
  if (record == nullptr && tree->kind == nullptr && tree->eq == nullptr) {
    if (!tree->children.empty() && tree->children.front() != tree->nm) {
      return lowering.Report(diag::kUnexpectedToken, First(tree).range(), "a name",
                             "an annotation, which is allowed only before an attribute with a default value");
    }
    lowering.Map(*function, RangeOf(tree), Function::kAttributeFieldNumber, function->attribute_size());
    return function->add_attribute(NameOf(tree->nm));
  }
  if (record == nullptr && tree->eq == nullptr) {
    const std::size_t end = RangeOf(tree).end;
    Diagnostic diagnostic = MakeDiagnostic(diag::kUnexpectedToken, {end, end}, "'=' and a default value",
                                           "none; an attribute without a default value must be written without a type");
    diagnostic.fix_its = {{{RangeOf(tree->nm).end, end}, ""}};
    return lowering.ReportMisspelt(std::move(diagnostic), {}, {});
  }
  const DepthGuard guard(lowering, 1, First(tree).range());
  if (!guard) return;
  onnx::AttributeProto* attribute = function->add_attribute_proto();
  lowering.Map(*attribute, RangeOf(tree));
  Annotations annotations(tree, lowering);
  if (record != nullptr) {
    BuildRecord(record, lowering, attribute);
    return annotations.FinishRecord(attribute);
  }
  lowering.Map(*attribute, RangeOf(tree->nm), onnx::AttributeProto::kNameFieldNumber);
  attribute->set_name(NameOf(tree->nm));
  BuildAttributeValue(tree->kind == nullptr ? nullptr : &First(tree->kind),
                      ChildOf<Grammar::AttrValueContext>(tree, Grammar::RuleAttrValue), lowering, attribute);
  annotations.Finish(attribute);
}

}  // namespace

// formals : '<' formal (',' formal)* '>'
void BuildFormals(const Grammar::FormalsContext* tree, Lowering& lowering, Function* function) {
  for (const auto* formal : ChildrenOf<Grammar::FormalContext>(tree)) {
    if (IsBroken(formal)) continue;
    if (formal->nm != nullptr) lowering.NoteFormal(First(formal->nm).text);
    BuildFormal(formal, lowering, function);
  }
}

void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, Function* function) {
  BuildParameter(WithoutData(tree, lowering), Function::kInputFieldNumber, lowering, function,
                 function->mutable_input());
}

void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, Function* function) {
  for (const auto* info : ChildrenOf<Grammar::ValueInfoContext>(tree)) {
    if (IsBroken(info)) continue;
    BuildParameter(info, Function::kOutputFieldNumber, lowering, function, function->mutable_output());
  }
}

// native : annotation* (tensor | header? nm=(ID | STRING) formals? graphRest)
void BuildFunction(const Grammar::NativeContext* tree, Lowering& lowering, Function* function) {
  lowering.ForgetFormals();
  if (const auto* header = ChildOf<Grammar::HeaderContext>(tree, Grammar::RuleHeader)) {
    BuildHeader(header, lowering, function);
  }
  function->set_name(NameOf(*static_cast<const SyntaxToken*>(tree->nm)));
  if (const auto* formals = ChildOf<Grammar::FormalsContext>(tree, Grammar::RuleFormals)) {
    BuildFormals(formals, lowering, function);
  }
  const auto* rest = ChildOf<Grammar::GraphRestContext>(tree, Grammar::RuleGraphRest);
  if (const auto* inputs = ChildOf<Grammar::InputsContext>(rest, Grammar::RuleInputs)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(inputs)) {
      if (!IsBroken(value)) BuildInput(value, lowering, function);
    }
  }
  BuildOutputs(ChildOf<Grammar::OutputsContext>(rest, Grammar::RuleOutputs), lowering, function);
  if (const auto* values = ChildOf<Grammar::ValuesContext>(rest, Grammar::RuleValues)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(values)) {
      if (!IsBroken(value)) BuildValue(value, lowering, function);
    }
  }
  BuildNodes(ChildOf<Grammar::BodyContext>(rest, Grammar::RuleBody), lowering, function->mutable_node());
}

void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, Function* function) {
  BuildValueInfo(WithoutData(tree, lowering), lowering, function->add_value_info());
}

void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, Function* function) {
  BuildNode(tree, lowering, function->add_node());
}

}  // namespace onnxc::lower
