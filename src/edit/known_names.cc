#include "edit/known_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "source/message_path.h"
#include "source/names.h"
#include "source/nodes.h"
#include "source/report.h"

namespace onnxc::edit {
namespace {

using onnx::AttributeProto;
using onnx::FunctionProto;
using onnx::GraphProto;
using onnx::ModelProto;
using onnx::NodeProto;

/// Returns the end of a message that lists the existing names if there are few: "; there are 'N', 'M'".
std::string ListOfFew(std::vector<std::string_view> names) {
  std::erase(names, "");
  constexpr std::size_t kFew = 3;
  if (names.empty() || names.size() > kFew) return "";
  std::vector<std::string> quoted;
  std::ranges::transform(names, std::back_inserter(quoted), [](std::string_view each) { return Quoted(each); });
  return fmt::format("; there {} '{}'", quoted.size() == 1 ? "is" : "are", fmt::join(quoted, "', '"));
}

/// A value of a graph or function other than the main graph.
struct InnerValue {
  std::string owner = {};  ///< "the graph 'then_branch' of If"; "" if there is no such value
  SourceRange range = kNowhere;
  std::string path = {};
};

/// Searches for values in all graphs and functions other than the main graph.
class InnerSearch {
 public:
  InnerSearch(const std::vector<std::string_view>& names, const SourceMap* places) : places_(places) {
    for (const std::string_view name : names) found_.try_emplace(name);
  }

  NameMap<InnerValue> Run(const ModelProto& model) {
    using Training = onnx::TrainingInfoProto;
    const Place root{model};
    Nodes(model.graph().node(), root.Child(model.graph(), ModelProto::kGraphFieldNumber), GraphProto::kNodeFieldNumber);
    for (int i = 0; i < model.training_info_size(); ++i) {
      const Training& training = model.training_info(i);
      const Place at = root.Child(training, ModelProto::kTrainingInfoFieldNumber, i);
      const auto search = [&](const GraphProto& graph, int field) {
        Graph(graph, at.Child(graph, field), "a graph of training_info");
      };
      search(training.initialization(), Training::kInitializationFieldNumber);
      search(training.algorithm(), Training::kAlgorithmFieldNumber);
    }
    for (int i = 0; i < model.functions_size(); ++i) {
      const FunctionProto& function = model.functions(i);
      owner_ = fmt::format("the function '{}'", Quoted(function.name()));
      const Place at = root.Child(function, ModelProto::kFunctionsFieldNumber, i);
      for (int j = 0; j < function.input_size(); ++j)
        Find(function.input(j), {at, FunctionProto::kInputFieldNumber, j});
      Nodes(function.node(), at, FunctionProto::kNodeFieldNumber);
    }
    return std::move(found_);
  }

 private:
  void Graph(const GraphProto& graph, const Place& at, std::string owner) {
    const std::string outer = std::exchange(owner_, std::move(owner));
    for (int i = 0; i < graph.input_size(); ++i) {
      Find(graph.input(i).name(), at.Child(graph.input(i), GraphProto::kInputFieldNumber, i));
    }
    for (int i = 0; i < graph.initializer_size(); ++i) {
      Find(graph.initializer(i).name(), at.Child(graph.initializer(i), GraphProto::kInitializerFieldNumber, i));
    }
    Nodes(graph.node(), at, GraphProto::kNodeFieldNumber);
    owner_ = outer;
  }

  void Nodes(const onnxc::Nodes& nodes, const Place& owner, int field) {
    for (int i = 0; i < nodes.size(); ++i) {
      const Place at = owner.Child(nodes[i], field, i);
      for (int j = 0; j < nodes[i].output_size() && !owner_.empty(); ++j) {
        Find(nodes[i].output(j), {at, NodeProto::kOutputFieldNumber, j});
      }
      for (int j = 0; j < nodes[i].attribute_size(); ++j) {
        const AttributeProto& attribute = nodes[i].attribute(j);
        const Place in = at.Child(attribute, NodeProto::kAttributeFieldNumber, j);
        const auto search = [&](const GraphProto& graph, int of, int index) {
          Graph(graph, in.Child(graph, of, index),
                fmt::format("the graph '{}' of {}", Quoted(attribute.name()), Quoted(nodes[i].op_type())));
        };
        if (attribute.has_g()) search(attribute.g(), AttributeProto::kGFieldNumber, 0);
        for (int k = 0; k < attribute.graphs_size(); ++k) {
          search(attribute.graphs(k), AttributeProto::kGraphsFieldNumber, k);
        }
      }
    }
  }

  void Find(std::string_view name, const Spot& spot) {
    const auto found = found_.find(name);
    if (found == found_.end() || !found->second.owner.empty()) return;
    found->second.owner = owner_;
    const SourceRange* const range =
        places_ == nullptr ? nullptr : places_->Find(spot.place.message, spot.field, spot.index);
    if (range != nullptr) {
      found->second.range = *range;
    } else {
      found->second.path = PathOf(spot);
    }
  }

  const SourceMap* places_;
  std::string owner_;  // the graph or function that is searched; "" for the main graph
  NameMap<InnerValue> found_;
};

}  // namespace

Diagnostics MissingNames(std::string_view what, const std::vector<std::string_view>& missing,
                         std::vector<std::string_view> names) {
  Diagnostics found;
  if (missing.empty()) return found;
  KnownNames known(std::move(names));
  for (const std::string_view name : missing) {
    Diagnostic diagnostic = MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere,
                                           fmt::format("the model has no {} '{}'", what, Quoted(name)));
    const std::string suggestion = known.SuggestionFor(name);
    diagnostic.message += suggestion.empty() ? ListOfFew(known.sorted()) : suggestion;
    found.Add(std::move(diagnostic));
  }
  return found;
}

Diagnostics MissingValues(const ModelProto& model, const std::vector<std::string_view>& missing,
                          std::vector<std::string_view> values, const SourceMap* places) {
  Diagnostics found;
  if (missing.empty()) return found;
  KnownNames known(std::move(values));
  NameMap<const NodeProto*> nodes;  // the first node of each name
  for (const NodeProto& node : model.graph().node()) {
    if (!node.name().empty()) nodes.try_emplace(node.name(), &node);
  }
  const NameMap<InnerValue> inner = InnerSearch(missing, places).Run(model);
  for (const std::string_view name : missing) {
    Diagnostic diagnostic = MakeDiagnostic(diag::kUnknownName, kNowhere, Quoted(name));
    const auto node = nodes.find(name);
    if (const InnerValue& value = inner.at(name); !value.owner.empty() && !name.empty()) {
      diagnostic.range = value.range;
      diagnostic.path = value.path;
      diagnostic.message = fmt::format(
          "'{}' is inside {}, which may run several times or not at all; only a value of the main graph can be used",
          Quoted(name), value.owner);
    } else if (node != nodes.end() && node->second->output_size() > 0) {
      diagnostic.message += fmt::format("; the node of this name computes '{}'", Quoted(node->second->output(0)));
    } else {
      diagnostic.message += known.SuggestionFor(name);
    }
    found.Add(std::move(diagnostic));
  }
  return found;
}

}  // namespace onnxc::edit
