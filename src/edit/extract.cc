#include <fmt/format.h>
#include <onnxc/extract.h>
#include <onnxc/infer.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "check/functions.h"
#include "check/missing_part.h"
#include "edit/graph.h"
#include "edit/keep.h"
#include "edit/known_names.h"
#include "infer/annotate.h"
#include "source/free_names.h"
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
using onnx::NodeProto;
using onnx::ValueInfoProto;
using Values = google::protobuf::RepeatedPtrField<ValueInfoProto>;

const std::string& TensorName(const onnx::TensorProto& tensor) { return tensor.name(); }
const std::string& TensorName(const onnx::SparseTensorProto& tensor) { return tensor.values().name(); }

class Extraction {
 public:
  Extraction(ModelProto* model, const ExtractOptions& options)
      : model_(model), graph_(model->graph()), options_(options) {}

  Diagnostics Run() {
    found_ = edit::CheckGraph(*model_);
    if (!found_.ok()) return std::move(found_);
    FindValues();
    FindEnds();
    if (found_.ok()) Walk();
    if (!found_.ok()) return std::move(found_);
    TakeTypes();
    TakeFunctions();
    Reduce();
    return std::move(found_);
  }

 private:
  enum class Giver : std::uint8_t { kNode, kInitializer, kInput };
  struct Value {
    Giver giver = Giver::kInput;
    int node = 0;  ///< index of the node that computes it
    bool is_needed = false;
    bool is_start = false;  ///< the part begins at this value
  };
  /// The node or output that needs a value. An error about a missing value is reported there.
  struct Reader {
    int node = -1;  ///< index in the main graph; -1 if the caller requested the value
    const google::protobuf::Message* message = nullptr;
    int field = 0;
    int index = 0;
  };

  void FindValues() {
    for (const ValueInfoProto& input : graph_.input()) {
      values_.try_emplace(input.name(), Value{.giver = Giver::kInput});
    }
    const auto add_initializer = [&](const std::string& name) { values_[name].giver = Giver::kInitializer; };
    for (const auto& tensor : graph_.initializer()) add_initializer(TensorName(tensor));
    for (const auto& tensor : graph_.sparse_initializer()) add_initializer(TensorName(tensor));
    for (int i = 0; i < graph_.node_size(); ++i) {
      for (const std::string& output : graph_.node(i).output()) {
        if (!output.empty()) values_.try_emplace(output, Value{.giver = Giver::kNode, .node = i});
      }
    }
    for (const onnx::TensorAnnotation& annotation : graph_.quantization_annotation()) {
      annotations_.try_emplace(annotation.tensor_name(), &annotation);
    }
  }

  void FindEnds() {
    for (const std::string& name : options_.from) {
      if (Value* const value = FindEnd(name); value != nullptr && !std::exchange(value->is_start, true)) {
        inputs_.push_back(name);
      }
    }
    NameSet seen;
    for (const std::string& name : options_.to) {
      if (FindEnd(name) != nullptr && seen.insert(name).second) outputs_.push_back(name);
    }
    if (!missing_.empty()) return ReportMissing();
    if (!options_.to.empty()) return;
    for (const ValueInfoProto& output : graph_.output()) outputs_.push_back(output.name());
  }

  Value* FindEnd(std::string_view name) {
    const auto found = values_.find(name);
    if (found != values_.end()) return &found->second;
    missing_.push_back(name);
    return nullptr;
  }

  void ReportMissing() {
    std::vector<std::string_view> names;
    for (const auto& [name, value] : values_) names.push_back(name);
    found_.Append(edit::MissingValues(*model_, missing_, std::move(names), options_.source_map));
  }

  void Walk() {
    is_needed_.resize(static_cast<std::size_t>(graph_.node_size()));
    for (const std::string_view output : outputs_) Need(output, {});
    while (!waiting_.empty()) {
      const int position = waiting_.back();
      waiting_.pop_back();
      const NodeProto& node = graph_.node(position);
      ForEachFreeName(node, [&](std::string_view name, const google::protobuf::Message& reader, int field, int index) {
        if (!IsAnnotation(reader) || values_.contains(name)) Need(name, {position, &reader, field, index});
      });
    }
    if (!found_.ok()) return;
    for (const std::string_view input : inputs_) {
      if (!values_.find(input)->second.is_needed)
        found_.Add(MakeDiagnostic(diag::kUnusedInput, kNowhere, Quoted(input)));
    }
    // An initializer that is also an input stays an input.
    for (const ValueInfoProto& input : graph_.input()) {
      const Value& value = values_.find(input.name())->second;
      if (!value.is_needed || value.is_start) continue;
      if (options_.from.empty() || value.giver == Giver::kInitializer) inputs_.push_back(input.name());
    }
  }

