#include "edit/outputs.h"

#include <fmt/format.h>
#include <onnxc/infer.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "check/missing_part.h"
#include "edit/keep.h"
#include "edit/known_names.h"
#include "infer/annotate.h"
#include "infer/budget.h"
#include "source/names.h"
#include "source/report.h"

namespace onnxc::edit {
namespace {

using onnx::GraphProto;
using onnx::ModelProto;
using onnx::ValueInfoProto;
using Values = google::protobuf::RepeatedPtrField<ValueInfoProto>;

class OutputSetting {
 public:
  OutputSetting(ModelProto* model, const SetOptions& options)
      : model_(model), graph_(model->mutable_graph()), options_(options) {}

  Diagnostics Run() {
    for (const onnx::NodeProto& node : graph_->node()) computed_.insert(node.output().begin(), node.output().end());
    computed_.erase("");
    Remove();
    if (found_.ok()) Add();
    if (found_.ok() && graph_->output().empty() && !options_.removed_outputs.empty()) {
      found_.Add(MakeDiagnostic(DiagnosticKind::kFieldValue, Severity::kError, kNowhere,
                                "the last output cannot be removed, because a model needs one"));
    }
    return std::move(found_);
  }

 private:
  /// Removes outputs. The type of a value that a node computes becomes value_info.
  void Remove() {
    if (options_.removed_outputs.empty()) return;
    std::vector<std::string_view> names;
    for (const ValueInfoProto& output : graph_->output()) names.push_back(output.name());
    const NameSet known(names.begin(), names.end());
    std::vector<std::string_view> missing;
    NameSet removed;
    for (const std::string_view name : options_.removed_outputs) {
      if (!known.contains(name)) missing.push_back(name);
      removed.insert(name);
    }
    found_.Append(MissingNames("output", missing, std::move(names)));
    if (!found_.ok()) return;
    NameMap<int> declared;  // the index in value_info
    for (int i = 0; i < graph_->value_info_size(); ++i) declared.try_emplace(graph_->value_info(i).name(), i);
    std::vector<bool> is_kept;
    for (ValueInfoProto& output : *graph_->mutable_output()) {
      is_kept.push_back(!removed.contains(output.name()));
      if (is_kept.back() || !computed_.contains(output.name())) continue;
      const auto [declaration, is_new] = declared.try_emplace(output.name(), graph_->value_info_size());
      if (is_new) {
        *graph_->add_value_info() = output;
      } else {
        Complete(graph_->mutable_value_info(declaration->second), output);
      }
    }
    Keep(graph_->mutable_output(), [&](const auto&, int i) { return is_kept[static_cast<std::size_t>(i)]; });
  }

  /// Adds to the declaration what only the output says.
  static void Complete(ValueInfoProto* declaration, const ValueInfoProto& output) {
    if (!declaration->has_type() && output.has_type()) *declaration->mutable_type() = output.type();
    if (!declaration->has_doc_string() && output.has_doc_string()) declaration->set_doc_string(output.doc_string());
    NameSet keys;
    for (const auto& entry : declaration->metadata_props()) keys.insert(entry.key());
    for (const auto& entry : output.metadata_props()) {
      if (!keys.contains(entry.key())) *declaration->add_metadata_props() = entry;
    }
  }

  /// Returns the values that become outputs.
  std::vector<std::string_view> FindAdded() {
    std::vector<std::string_view> values(computed_.begin(), computed_.end());
    for (const ValueInfoProto& input : graph_->input()) values.push_back(input.name());
    for (const auto& tensor : graph_->initializer()) values.push_back(tensor.name());
    for (const auto& tensor : graph_->sparse_initializer()) values.push_back(tensor.values().name());
    const NameSet known(values.begin(), values.end());
    NameSet seen;
    for (const ValueInfoProto& output : graph_->output()) seen.insert(output.name());
    std::vector<std::string_view> added;
    std::vector<std::string_view> missing;
    for (const std::string_view name : options_.added_outputs) {
      if (!known.contains(name) || name.empty()) {
        missing.push_back(name);
      } else if (seen.insert(name).second) {
        added.push_back(name);
      }
    }
    named_.insert(added.begin(), added.end());
    found_.Append(MissingValues(*model_, missing, std::move(values), options_.source_map));
    if (!options_.all_outputs) return added;
    seen.insert(options_.removed_outputs.begin(), options_.removed_outputs.end());
    for (const onnx::NodeProto& node : graph_->node()) {
      for (const std::string& output : node.output()) {
        if (!output.empty() && seen.insert(output).second) added.push_back(output);
      }
    }
    return added;
  }

  void Add() {
    const std::vector<std::string_view> added = FindAdded();
    if (!found_.ok() || added.empty()) return;
    const Inference inference = InferTypes(*model_);
    NameMap<const ValueType*> types;
    for (const InferredValue& value : inference.ValuesOf(*graph_)) types.insert_or_assign(value.name, &value.type);
    NameMap<ValueInfoProto*> declared;
    for (Values* const values : {graph_->mutable_input(), graph_->mutable_value_info()}) {
      for (ValueInfoProto& value : *values) declared.try_emplace(value.name(), &value);
    }
    infer::Budget budget(*model_, infer::kWrittenTypes);
    NameSet moved;
    Values outputs;
    for (const std::string_view name : added) {
      const auto declaration = declared.find(name);
      ValueInfoProto output;
      if (declaration != declared.end()) output = *declaration->second;
      output.set_name(std::string(name));
      const auto type = types.find(name);
      const bool is_known = type != types.end() && type->second->kind != ValueType::Kind::kUnknown;
      if (is_known && budget.Charge(infer::SizeOfProto(*type->second))) {
        infer::FillIn(output.mutable_type(), ToProto(*type->second));
      }
      if (const std::string_view missing = check::MissingPart(output.type()); !missing.empty()) {
        TellUntyped(name, output.has_type() ? missing : "");
        continue;
      }
      if (computed_.contains(name)) moved.insert(name);
      outputs.Add(std::move(output));
    }
    if (!found_.ok()) return;
    Keep(graph_->mutable_value_info(), [&](const ValueInfoProto& value, int) { return !moved.contains(value.name()); });
    for (ValueInfoProto& output : outputs) graph_->mutable_output()->Add(std::move(output));
  }

  /// An output that is asked for by its name is an error if its type is unknown.
  void TellUntyped(std::string_view name, std::string_view missing) {
    const std::string what = missing.empty() ? fmt::format("the type of '{}' is not known", Quoted(name))
                                             : fmt::format("the type of '{}' lacks {}", Quoted(name), missing);
    if (named_.contains(name)) {
      found_.Add(MakeDiagnostic(
          DiagnosticKind::kTypeIncomplete, Severity::kError, kNowhere,
          fmt::format("{}, so it cannot be an output; declare the complete type in the value_info of the graph",
                      what)));
    } else {
      found_.Add(MakeDiagnostic(DiagnosticKind::kOldUntyped, Severity::kWarning, kNowhere,
                                fmt::format("{}, so it did not become an output", what)));
    }
  }

  ModelProto* model_;
  GraphProto* graph_;
  const SetOptions& options_;
  Diagnostics found_;
  NameSet computed_;  // the values that nodes of the main graph compute
  NameSet named_;     // the values that the options name
};

}  // namespace

Diagnostics SetOutputs(ModelProto* model, const SetOptions& options) { return OutputSetting(model, options).Run(); }

}  // namespace onnxc::edit
