#include <fmt/format.h>
#include <onnxc/checker.h>
#include <onnxc/infer.h>
#include <onnxc/parser.h>
#include <onnxc/set.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "convert/convert.h"
#include "edit/graph.h"
#include "edit/ir_version.h"
#include "edit/keep.h"
#include "edit/known_names.h"
#include "edit/names.h"
#include "edit/new_errors.h"
#include "edit/outputs.h"
#include "infer/annotate.h"
#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/report.h"
#include "source/source_maps.h"
#include "tables/signatures.h"

namespace onnxc {
namespace {

using onnx::GraphProto;
using onnx::ModelProto;
using onnx::TypeProto;
using onnx::ValueInfoProto;
using Values = google::protobuf::RepeatedPtrField<ValueInfoProto>;
using Dimensions = google::protobuf::RepeatedPtrField<onnx::TensorShapeProto::Dimension>;

/// Calls `visit` with the graph and each of its subgraphs.
template <typename Visit>
void ForEachGraph(GraphProto* graph, const Visit& visit) {
  visit(graph);
  for (onnx::NodeProto& node : *graph->mutable_node()) {
    for (onnx::AttributeProto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) ForEachGraph(attribute.mutable_g(), visit);
      for (GraphProto& inner : *attribute.mutable_graphs()) ForEachGraph(&inner, visit);
    }
  }
}

/// Like ForEachGraph() above, for the main graph and the graphs of training steps.
template <typename Visit>
void ForEachGraph(ModelProto* model, const Visit& visit) {
  ForEachGraph(model->mutable_graph(), visit);
  for (onnx::TrainingInfoProto& training : *model->mutable_training_info()) {
    if (training.has_initialization()) ForEachGraph(training.mutable_initialization(), visit);
    if (training.has_algorithm()) ForEachGraph(training.mutable_algorithm(), visit);
  }
}

/// A declared type before its sizes were removed, and the message that contains it.
struct Declaration {
  const GraphProto* graph;
  ValueInfoProto* value;
  bool is_output;
  TypeProto type;
};

class Setting {
 public:
  Setting(ModelProto* model, const SetOptions& options)
      : model_(model), options_(options), number_only_(options.number_only || options.allow_other_meaning) {}

  Diagnostics Run() {
    found_ = edit::CheckGraph(*model_);
    if (!found_.ok()) return std::move(found_);
    const bool converts = !options_.opsets.empty() && !number_only_;
    std::optional<edit::ErrorsBefore> before;
    if (converts) before.emplace(*model_, options_.source_map);
    SetDimensions();
    SetInputs();
    SetOpsets();
    if (found_.ok() && !options_.opsets.empty() && number_only_ && !options_.allow_other_meaning) CheckNodes();
    if (!found_.ok()) return std::move(found_);
    if (!options_.inputs.empty() || !options_.dimensions.empty() || sizes_may_change_) DeclareAgain();
    if (before && found_.ok()) found_.Append(before->NewIn(*model_, "the converted model would be wrong"));
    if (found_.ok()) found_.Append(edit::SetOutputs(model_, options_));
    if (found_.ok() && options_.ir_version != 0) {
      found_.Append(edit::SetIrVersion(model_, options_.ir_version, options_.source_map));
    }
    return std::move(found_);
  }

 private:
  void DeclareAgain() {
    TakeDeclarations();
    const Inference inference = InferTypes(*model_, {.source_map = options_.source_map});
    found_.Append(inference.diagnostics);
    if (found_.ok()) Declare(inference);
  }

  // ---- the requested changes

  void SetDimensions() {
    if (options_.dimensions.empty()) return;
    const edit::Names names(*model_);
    const auto is_of_graph = [](const edit::Entity& entity) {  // not of a function, which has its own dimensions
      return entity.kind == edit::EntityKind::kDimension && entity.owner == 0;
    };
    std::map<edit::NameId, const onnx::TensorShapeProto::Dimension*> sizes;
    std::vector<std::string_view> missing;
    for (const NewDimension& dimension : options_.dimensions) {
      const edit::NameId id = names.Find(edit::EntityKind::kDimension, 0, dimension.symbol);
      if (id == edit::kNoName) {
        missing.push_back(dimension.symbol);
      } else {
        sizes.try_emplace(id, &dimension.size);
      }
    }
    std::vector<std::string_view> others;
    for (const edit::Entity& entity : names.entities()) {
      if (is_of_graph(entity)) others.push_back(entity.name);
    }
    found_.Append(edit::MissingNames("dimension", missing, std::move(others)));
    if (!found_.ok()) return;
    for (const edit::NameSite& site : names.sites()) {
      if (const auto size = sizes.find(site.entity); size != sizes.end()) SetSize(*size->second, site);
    }
  }