  /// Marks a value as needed, and with it the tensors of its quantization annotation, which may have annotations, too.
  void Need(std::string_view name, const Reader& reader) {
    needed_.push_back(name);
    while (!needed_.empty()) {
      const std::string_view next = needed_.back();
      needed_.pop_back();
      NeedOne(next, reader);
    }
  }

  void NeedOne(std::string_view name, const Reader& reader) {
    const auto found = values_.find(name);
    if (found == values_.end()) return Report(reader, fmt::format("no value named '{}' is visible here", Quoted(name)));
    Value& value = found->second;
    if (std::exchange(value.is_needed, true)) return;
    const auto annotation = annotations_.find(name);
    if (annotation != annotations_.end()) {
      const auto& parameters = annotation->second->quant_parameter_tensor_names();
      for (int i = parameters.size(); i > 0; --i) {
        const std::string& parameter = parameters[i - 1].value();
        if (values_.contains(parameter)) needed_.emplace_back(parameter);
      }
    }
    if (value.is_start || value.giver == Giver::kInitializer) return;
    if (value.giver == Giver::kInput) {
      if (!options_.from.empty())
        Report(reader,
               fmt::format("the part also needs the graph's input '{}'; add it to the values at which the part begins",
                           Quoted(name)));
      return;
    }
    const auto node = static_cast<std::size_t>(value.node);
    if (is_needed_[node]) return;
    is_needed_[node] = true;
    waiting_.push_back(value.node);
    for (const std::string& output : graph_.node(value.node).output()) {
      const auto other = values_.find(output);
      if (other == values_.end() || !other->second.is_start) continue;
      Report(reader, fmt::format("the part needs '{}', but begins at '{}', which is another output of the same node",
                                 Quoted(name), Quoted(output)));
    }
  }

