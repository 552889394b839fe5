// Graphs: names, initializers, order.
#include <algorithm>

#include "check/context.h"
#include "check/order.h"
#include "syntax/spelling.h"

namespace onnxc::check {
namespace {

using onnx::GraphProto;
using Declared = NameMap<TypeId>;

constexpr int kDeepestGraph = 34;  // one more subgraph is not read back from bytes

/// The types that value_info and the outputs tell.
Declared DeclaredTypes(const GraphProto& graph) {
  Declared types;
  for (const auto& output : graph.output()) types.try_emplace(output.name(), TypeOf(output.type()));
  for (const auto& value : graph.value_info()) types.insert_or_assign(value.name(), TypeOf(value.type()));
  return types;
}

void ReportHidden(std::string_view name, const Value* hidden, const Spot& spot, Context& context) {
  if (hidden == nullptr || hidden->depth == context.scope.depth()) return;
  Diagnostic* const finding = context.Report(diag::kShadowedName, spot, Quoted(name));
  context.run.findings.Explain(finding, *hidden->owner, hidden->field, hidden->index, "the hidden value");
}

void DefineInputs(const GraphProto& graph, const Place& place, Context& context) {
  for (int i = 0; i < graph.input_size(); ++i) {
    const onnx::ValueInfoProto& input = graph.input(i);
    const Place at = place.Child(input, GraphProto::kInputFieldNumber, i);
    CheckValueInfoRules(input, at, context.is_main, context.run);
    if (input.name().empty()) continue;
    const Spot name(at, onnx::ValueInfoProto::kNameFieldNumber);
    const Value* const other = context.scope.Find(input.name());
    if (other != nullptr && other->depth == context.scope.depth()) {
      Diagnostic* const finding = context.Report(diag::kDuplicateInput, name, Quoted(input.name()));
      context.run.findings.Explain(finding, *other->owner, other->field, other->index, "the other one");
      continue;
    }
    ReportHidden(input.name(), other, name, context);
    context.scope.Define(input.name(), {.owner = &input, .type = TypeOf(input.type())});
  }
}

void DefineInitializer(const std::string& name, TypeId type, const Spot& spot, bool is_sparse, Context& context) {
  if (name.empty()) {
    context.Report(diag::kNameMissing, spot, "the initializer");
    return;
  }
  Value* const other = context.scope.Find(name);
  const bool is_here = other != nullptr && other->depth == context.scope.depth();
  if (is_here && other->kind == ValueKind::kInitializer) {
    Diagnostic* const finding = context.Report(diag::kDuplicateInitializer, spot, Quoted(name));
    context.run.findings.Explain(finding, *other->owner, other->field, other->index, "the other one");
    if (finding != nullptr && finding->path.empty())
      context.run.findings.NoteMisnamed(spot.place, {finding->range, "{}"});
    return;
  }
  if (!is_here && !is_sparse && context.run.ir_version <= 3) {
    context.Report(diag::kInitializerNotInput, spot, context.run.ir_version, Quoted(name));
  }
  if (!is_here) ReportHidden(name, other, spot, context);
  const TypeId known = is_here && other->type != kUnknownType ? other->type : type;
  context.scope.Define(name, {.owner = &spot.place.message, .kind = ValueKind::kInitializer, .type = known});
}

void DefineInitializers(const GraphProto& graph, const Place& place, Context& context) {
  for (int i = 0; i < graph.initializer_size(); ++i) {
    const onnx::TensorProto& tensor = graph.initializer(i);
    const Place at = place.Child(tensor, GraphProto::kInitializerFieldNumber, i);
    CheckTensorRules(tensor, at, context.run);
    DefineInitializer(tensor.name(), TensorType(tensor.data_type()), {at, onnx::TensorProto::kNameFieldNumber}, false,
                      context);
  }
  for (int i = 0; i < graph.sparse_initializer_size(); ++i) {
    const onnx::SparseTensorProto& tensor = graph.sparse_initializer(i);
    const Place at = place.Child(tensor, GraphProto::kSparseInitializerFieldNumber, i);
    CheckSparseTensorRules(tensor, at, context.run);
    DefineInitializer(tensor.values().name(), TensorType(tensor.values().data_type()), at, true, context);
  }
  if (graph.sparse_initializer_size() > 0) {
    CheckSince(6, "sparse_initializer", {place, GraphProto::kSparseInitializerFieldNumber}, context.run);
  }
}

// `(float[2] result) { reslut = Relu (x) }`: the graph's outputs are what others know it by. So where nothing but the
// output can have meant the value, the node is corrected.
void CorrectOutput(const std::string& output, Diagnostic* finding, Context& context) {
  const auto names = [&]() -> const auto& { return context.scope.names(); };
  if (finding == nullptr || !context.run.findings.SuggestName(finding, output, names) || finding->fix_its.empty())
    return;
  const Value* const value = context.scope.FindHere(finding->fix_its.front().replacement);
  if (value == nullptr || value->kind != ValueKind::kOutput || value->is_used) return;
  const SourceRange* const range = context.run.options.source_map->Find(*value->owner, value->field, value->index);
  if (range == nullptr || !syntax::IsIdentifier(output)) return finding->fix_its.clear();
  finding->fix_its = {{*range, output}};
}

void CheckOutputs(const GraphProto& graph, const Place& place, Context& context) {
  NameSet names;
  for (int i = 0; i < graph.output_size(); ++i) {
    const onnx::ValueInfoProto& output = graph.output(i);
    const Place at = place.Child(output, GraphProto::kOutputFieldNumber, i);
    CheckValueInfoRules(output, at, context.is_main, context.run);
    if (output.name().empty()) continue;
    const Spot name(at, onnx::ValueInfoProto::kNameFieldNumber);
    if (!names.insert(output.name()).second) context.Report(diag::kDuplicateOutput, name, Quoted(output.name()));
    Value* const value =
        context.continues_graph ? context.scope.Find(output.name()) : context.scope.FindHere(output.name());
    if (value == nullptr) {
      const bool is_outside = context.scope.Find(output.name()) != nullptr;
      Diagnostic* const finding = context.Report(diag::kUnknownOutput, name, Quoted(output.name()),
                                                 is_outside ? ", but of a graph around it" : "");
      CorrectOutput(output.name(), finding, context);
      if (finding != nullptr && finding->fix_its.empty()) context.run.findings.NoteUndefined(name.place, output.name());
    } else {
      value->is_used = true;
    }
  }
}

void CheckValueInfos(const GraphProto& graph, const Place& place, Context& context) {
  NameSet names;
  for (int i = 0; i < graph.value_info_size(); ++i) {
    const onnx::ValueInfoProto& value = graph.value_info(i);
    const Place at = place.Child(value, GraphProto::kValueInfoFieldNumber, i);
    if (value.has_type()) {
      CheckTypeRules(value.type(), at.Child(value.type(), onnx::ValueInfoProto::kTypeFieldNumber), context.run);
    }
    const Spot name(at, onnx::ValueInfoProto::kNameFieldNumber);
    if (!names.insert(value.name()).second) {
      context.Report(diag::kDuplicateValueInfo, name, Quoted(value.name()));
    } else if (context.scope.FindHere(value.name()) == nullptr) {
      context.Report(diag::kUnknownValueInfo, name, Quoted(value.name()));
    }
  }
}

void CheckQuantization(const GraphProto& graph, const Place& place, Context& context) {
  for (int i = 0; i < graph.quantization_annotation_size(); ++i) {
    const onnx::TensorAnnotation& annotation = graph.quantization_annotation(i);
    const Place at = place.Child(annotation, GraphProto::kQuantizationAnnotationFieldNumber, i);
    CheckSince(5, "quantization_annotation", at, context.run);
    const auto check_name = [&](const std::string& name, const Spot& spot) {
      if (context.scope.Find(name) != nullptr) return;
      context.Report(diag::kQuantizationName, spot, Quoted(name));
    };
    check_name(annotation.tensor_name(), {at, onnx::TensorAnnotation::kTensorNameFieldNumber});
    Names keys;
    for (int j = 0; j < annotation.quant_parameter_tensor_names_size(); ++j) {
      const auto& entry = annotation.quant_parameter_tensor_names(j);
      const Place pair = at.Child(entry, onnx::TensorAnnotation::kQuantParameterTensorNamesFieldNumber, j);
      if (entry.key() != "SCALE_TENSOR" && entry.key() != "ZERO_POINT_TENSOR") {
        context.Report(diag::kQuantizationKey, pair, Quoted(entry.key()));
      } else if (!keys.insert(entry.key()).second) {
        context.Report(diag::kDuplicateQuantizationKey, pair, Quoted(entry.key()));
      }
      check_name(entry.value(), pair);
    }
  }
}

void ReportUnused(const GraphProto& graph, const Place& place, Context& context) {
  if (graph.initializer_size() == 0) return;
  std::unordered_map<const void*, int> indices;
  context.scope.ForEachHere([&](std::string_view name, const Value& value) {
    if (value.kind != ValueKind::kInitializer || value.is_used) return;
    if (indices.empty()) {
      for (int i = 0; i < graph.initializer_size(); ++i) indices.emplace(&graph.initializer(i), i);
    }
    const auto found = indices.find(value.owner);
    if (found == indices.end()) return;  // a sparse one
    const Place at = place.Child(*value.owner, GraphProto::kInitializerFieldNumber, found->second);
    context.Report(diag::kUnusedInitializer, {at, onnx::TensorProto::kNameFieldNumber}, Quoted(name));
  });
}

}  // namespace

void CheckGraphRules(const GraphProto& graph, const Place& place, Context& context, const Continuation& more) {
  if (context.graphs >= kDeepestGraph) {
    context.Report(diag::kNestingLimit, place);
    return;
  }
  if (graph.name().empty()) context.Report(diag::kNameMissing, place, "the graph");

  context.scope.Enter();
  Context inside = context;
  ++inside.graphs;
  if (context.scope.depth() == 1) context.scope.Reserve(static_cast<std::size_t>(graph.node_size()));
  DefineInputs(graph, place, inside);
  DefineInitializers(graph, place, inside);
  CheckNodes(graph.node(), place, GraphProto::kNodeFieldNumber, inside, DeclaredTypes(graph));
  CheckOutputs(graph, place, inside);
  CheckValueInfos(graph, place, inside);
  CheckQuantization(graph, place, inside);
  CheckMetadata(graph.metadata_props(), GraphProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place,
                context.run);
  if (more) more(inside);
  ReportUnused(graph, place, inside);
  context.scope.Leave();
}

}  // namespace onnxc::check