  /// Sets a dimension of a type or, in a sharding specification, of a tensor.
  static void SetSize(const onnx::TensorShapeProto::Dimension& size, const edit::NameSite& site) {
    auto* const message = const_cast<google::protobuf::Message*>(site.message);
    const auto* const reflection = message->GetReflection();
    const std::string symbol = size.dim_param();
    reflection->ClearField(message, site.field);
    if (size.has_dim_param()) reflection->SetString(message, site.field, symbol);
    if (size.has_dim_value()) {
      reflection->SetInt64(message, message->GetDescriptor()->FindFieldByName("dim_value"), size.dim_value());
    }
    if (auto* const dimension = dynamic_cast<onnx::TensorShapeProto::Dimension*>(message);
        dimension != nullptr && dimension->denotation().empty() && size.has_denotation()) {
      dimension->set_denotation(size.denotation());
    }
  }

  void SetInputs() {
    NameMap<ValueInfoProto*> inputs;
    if (options_.inputs.empty()) return;
    for (ValueInfoProto& input : *model_->mutable_graph()->mutable_input()) inputs.try_emplace(input.name(), &input);
    std::vector<std::string_view> missing;
    for (const NewInput& input : options_.inputs) {
      const auto found = inputs.find(input.name);
      if (found != inputs.end()) {
        *found->second->mutable_type() = input.type;
      } else {
        missing.push_back(input.name);
      }
    }
    std::vector<std::string_view> names;
    for (const auto& known : model_->graph().input()) names.push_back(known.name());
    found_.Append(edit::MissingNames("input", missing, std::move(names)));
  }

  void SetOpsets() {
    NameMap<onnx::OperatorSetIdProto*> imports;
    std::vector<std::string_view> names;
    std::vector<std::string_view> missing;
    for (onnx::OperatorSetIdProto& import : *model_->mutable_opset_import()) {
      names.push_back(import.domain());
      imports.insert_or_assign(NodeDomain(import.domain()), &import);
    }
    for (const NewOpset& opset : options_.opsets) {
      const std::string_view domain = NodeDomain(opset.domain);
      const auto found = imports.find(domain);
      if (found == imports.end()) {
        missing.push_back(opset.domain);
        continue;
      }
      onnx::OperatorSetIdProto& import = *found->second;
      const int known = FindDomain(domain);
      const auto is_known = [&](std::int64_t version) { return version >= 1 && version <= NewestVersion(known); };
      if (known >= 0 && !number_only_) {
        if (is_known(opset.version) && is_known(import.version())) {
          convert::Conversion conversion = convert::Convert(model_, domain, opset.version, options_.source_map);
          found_.Append(std::move(conversion.found));
          sizes_may_change_ |= conversion.sizes_may_change;
        } else {
          const bool is_target = !is_known(opset.version);
          found_.Add(
              MakeDiagnostic(DiagnosticKind::kOpsetConflict, Severity::kError, kNowhere,
                             fmt::format("version {} of '{}' is not known, so nothing can be converted {} it; the "
                                         "newest known version is {}",
                                         is_target ? opset.version : import.version(), Quoted(import.domain()),
                                         is_target ? "to" : "from", NewestVersion(known))));
        }
        continue;
      }
      if (!options_.allow_other_meaning && known >= 0 && is_known(import.version())) {
        found_.Append(convert::FindOtherMeanings(model_, domain, opset.version, options_.source_map));
      }
      import.set_version(opset.version);
      WarnIfUnknown(import);
    }
    found_.Append(edit::MissingNames("domain", missing, std::move(names)));
  }

  void WarnIfUnknown(const onnx::OperatorSetIdProto& import) {
    const int domain = FindDomain(NodeDomain(import.domain()));
    if (domain < 0 || import.version() <= NewestVersion(domain)) return;
    const SourceRange* const range = options_.source_map == nullptr ? nullptr : options_.source_map->Find(import);
    found_.Add(MakeDiagnostic(diag::kOpsetVersionUnknown, range == nullptr ? kNowhere : *range, import.version(),
                              Quoted(import.domain()), NewestVersion(domain)));
  }

