#include "old/convert.h"

#include <fmt/format.h>
#include <onnxc/infer.h>
#include <onnxc/model_io.h>

#include <algorithm>
#include <climits>
#include <optional>

#include "old/conversion.h"
#include "old_schemas/onnx_v1.pb.h"
#include "old_schemas/onnx_v2.pb.h"
#include "old_schemas/torch_2018.pb.h"
#include "source/names.h"
#include "source/report.h"
#include "tables/limits.h"
#include "wire/message.h"
#include "wire/wire.h"

namespace onnxc::old {
namespace {

namespace pb = google::protobuf;

/// Parses the old message and converts it to `to`.
Diagnostics ConvertMessage(std::string_view bytes, const SchemaRow& schema, const ConvertOptions& options,
                           pb::Message* from, pb::Message* to, onnx::ModelProto* model) {
  if (wire::IsWireFormat(bytes)) {
    if (!wire::ReadFields(bytes, from, kMaxDepth)) {
      return Only(MakeDiagnostic(diag::kNotTheKind, kNowhere, schema.what.substr(schema.what.find(' ') + 1)));
    }
  } else {
    Diagnostics read = Decode(bytes, Format::kTextProto, from);
    if (!read.ok()) return read;
  }
  Conversion conversion(schema.schema, options, bytes.size(), model);
  conversion.Copy(Place{*from}, to);
  return conversion.Take();
}

void Refuse(std::string_view message, Diagnostics* found) {
  found->Add(MakeDiagnostic(diag::kOldInput, kNowhere, message));
}

/// Checks that the graph is not empty, because an empty file, or a file in another schema, may be parsed as an empty
/// graph. Also checks that the inputs that --input names exist.
void CheckGraph(const onnx_v1::GraphProto& graph, const ConvertOptions& options, Diagnostics* found) {
  if (graph.node().empty() && graph.input().empty() && graph.output().empty()) {
    return Refuse("the graph has no nodes, inputs and outputs", found);
  }
  const NameSet inputs(graph.input().begin(), graph.input().end());
  for (const auto& [name, type] : options.input_types) {
    if (!inputs.contains(name)) Refuse(fmt::format("--input names '{}', which is not an input", Quoted(name)), found);
  }
}

Diagnostics ConvertAny(std::string_view bytes, const SchemaRow& schema, const ConvertOptions& options,
                       onnx::ModelProto* model) {
  switch (schema.schema) {
    case Schema::kOnnx01: {
      onnx_v1::GraphProto graph;
      Diagnostics found = ConvertMessage(bytes, schema, options, &graph, model->mutable_graph(), model);
      if (found.ok()) CheckGraph(graph, options, &found);
      return found;
    }
    case Schema::kOnnx02: {
      onnx_v2::ModelProto old_model;
      Diagnostics found = ConvertMessage(bytes, schema, options, &old_model, model, model);
      if (found.ok() && old_model.ByteSizeLong() == 0) Refuse("the model is empty", &found);
      return found;
    }
    case Schema::kTorch: {
      torch_2018::ModelProto old_model;
      Diagnostics found = ConvertMessage(bytes, schema, options, &old_model, model, model);
      if (found.ok() && !old_model.has_ir_version()) Refuse("the model has no ir_version", &found);
      return found;
    }
  }
  return {};
}

/// Adds the types of the outputs of a graph of onnx 0.1, which are inferred from its inputs. Reports outputs whose
/// types cannot be inferred.
void AddOutputTypes(onnx::ModelProto* model, Diagnostics* found) {
  onnx::ModelProto typed = WithTypes(*model, InferTypes(*model)).message;
  model->mutable_graph()->mutable_output()->Swap(typed.mutable_graph()->mutable_output());
  const bool has_untyped =
      std::ranges::any_of(model->graph().input(), [](const auto& input) { return !input.has_type(); });
  const std::string_view why =
      has_untyped ? "an input on which it may depend has no type either" : "the operator that computes it is unknown";
  const Place root{*model};
  const Place graph = root.Child(model->graph(), onnx::ModelProto::kGraphFieldNumber);
  for (int i = 0; i < model->graph().output_size(); ++i) {
    const onnx::ValueInfoProto& output = model->graph().output(i);
    if (output.has_type()) continue;
    Diagnostic finding = MakeDiagnostic(diag::kOldUntyped, kNowhere, "output", Quoted(output.name()), why);
    finding.path = PathOf({graph, onnx::GraphProto::kOutputFieldNumber, i});
    found->Add(std::move(finding));
  }
}

}  // namespace

Diagnostics Convert(std::string_view bytes, Schema schema, const ConvertOptions& options, onnx::ModelProto* model) {
  model->Clear();
  if (bytes.size() > INT_MAX) return wire::TooLargeToRead(bytes.size());
  const std::optional<Schema> sure = FindSchema(bytes);
  Diagnostics found;
  if (sure && sure != schema) {
    found = RefuseOldSchema(bytes, Kind::kModel);
  } else {
    found = ConvertAny(bytes, *std::ranges::find(kSchemas, schema, &SchemaRow::schema), options, model);
    if (found.ok() && schema != Schema::kTorch) found.Append(Upgrade(model));
    if (found.ok() && schema == Schema::kOnnx01) AddOutputTypes(model, &found);
  }
  found.Finish(options.max_diagnostics);
  if (!found.ok()) model->Clear();
  return found;
}

}  // namespace onnxc::old
