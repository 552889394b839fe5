#include "draw/part.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "source/called_function.h"
#include "source/free_names.h"
#include "source/names.h"

namespace onnxc {
namespace {

/// The nodes of a graph or function, and the message that describes their values.
struct Body {
  const Nodes* nodes;
  const onnx::GraphProto* graph;        // null for a function
  const onnx::FunctionProto* function;  // null for a graph
  std::vector<int> found;               // indices of the nodes that a search has found
};

bool IsCalled(const onnx::NodeProto& node, std::string_view name) {
  return node.name() == name || std::ranges::find(node.output(), name) != node.output().end();
}

std::optional<Body> FindIn(const onnx::GraphProto& graph, std::string_view name);

/// Finds the node in the list or in a subgraph of one of its nodes.
std::optional<Body> FindIn(const Body& body, std::string_view name) {
  for (int i = 0; i < body.nodes->size(); ++i) {
    const onnx::NodeProto& node = (*body.nodes)[i];
    if (IsCalled(node, name)) return Body{body.nodes, body.graph, body.function, {i}};
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (auto inside = FindIn(attribute.g(), name)) return inside;
      for (const onnx::GraphProto& graph : attribute.graphs()) {
        if (auto inside = FindIn(graph, name)) return inside;
      }
    }
  }
  return std::nullopt;
}

std::optional<Body> FindIn(const onnx::GraphProto& graph, std::string_view name) {
  return FindIn(Body{&graph.node(), &graph, nullptr, {}}, name);
}

/// Finds the nodes that read an input or an initializer of the main graph.
std::optional<Body> FindReaders(const onnx::GraphProto& graph, std::string_view name) {
  const auto is_it = [&](const auto& value) { return value.name() == name; };
  const auto is_sparse = [&](const onnx::SparseTensorProto& tensor) { return tensor.values().name() == name; };
  if (!std::ranges::any_of(graph.input(), is_it) && !std::ranges::any_of(graph.initializer(), is_it) &&
      !std::ranges::any_of(graph.sparse_initializer(), is_sparse)) {
    return std::nullopt;
  }
  Body body{&graph.node(), &graph, nullptr, {}};
  for (int i = 0; i < graph.node_size(); ++i) {
    bool reads = false;
    ForEachFreeName(graph.node(i), [&](const std::string& value, auto&&...) { reads = reads || value == name; });
    if (reads) body.found.push_back(i);
  }
  return body;
}

std::optional<Body> FindIn(const onnx::ModelProto& model, std::string_view name) {
  if (auto found = FindIn(model.graph(), name)) return found;
  for (const onnx::TrainingInfoProto& training : model.training_info()) {
    if (auto found = FindIn(training.initialization(), name)) return found;
    if (auto found = FindIn(training.algorithm(), name)) return found;
  }
  for (const onnx::FunctionProto& function : model.functions()) {
    if (auto found = FindIn(Body{&function.node(), nullptr, &function, {}}, name)) return found;
  }
  return std::nullopt;
}

/// Returns, for each node, whether it is at most `steps` values away from the found nodes.
std::vector<bool> NodesNear(const Body& body, int steps) {
  NameMap<int> definers;
  NameMap<std::vector<int>> readers;
  for (int i = 0; i < body.nodes->size(); ++i) {
    for (const std::string& output : (*body.nodes)[i].output()) {
      if (!output.empty()) definers.try_emplace(output, i);
    }
    ForEachFreeName((*body.nodes)[i], [&](const std::string& value, auto&&...) { readers[value].push_back(i); });
  }
  std::vector<bool> is_near(static_cast<std::size_t>(body.nodes->size()));
  for (const int node : body.found) is_near[static_cast<std::size_t>(node)] = true;
  std::vector<int> last = body.found;
  for (int step = 0; step < steps && !last.empty(); ++step) {
    std::vector<int> next;
    const auto reach = [&](int node) {
      if (is_near[static_cast<std::size_t>(node)]) return;
      is_near[static_cast<std::size_t>(node)] = true;
      next.push_back(node);
    };
    for (const int node : last) {
      ForEachFreeName((*body.nodes)[node], [&](const std::string& value, auto&&...) {
        if (const auto definer = definers.find(value); definer != definers.end()) reach(definer->second);
      });
      for (const std::string& output : (*body.nodes)[node].output()) {
        const auto reader = readers.find(output);
        if (reader != readers.end()) std::ranges::for_each(std::exchange(reader->second, {}), reach);
      }
    }
    last = std::move(next);
  }
  return is_near;
}

using Values = google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>;

/// Adds inputs or outputs of the part, with their declared types if these are known.
void AddValues(const std::vector<std::string_view>& names, const NameMap<const onnx::ValueInfoProto*>& types,
               Values* values) {
  for (const std::string_view name : names) {
    const auto type = types.find(name);
    if (type != types.end()) {
      *values->Add() = *type->second;
    } else {
      values->Add()->set_name(std::string(name));
    }
  }
}

/// Adds the initializers whose names are in `needed`, and removes these names.
void TakeInitializers(const onnx::GraphProto& graph, std::vector<std::string_view>* needed, onnx::GraphProto* part) {
  NameSet wanted(needed->begin(), needed->end());
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    if (wanted.erase(tensor.name()) > 0) *part->add_initializer() = tensor;
  }
  for (const onnx::SparseTensorProto& tensor : graph.sparse_initializer()) {
    if (wanted.erase(tensor.values().name()) > 0) *part->add_sparse_initializer() = tensor;
  }
  std::erase_if(*needed, [&](std::string_view name) { return !wanted.contains(name); });
}

