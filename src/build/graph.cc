#include "build/graph.h"

#include "build/literal.h"
#include "build/node.h"
#include "build/tensor.h"
#include "build/type.h"
#include "syntax/parse.h"

namespace onnxc {
namespace {

const Grammar::ValueInfoContext* InfoOf(const Grammar::ValueContext* value) {
  return ChildOf<Grammar::ValueInfoContext>(value, Grammar::RuleValueInfo);
}

// value : valueInfo '=' data?
void BuildInitializer(const Grammar::ValueContext* tree, Lowering& lowering, onnx::TensorProto* tensor) {
  const Nested nested(lowering, 1, First(tree).range());
  if (!nested) return;
  const Grammar::ValueInfoContext* info = InfoOf(tree);
  const auto* type = ChildOf<Grammar::TypeContext>(info, Grammar::RuleType);
  lowering.Map(*tensor, RangeOf(tree));
  lowering.Map(*tensor, ValueName(info).range(), onnx::TensorProto::kNameFieldNumber);
  if (type == nullptr) return lowering.Report(DiagnosticKind::kNotATensorType, RangeOf(info));
  BuildTensorData(type, ChildOf<Grammar::DataContext>(tree, Grammar::RuleData), lowering, tensor);
  tensor->set_name(NameOf(ValueName(info)));
}

}  // namespace

const SyntaxToken& ValueName(const Grammar::ValueInfoContext* tree) {
  return tree->bare != nullptr ? *static_cast<const SyntaxToken*>(tree->bare)
                               : First(ChildOf<Context>(tree, Grammar::RuleName));
}

// valueInfo : type name | bare=(ID | STRING | SPECIAL)
void BuildValueInfo(const Grammar::ValueInfoContext* tree, Lowering& lowering, onnx::ValueInfoProto* value) {
  const Nested nested(lowering, 1, First(tree).range());
  if (!nested) return;
  lowering.Map(*value, RangeOf(tree));
  lowering.Map(*value, ValueName(tree).range(), onnx::ValueInfoProto::kNameFieldNumber);
  value->set_name(NameOf(ValueName(tree)));
  const auto* type = ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType);
  if (type == nullptr) return;
  const Nested inner(lowering, 1, First(tree).range());
  if (inner) BuildType(type, lowering, value->mutable_type());
}

// value : valueInfo (eq='=' data?)?       an input with a default is an initializer too
void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  BuildValueInfo(InfoOf(tree), lowering, graph->add_input());
  if (tree->eq != nullptr) BuildInitializer(tree, lowering, graph->add_initializer());
}

// outputs : '(' (valueInfo (',' valueInfo)*)? ')'
void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  for (const auto* info : ChildrenOf<Grammar::ValueInfoContext>(tree)) {
    if (!IsBroken(info)) BuildValueInfo(info, lowering, graph->add_output());
  }
}

void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  if (tree->eq != nullptr) return BuildInitializer(tree, lowering, graph->add_initializer());
  BuildValueInfo(InfoOf(tree), lowering, graph->add_value_info());
}

// graphRest : inputs? '=>' outputs values? body
// inputs    : '(' (value (',' value)*)? ')'
// values    : '<' (value (',' value)*)? '>'
// body      : '{' node* '}'
void BuildGraph(const Grammar::GraphRestContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  if (const auto* inputs = ChildOf<Grammar::InputsContext>(tree, Grammar::RuleInputs)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(inputs)) {
      if (!IsBroken(value)) BuildInput(value, lowering, graph);
    }
  }
  BuildOutputs(ChildOf<Grammar::OutputsContext>(tree, Grammar::RuleOutputs), lowering, graph);
  if (const auto* values = ChildOf<Grammar::ValuesContext>(tree, Grammar::RuleValues)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(values)) {
      if (!IsBroken(value)) BuildValue(value, lowering, graph);
    }
  }
  const auto* body = ChildOf<Grammar::BodyContext>(tree, Grammar::RuleBody);
  for (const auto* node : ChildrenOf<Grammar::NodeContext>(body)) {
    if (IsBroken(node)) continue;
    const Nested nested(lowering, 1, First(node).range());
    if (nested) BuildNode(node, lowering, graph->add_node());
  }
}

}  // namespace onnxc
