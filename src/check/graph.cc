// Rules for graphs: names, initializers and order.
#include <fmt/format.h>

#include <algorithm>

#include "check/context.h"
#include "check/order.h"

namespace onnxc::check {
namespace {

using onnx::GraphProto;
constexpr int kDeepestGraph = 34;  // with one more level of subgraphs, protobuf could not parse the model

void ReportHidden(std::string_view name, const Value* hidden, const Spot& spot, Context& context) {
  if (hidden == nullptr || hidden->depth == context.scope.depth()) return;
  Diagnostic* const finding = context.Report(diag::kShadowedName, spot, Quoted(name));
  context.run.findings.Explain(finding, *hidden->owner, hidden->field, hidden->index, "the shadowed value");
}

void DefineInputs(const GraphProto& graph, const Place& place, Context& context) {
  for (int i = 0; i < graph.input_size(); ++i) {
    const onnx::ValueInfoProto& input = graph.input(i);
    const Place at = place.Child(input, GraphProto::kInputFieldNumber, i);
    CheckValueInfoRules(input, at, context.is_main, context.run);
    if (input.name().empty()) continue;
    const Spot name(at, onnx::ValueInfoProto::kNameFieldNumber);
    CheckIdentifier(Named::kValue, input.name(), name, context.run);
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
  CheckIdentifier(Named::kValue, name, spot, context.run);
  Value* const other = context.scope.Find(name);
  const bool is_here = other != nullptr && other->depth == context.scope.depth();
  if (is_here && other->kind == ValueKind::kInitializer) {
    Diagnostic* const finding = context.Report(diag::kDuplicateInitializer, spot, Quoted(name));
    context.run.findings.Explain(finding, *other->owner, other->field, other->index, "the other one");
    if (finding != nullptr && finding->path.empty())
      context.run.findings.NoteMisnamed(spot.place, {finding->range, "{}"}, name);
    return;
  }
  if (!is_here && !is_sparse && context.run.ir_version <= 3) {
    context.Report(diag::kInitializerNotInput, spot, context.run.ir_version, Quoted(name));
  }
  if (!is_here) ReportHidden(name, other, spot, context);
  const TypeId known = is_here && other->type != kNoType ? other->type : type;
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
    constexpr int kField = GraphProto::kSparseInitializerFieldNumber;
    CheckFieldSince(*GraphProto::descriptor(), kField, {place, kField}, context.run);
  }
}

void CheckOutputs(const GraphProto& graph, const Place& place, Context& context) {
  NameMap<const onnx::ValueInfoProto*> names;
  for (int i = 0; i < graph.output_size(); ++i) {
    const onnx::ValueInfoProto& output = graph.output(i);
    const Place at = place.Child(output, GraphProto::kOutputFieldNumber, i);
    CheckValueInfoRules(output, at, context.is_main, context.run);
    if (output.name().empty()) continue;
    const Spot name(at, onnx::ValueInfoProto::kNameFieldNumber);
    if (const auto [first, is_new] = names.try_emplace(output.name(), &output); !is_new) {
      ReportSecondOutput(*first->second, output, name, context);
    }
    Value* const value =
        context.continues_graph ? context.scope.Find(output.name()) : context.scope.FindHere(output.name());
    const bool is_told =
        context.run.taken_names.contains(output.name()) || context.run.unknown_names.contains(output.name());
    if (value == nullptr && is_told) continue;  // already reported at a node
    if (value == nullptr) {
      const bool is_outside = context.scope.Find(output.name()) != nullptr;
      const std::string quoted = Quoted(output.name());
      Diagnostic* const finding = context.Report(
          diag::kUnknownOutput, name,
          is_outside
              ? fmt::format("the output '{}' is a value of an enclosing graph; copy it with an Identity node", quoted)
              : fmt::format("no node computes the output '{}'", quoted));
      SuggestOutput(output.name(), name, finding, context);
      if (finding != nullptr && finding->fix_its.empty()) context.run.findings.NoteUndefined(name.place, output.name());
    } else {
      context.scope.Use(*value);
    }
  }
}

void CheckQuantization(const GraphProto& graph, const Place& place, Context& context) {
  for (int i = 0; i < graph.quantization_annotation_size(); ++i) {
    const onnx::TensorAnnotation& annotation = graph.quantization_annotation(i);
    const Place at = place.Child(annotation, GraphProto::kQuantizationAnnotationFieldNumber, i);
    CheckFieldSince(*GraphProto::descriptor(), GraphProto::kQuantizationAnnotationFieldNumber, at, context.run);
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

/// Reports inputs of the main graph that nothing reads. (The inputs of a subgraph are determined by the operator of the
/// node that contains the subgraph.)
void ReportUnusedInputs(const GraphProto& graph, const Place& place, Context& context) {
  if (!context.is_main || !LooksForUnused(context)) return;
  for (int i = 0; i < graph.input_size(); ++i) {
    const onnx::ValueInfoProto& input = graph.input(i);
    const Value* const value = context.scope.FindHere(input.name());
    if (value == nullptr || value->owner != &input || value->is_used || input.name().starts_with('_')) continue;
    const Place at = place.Child(input, GraphProto::kInputFieldNumber, i);
    context.Report(diag::kUnusedInput, {at, onnx::ValueInfoProto::kNameFieldNumber}, Quoted(input.name()));
  }
}

void ReportUnused(const GraphProto& graph, const Place& place, Context& context) {
  if (context.scope.UnusedHere() == 0) return;
  ReportUnusedValues(graph.node(), GraphProto::kNodeFieldNumber, place, context);
  ReportUnusedInputs(graph, place, context);
  if (graph.initializer_size() == 0) return;
  std::unordered_map<const void*, int> indices;
  for (const Value& value : context.scope.Here()) {
    if (value.kind != ValueKind::kInitializer || value.is_used) continue;
    if (indices.empty()) {
      for (int i = 0; i < graph.initializer_size(); ++i) indices.emplace(&graph.initializer(i), i);
    }
    const auto found = indices.find(value.owner);
    if (found == indices.end()) continue;  // a sparse initializer
    const Place at = place.Child(*value.owner, GraphProto::kInitializerFieldNumber, found->second);
    context.Report(diag::kUnusedInitializer, {at, onnx::TensorProto::kNameFieldNumber}, Quoted(value.name));
  }
}

/// Checks that the graph has a name that no other graph has.
void CheckName(const GraphProto& graph, const Place& place, Context& context) {
  if (graph.name().empty()) {
    context.Report(diag::kNameMissing, place, "the graph");
    return;
  }
  const Spot name(place, GraphProto::kNameFieldNumber);
  CheckIdentifier(Named::kGraph, graph.name(), name, context.run);
  const auto [first, is_new] = context.run.graph_names.try_emplace(graph.name(), &graph);
  if (is_new) return;
  Diagnostic* const finding = context.Report(diag::kDuplicateGraphName, name, Quoted(graph.name()));
  context.run.findings.Explain(finding, *first->second, GraphProto::kNameFieldNumber, 0, "the other one");
}

}  // namespace

DeclaredTypes TypesDeclaredIn(const GraphProto& graph) {
  DeclaredTypes types;
  const auto declare = [&](const onnx::ValueInfoProto& value, bool replaces) {
    const HashedName name(value.name());
    DeclaredType* const known = types.Find(name);
    if (known == nullptr) {
      types.Add(name, {.type = TypeOf(value.type())});
    } else if (replaces) {
      known->type = TypeOf(value.type());
    }
  };
  for (const auto& output : graph.output()) declare(output, /*replaces=*/false);
  for (const auto& value : graph.value_info()) declare(value, /*replaces=*/true);
  return types;
}

void CheckGraphRules(const GraphProto& graph, const Place& place, Context& context, const Continuation& more) {
  if (context.graphs >= kDeepestGraph) {
    context.Report(diag::kNestingLimit, place);
    return;
  }
  CheckName(graph, place, context);

  context.scope.Enter();
  Context inside = context;
  ++inside.graphs;
  if (context.scope.depth() == 1) {
    context.scope.Reserve(static_cast<std::size_t>(graph.node_size()) + static_cast<std::size_t>(graph.input_size()) +
                          static_cast<std::size_t>(graph.initializer_size()));
  }
  DefineInputs(graph, place, inside);
  DefineInitializers(graph, place, inside);
  CheckNodes(graph.node(), place, GraphProto::kNodeFieldNumber, inside, TypesDeclaredIn(graph));
  CheckOutputs(graph, place, inside);
  CheckValueInfos(graph.value_info(), GraphProto::kValueInfoFieldNumber, place, inside);
  CheckQuantization(graph, place, inside);
  CheckMetadata(graph.metadata_props(), GraphProto::kMetadataPropsFieldNumber, diag::kDuplicateMetadata, place,
                context.run);
  if (more) more(inside);
  ReportUnused(graph, place, inside);
  context.scope.Leave();
}

}  // namespace onnxc::check