  /// Reports operators that do not exist in the new version, or have other inputs or attributes in it.
  void CheckNodes() {
    const Diagnostics errors = CheckModel(*model_, {.source_map = options_.source_map,
                                                    .max_diagnostics = std::numeric_limits<std::size_t>::max(),
                                                    .external_files = false,
                                                    .infer = false})
                                   .ErrorsOnly();
    for (const Diagnostic& error : errors.items()) {
      if (error.kind != DiagnosticKind::kExternalElided) found_.Add(error);
    }
  }

  // ---- changes in the rest of the model

  /// Removes the sizes in declared types, because they may be wrong now. Element types are kept.
  void TakeDeclarations() {
    ForEachGraph(model_, [&](GraphProto* graph) {
      for (Values* values : {graph->mutable_output(), graph->mutable_value_info()}) {
        for (ValueInfoProto& value : *values) {
          if (!value.has_type()) continue;
          declared_.push_back({graph, &value, values == graph->mutable_output(), value.type()});
          Forget(value.mutable_type());
        }
      }
    });
  }

  static void Forget(TypeProto* type) {
    if (type->has_tensor_type()) type->mutable_tensor_type()->clear_shape();
    if (type->has_sparse_tensor_type()) type->mutable_sparse_tensor_type()->clear_shape();
    if (type->has_sequence_type()) Forget(type->mutable_sequence_type()->mutable_elem_type());
    if (type->has_optional_type()) Forget(type->mutable_optional_type()->mutable_elem_type());
    if (type->has_map_type()) Forget(type->mutable_map_type()->mutable_value_type());
  }

  void Declare(const Inference& inference) {
    const GraphProto* graph = nullptr;
    NameMap<const InferredValue*> types;
    for (Declaration& declaration : declared_) {
      if (std::exchange(graph, declaration.graph) != declaration.graph) {
        types.clear();
        for (const InferredValue& value : inference.ValuesOf(*graph)) types.insert_or_assign(value.name, &value);
      }
      const auto found = types.find(declaration.value->name());
      const bool is_known = found != types.end() && found->second->type.kind != ValueType::Kind::kUnknown;
      const bool is_whole = is_known && (!found->second->type.IsTensor() || found->second->type.has_rank);
      if (is_whole) {
        *declaration.value->mutable_type() = std::move(declaration.type);
        infer::Replace(declaration.value->mutable_type(), ToProto(found->second->type), /*keep_symbols=*/true);
      } else if (declaration.is_output || options_.inputs.empty()) {
        *declaration.value->mutable_type() = std::move(declaration.type);
        if (declaration.is_output && declaration.graph == &model_->graph()) {
          found_.Add(MakeDiagnostic(DiagnosticKind::kOldUntyped, Severity::kWarning, kNowhere,
                                    fmt::format("the type of the output '{}' cannot be inferred; it stays as declared",
                                                Quoted(declaration.value->name()))));
        }
      } else {
        unknown_.insert(declaration.value);
      }
    }
    RemoveUnknown();
  }

  void RemoveUnknown() {
    if (unknown_.empty()) return;
    ForEachGraph(model_, [&](GraphProto* graph) {
      edit::Keep(graph->mutable_value_info(),
                 [&](const ValueInfoProto& value, int) { return !unknown_.contains(&value); });
    });
  }

  ModelProto* model_;
  const SetOptions& options_;
  bool number_only_;
  Diagnostics found_;
  std::vector<Declaration> declared_;
  std::set<const ValueInfoProto*> unknown_;
  bool sizes_may_change_ = false;
};

}  // namespace

std::optional<onnx::TensorShapeProto::Dimension> ReadDimension(std::string_view text) {
  TypeProto type;
  if (!Parse(fmt::format("float[{}\n]", text), &type).ok()) return std::nullopt;  // a comment ends at the line break
  const Dimensions& dimensions = type.tensor_type().shape().dim();
  if (dimensions.size() != 1 || dimensions[0].dim_value() < 0) return std::nullopt;
  if (dimensions[0].has_dim_param() && dimensions[0].dim_param().empty()) return std::nullopt;
  return dimensions[0];
}

Diagnostics SetInModel(ModelProto* model, const SetOptions& options) {
  if (IsOfOther(options.source_map, *model)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  return Setting(model, options).Run();
}

}  // namespace onnxc
