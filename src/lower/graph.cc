#include "lower/graph.h"

#include "lower/annotation.h"
#include "lower/field.h"
#include "lower/literal.h"
#include "lower/node.h"
#include "lower/sparse_tensor.h"
#include "lower/tensor.h"
#include "lower/type.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

const Grammar::ValueInfoContext* InfoOf(const Grammar::ValueContext* value) {
  return ChildOf<Grammar::ValueInfoContext>(value, Grammar::RuleValueInfo);
}

void BuildSparseInitializer(const Grammar::ValueContext* tree, Lowering& lowering, Annotations& annotations,
                            onnx::SparseTensorProto* tensor) {
  const Grammar::ValueInfoContext* info = InfoOf(tree);
  tensor->mutable_values()->set_name(NameOf(ValueName(info)));
  lowering.Map(tensor->values(), ValueName(info).range(), onnx::TensorProto::kNameFieldNumber);
  BuildSparseTensor(ChildOf<Grammar::TypeContext>(info, Grammar::RuleType),
                    ChildOf<Grammar::DataContext>(tree, Grammar::RuleData), lowering, tensor);
  lowering.Map(*tensor, RangeOf(tree));
  annotations.Finish(tensor);
}

void BuildDenseInitializer(const Grammar::ValueContext* tree, Lowering& lowering, Annotations& annotations,
                           onnx::TensorProto* tensor, FieldChunks* lists) {
  const Grammar::ValueInfoContext* info = InfoOf(tree);
  lowering.Map(*tensor, RangeOf(tree));
  if (const auto* record = InPlace(info)) {
    BuildRecord(record, lowering, tensor);
    return annotations.FinishRecord(tensor);
  }
  lowering.Map(*tensor, ValueName(info).range(), onnx::TensorProto::kNameFieldNumber);
  // If there are annotations, the numbers must be stored in the message: an annotation may append to a list.
  BuildTensorData(ChildOf<Grammar::TypeContext>(info, Grammar::RuleType),
                  ChildOf<Grammar::DataContext>(tree, Grammar::RuleData), lowering, tensor,
                  annotations.empty() ? lists : nullptr);
  ReadName(ValueName(info), tensor->mutable_name());
  annotations.Finish(tensor);
}

// value : valueInfo (eq='=' data?)?
void BuildInitializer(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink) {
  const DepthGuard guard(lowering, 1, First(tree).range());
  if (!guard) return;
  const Grammar::ValueInfoContext* info = InfoOf(tree);
  const auto* data = ChildOf<Grammar::DataContext>(tree, Grammar::RuleData);
  const auto* type = ChildOf<Grammar::TypeContext>(info, Grammar::RuleType);
  const bool is_record = InPlace(info) != nullptr;
  Annotations annotations(info, lowering);
  if (is_record && data != nullptr) return lowering.Report(diag::kTextAfterEnd, RangeOf(data), "record");
  if (!is_record && type == nullptr) return lowering.Report(diag::kNotATensorType, RangeOf(info));
  if (!is_record && First(type).type == Grammar::SPARSE_TENSOR) {
    BuildSparseInitializer(tree, lowering, annotations, sink->BeginSparseInitializer());
    return sink->EndSparseInitializer();
  }
  BuildDenseInitializer(tree, lowering, annotations, sink->BeginInitializer(), sink->ListBytes());
  sink->EndInitializer();
}

}  // namespace

const SyntaxToken& ValueName(const Grammar::ValueInfoContext* tree) {
  return tree->bare != nullptr ? *static_cast<const SyntaxToken*>(tree->bare) : First(tree->nm);
}

// valueInfo : annotation* (inPlace | type nm=name | bare=(ID | STRING | SPECIAL))
void BuildValueInfo(const Grammar::ValueInfoContext* tree, Lowering& lowering, onnx::ValueInfoProto* value) {
  const DepthGuard guard(lowering, 1, First(tree).range());
  if (!guard) return;
  lowering.Map(*value, RangeOf(tree));
  Annotations annotations(tree, lowering);
  if (const auto* record = InPlace(tree)) {
    BuildRecord(record, lowering, value);
    return annotations.FinishRecord(value);
  }
  lowering.Map(*value, ValueName(tree).range(), onnx::ValueInfoProto::kNameFieldNumber);
  ReadName(ValueName(tree), value->mutable_name());
  const auto* type = ChildOf<Grammar::TypeContext>(tree, Grammar::RuleType);
  if (type != nullptr) {
    const DepthGuard inner(lowering, 1, First(tree).range());
    if (inner) BuildType(type, lowering, value->mutable_type());
    if (inner) lowering.Finish(value->mutable_type());
  }
  annotations.Finish(value);
}

// value : valueInfo (eq='=' data?)?
// An input with a default is also an initializer.
void BuildInput(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink) {
  BuildValueInfo(InfoOf(tree), lowering, sink->graph()->add_input());
  if (tree->eq != nullptr) BuildInitializer(tree, lowering, sink);
}

// outputs : '(' (valueInfo (',' valueInfo)*)? ')'
void BuildOutputs(const Grammar::OutputsContext* tree, Lowering& lowering, GraphSink* sink) {
  for (const auto* info : ChildrenOf<Grammar::ValueInfoContext>(tree)) {
    if (!IsBroken(info)) BuildValueInfo(info, lowering, sink->graph()->add_output());
  }
}

void BuildValue(const Grammar::ValueContext* tree, Lowering& lowering, GraphSink* sink) {
  if (tree->eq != nullptr) return BuildInitializer(tree, lowering, sink);
  BuildValueInfo(InfoOf(tree), lowering, sink->BeginValueInfo());
  sink->EndValueInfo();
}

void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, GraphSink* sink) {
  BuildNode(tree, lowering, sink->BeginNode());
  sink->EndNode();
}

// body : '{' node* '}'
void BuildNodes(const Grammar::BodyContext* tree, Lowering& lowering,
                google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes) {
  for (const auto* node : ChildrenOf<Grammar::NodeContext>(tree)) {
    if (IsBroken(node)) continue;
    const DepthGuard guard(lowering, 1, First(node).range());
    if (guard) BuildNode(node, lowering, nodes->Add());
  }
}

// graphRest : inputs? '=>' outputs values? body
// inputs    : '(' (value (',' value)*)? ')'
// values    : '<' (value (',' value)*)? '>'
void BuildGraph(const Grammar::GraphRestContext* tree, Lowering& lowering, onnx::GraphProto* graph) {
  GraphSink sink(graph);
  if (const auto* inputs = ChildOf<Grammar::InputsContext>(tree, Grammar::RuleInputs)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(inputs)) {
      if (!IsBroken(value)) BuildInput(value, lowering, &sink);
    }
  }
  BuildOutputs(ChildOf<Grammar::OutputsContext>(tree, Grammar::RuleOutputs), lowering, &sink);
  if (const auto* values = ChildOf<Grammar::ValuesContext>(tree, Grammar::RuleValues)) {
    for (const auto* value : ChildrenOf<Grammar::ValueContext>(values)) {
      if (!IsBroken(value)) BuildValue(value, lowering, &sink);
    }
  }
  BuildNodes(ChildOf<Grammar::BodyContext>(tree, Grammar::RuleBody), lowering, graph->mutable_node());
}

}  // namespace onnxc::lower