  /// Reports that the part would read a value that nothing in it provides.
  void Report(const Reader& reader, std::string message) {
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere, std::move(message));
    if (reader.node >= 0) Locate(reader, &diagnostic);
    found_.Add(std::move(diagnostic));
  }

  void Locate(const Reader& reader, Diagnostic* diagnostic) const {
    const SourceRange* const range = options_.source_map == nullptr
                                         ? nullptr
                                         : options_.source_map->Find(*reader.message, reader.field, reader.index);
    if (range != nullptr) {
      diagnostic->range = *range;
      return;
    }
    const Place root{*model_};
    const Place graph = root.Child(graph_, ModelProto::kGraphFieldNumber);
    const NodeProto& node = graph_.node(reader.node);
    const Place place = graph.Child(node, GraphProto::kNodeFieldNumber, reader.node);
    diagnostic->path = PathOf(reader.message == &node ? Spot(place, reader.field, reader.index) : Spot(place));
  }

  // ---- the contents of the part

  /// Sets the declared or inferred types of inputs and outputs.
  void TakeTypes() {
    std::map<const Values*, NameMap<const ValueInfoProto*>> declared;
    for (const Values* values : {&graph_.input(), &graph_.output(), &graph_.value_info()}) {
      for (const ValueInfoProto& value : *values) declared[values].try_emplace(value.name(), &value);
    }
    const Inference inference = InferTypes(*model_);
    NameMap<const ValueType*> types;
    for (const InferredValue& value : inference.ValuesOf(graph_)) types.insert_or_assign(value.name, &value.type);
    // A value has the declaration that it had as such a value before; otherwise that of the first list that has one.
    const auto take = [&](const std::vector<std::string_view>& names, std::initializer_list<const Values*> lists,
                          Values* values) {
      for (const std::string_view name : names) {
        ValueInfoProto& value = *values->Add();
        for (const Values* const list : lists) {
          const auto known = declared[list].find(name);
          if (known == declared[list].end()) continue;
          value = *known->second;
          moved_.insert(known->second);
          break;
        }
        value.set_name(std::string(name));
        const auto type = types.find(name);
        const bool is_known = type != types.end() && type->second->kind != ValueType::Kind::kUnknown;
        if (is_known && !check::MissingPart(value.type()).empty())
          infer::FillIn(value.mutable_type(), ToProto(*type->second));
        if (!check::MissingPart(value.type()).empty())
          found_.Add(
              MakeDiagnostic(diag::kOldUntyped, kNowhere, "value", Quoted(name), "its type is not completely known"));
      }
    };
    take(inputs_, {&graph_.input(), &graph_.value_info(), &graph_.output()}, &new_inputs_);
    take(outputs_, {&graph_.output(), &graph_.value_info(), &graph_.input()}, &new_outputs_);
  }

  void TakeFunctions() {
    check::FunctionTable functions;
    for (const onnx::FunctionProto& function : model_->functions()) functions.Add(function);
    is_called_.resize(static_cast<std::size_t>(model_->functions_size()));
    std::vector<int> waiting;
    const auto use = [&](const NodeProto& node) {
      domains_.insert(NodeDomain(node.domain()));
      const int called = functions.Find(node);
      if (called < 0 || is_called_[static_cast<std::size_t>(called)]) return;
      is_called_[static_cast<std::size_t>(called)] = true;
      waiting.push_back(called);
    };
    for (int i = 0; i < graph_.node_size(); ++i) {
      if (is_needed_[static_cast<std::size_t>(i)]) ForEachNode(graph_.node(i), use);
    }
    while (!waiting.empty()) {
      const onnx::FunctionProto& function = model_->functions(waiting.back());
      waiting.pop_back();
      for (const auto& import : function.opset_import()) domains_.insert(NodeDomain(import.domain()));
      ForEachNode(function, use);
    }
  }

  void Reduce() {
    GraphProto* const graph = model_->mutable_graph();
    NameSet ends;
    for (const Values* list : {&new_inputs_, &new_outputs_}) {
      for (const ValueInfoProto& value : *list) ends.insert(value.name());
    }
    const auto is_value = [&](std::string_view name) { return IsInside(name) || ends.contains(name); };
    edit::Keep(graph->mutable_value_info(),
               [&](const ValueInfoProto& value, int) { return is_value(value.name()) && !moved_.contains(&value); });
    edit::Keep(graph->mutable_quantization_annotation(),
               [&](const onnx::TensorAnnotation& annotation, int) { return is_value(annotation.tensor_name()); });
    const auto is_inside = [&](const auto& tensor, int) { return IsInside(TensorName(tensor)); };
    edit::Keep(graph->mutable_initializer(), is_inside);
    edit::Keep(graph->mutable_sparse_initializer(), is_inside);
    *graph->mutable_input() = new_inputs_;
    *graph->mutable_output() = new_outputs_;
    edit::Keep(model_->mutable_opset_import(), [&](const onnx::OperatorSetIdProto& import, int) {
      const std::string_view domain = NodeDomain(import.domain());
      return domain.empty() || domains_.contains(domain);
    });
    edit::Keep(graph->mutable_node(), [&](const auto&, int i) { return is_needed_[static_cast<std::size_t>(i)]; });
    edit::Keep(model_->mutable_functions(),
               [&](const auto&, int i) { return is_called_[static_cast<std::size_t>(i)]; });
    if (model_->training_info().empty()) return;
    found_.Add(MakeDiagnostic(diag::kOldDropped, kNowhere, "training_info", "it applies only to the complete graph"));
    model_->clear_training_info();
  }

  /// Returns whether some element of the part provides the value.
  [[nodiscard]] bool IsInside(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end() || found->second.is_start) return false;
    if (found->second.giver != Giver::kNode) return found->second.is_needed;
    return is_needed_[static_cast<std::size_t>(found->second.node)];
  }

  ModelProto* model_;
  const GraphProto& graph_;
  const ExtractOptions& options_;
  Diagnostics found_;
  OwnedNameMap<Value> values_;  // values of the main graph
  NameMap<const onnx::TensorAnnotation*> annotations_;
  std::vector<std::string_view> missing_;  // names that are not values of the main graph
  std::vector<std::string_view> inputs_;
  std::vector<std::string_view> outputs_;
  std::vector<bool> is_needed_;           // indexed by node
  std::vector<int> waiting_;              // nodes whose inputs were not visited yet
  std::vector<std::string_view> needed_;  // values that were not visited yet
  std::vector<bool> is_called_;           // indexed by function
  NameSet domains_;
  Values new_inputs_;
  Values new_outputs_;
  std::set<const ValueInfoProto*> moved_;  // the declarations that became those of inputs and outputs
};

}  // namespace

Diagnostics ExtractPart(ModelProto* model, const ExtractOptions& options) {
  if (IsOfOther(options.source_map, *model)) {
    return Only(MakeDiagnostic(diag::kOtherMessage, kNowhere, "the source map"));
  }
  return Extraction(model, options).Run();
}

}  // namespace onnxc