onnx::GraphProto Part(const Body& body, const std::vector<bool>& is_near) {
  onnx::GraphProto part;
  NameMap<const onnx::ValueInfoProto*> types;
  NameSet outside;  // names that the rest of the graph reads
  if (body.graph != nullptr) {
    part.set_name(body.graph->name());
    *part.mutable_value_info() = body.graph->value_info();
    for (const Values* values : {&body.graph->input(), &body.graph->output(), &body.graph->value_info()}) {
      for (const onnx::ValueInfoProto& value : *values) types.try_emplace(value.name(), &value);
    }
    for (const onnx::ValueInfoProto& output : body.graph->output()) outside.insert(output.name());
  } else {
    part.set_name(body.function->name());
    for (const onnx::ValueInfoProto& value : body.function->value_info()) types.try_emplace(value.name(), &value);
    outside.insert(body.function->output().begin(), body.function->output().end());
  }
  NameSet defined;
  for (int i = 0; i < body.nodes->size(); ++i) {
    const onnx::NodeProto& node = (*body.nodes)[i];
    if (is_near[static_cast<std::size_t>(i)]) {
      *part.add_node() = node;
      defined.insert(node.output().begin(), node.output().end());
    } else {
      ForEachFreeName(node, [&](const std::string& value, auto&&...) { outside.insert(value); });
    }
  }
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  NameSet seen;
  for (int i = 0; i < body.nodes->size(); ++i) {
    if (!is_near[static_cast<std::size_t>(i)]) continue;
    const onnx::NodeProto& node = (*body.nodes)[i];
    ForEachFreeName(node, [&](const std::string& value, auto&&...) {
      if (!defined.contains(value) && seen.insert(value).second) inputs.push_back(value);
    });
    for (const std::string& output : node.output()) {
      if (outside.contains(output) && !output.empty()) outputs.push_back(output);
    }
  }
  if (body.graph != nullptr) TakeInitializers(*body.graph, &inputs, &part);
  AddValues(inputs, types, part.mutable_input());
  AddValues(outputs, types, part.mutable_output());
  return part;
}

std::vector<bool> Between(int first, int last, int size) {
  std::vector<bool> is_inside(static_cast<std::size_t>(size));
  for (int i = first; i < std::min(last, size); ++i) is_inside[static_cast<std::size_t>(i)] = true;
  return is_inside;
}

}  // namespace

std::optional<onnx::GraphProto> PartAround(const onnx::ModelProto& model, std::string_view node, int steps) {
  std::optional<Body> body = FindIn(model, node);
  if (!body) body = FindReaders(model.graph(), node);
  if (!body) return std::nullopt;
  return Part(*body, NodesNear(*body, steps));
}

onnx::GraphProto PartOf(const onnx::GraphProto& graph, int first, int last) {
  return Part({&graph.node(), &graph, nullptr, {}}, Between(first, last, graph.node_size()));
}

onnx::GraphProto PartOf(const onnx::FunctionProto& function, int first, int last) {
  return Part({&function.node(), nullptr, &function, {}}, Between(first, last, function.node_size()));
}

std::vector<int> DivideIntoParts(const Nodes& nodes, std::size_t most) {
  std::vector<int> parts = {0};
  std::size_t count = 0;
  for (int i = 0; i < nodes.size(); ++i) {
    std::size_t more = 0;
    ForEachNode(nodes[i], [&](const onnx::NodeProto&) { ++more; });
    if (count > 0 && count + more > most) {
      parts.push_back(i);
      count = 0;
    }
    count += more;
  }
  return parts;
}

std::vector<const onnx::FunctionProto*> FunctionsCalled(const onnx::ModelProto& model, std::string_view name) {
  std::vector<const onnx::FunctionProto*> functions;
  for (const onnx::FunctionProto& function : model.functions()) {
    if (IsNamed(function, name)) functions.push_back(&function);
  }
  return functions;
}

}  // namespace onnxc
