#include "testing/computed.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "testing/proto.h"

namespace onnxc::testing {
namespace {

using Strings = std::map<std::string, std::string>;

class Computation {
 public:
  explicit Computation(const onnx::ModelProto& model) {
    for (const auto& function : model.functions()) functions_.try_emplace(Key(function, function.name()), &function);
    Around around;
    text_ = OfGraph(model.graph(), around, true);
    for (const auto& training : model.training_info()) text_ += OfGraph(training.algorithm(), around, false);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  struct Around {
    Strings values = {};
    Strings attributes = {};
    int graphs = 0;
  };

  template <typename Message>
  static std::string Key(const Message& message, const std::string& name) {
    return (message.domain() == "ai.onnx" ? "" : message.domain()) + "|" + name + "|" + message.overload();
  }

  static std::string Short(const std::string& text) {
    return text.size() < 60 ? text : std::to_string(std::hash<std::string>()(text)) + "/" + std::to_string(text.size());
  }

  static std::string At(const Strings& values, const std::string& name) {
    if (name.empty()) return "-";
    const auto found = values.find(name);
    return found == values.end() ? "unknown " + name : found->second;
  }

  /// The graph of the model defines its values for the graphs of training steps.
  std::string OfGraph(const onnx::GraphProto& graph, Around& around, bool defines) {
    Around own = around;
    Around& inner = defines ? around : own;
    ++inner.graphs;
    for (int i = 0; i < graph.input_size(); ++i) {
      inner.values[graph.input(i).name()] = "in" + std::to_string(inner.graphs) + "." + std::to_string(i);
    }
    for (onnx::TensorProto tensor : graph.initializer()) {
      const std::string name = tensor.name();
      tensor.clear_name();
      inner.values[name] = "tensor " + Short(Bytes(tensor));
    }
    for (const auto& tensor : graph.sparse_initializer()) inner.values[tensor.values().name()] = Short(Bytes(tensor));
    for (const auto& node : graph.node()) Run(node, inner);
    std::string results = "graph(";
    for (const auto& output : graph.output()) results += At(inner.values, output.name()) + ",";
    return Short(results + ")");
  }

  std::string OfAttribute(onnx::AttributeProto attribute, Around& around) {
    std::string graphs;
    if (attribute.has_g()) graphs += OfGraph(attribute.g(), around, false);
    for (const auto& graph : attribute.graphs()) graphs += OfGraph(graph, around, false);
    attribute.clear_g();
    attribute.clear_graphs();
    attribute.clear_name();
    attribute.clear_doc_string();
    return Short(Bytes(attribute) + graphs);
  }

  Strings Given(const onnx::NodeProto& node, Around& around) {
    Strings given;
    for (const auto& attribute : node.attribute()) {
      if (attribute.ref_attr_name().empty()) {
        given.try_emplace(attribute.name(), OfAttribute(attribute, around));
      } else if (const auto value = around.attributes.find(attribute.ref_attr_name());
                 value != around.attributes.end()) {
        given.try_emplace(attribute.name(), value->second);
      }
    }
    return given;
  }

  void Run(const onnx::NodeProto& node, Around& around) {
    std::vector<std::string> inputs;
    for (const std::string& input : node.input()) inputs.push_back(At(around.values, input));
    while (!inputs.empty() && inputs.back() == "-") inputs.pop_back();
    Strings attributes = Given(node, around);
    const auto function = functions_.find(Key(node, node.op_type()));
    std::vector<std::string> results;
    if (function != functions_.end()) {
      results = Call(*function->second, inputs, attributes, around.graphs);
    } else if (node.op_type() == "Identity") {
      results.push_back(inputs.empty() ? "-" : inputs[0]);
    } else {
      std::string text = node.domain() + "." + node.op_type() + "(";
      for (const std::string& input : inputs) text += input + ",";
      for (const auto& attribute : attributes) text += attribute.first + "=" + attribute.second + ",";
      for (int i = 0; i < node.output_size(); ++i) results.push_back(Short(text + ")") + "#" + std::to_string(i));
    }
    for (int i = 0; i < node.output_size() && i < static_cast<int>(results.size()); ++i) {
      if (!node.output(i).empty()) around.values[node.output(i)] = results[static_cast<std::size_t>(i)];
    }
  }

  std::vector<std::string> Call(const onnx::FunctionProto& function, const std::vector<std::string>& inputs,
                                const Strings& given, int graphs) {
    Around around{.graphs = graphs};
    for (int i = 0; i < function.input_size(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      around.values[function.input(i)] = at < inputs.size() ? inputs[at] : "-";
    }
    around.attributes = given;
    for (const auto& attribute : function.attribute_proto()) {
      around.attributes.try_emplace(attribute.name(), OfAttribute(attribute, around));
    }
    for (const auto& node : function.node()) Run(node, around);
    std::vector<std::string> results;
    for (const std::string& output : function.output()) results.push_back(At(around.values, output));
    return results;
  }

  std::map<std::string, const onnx::FunctionProto*> functions_;
  std::string text_;
};

}  // namespace

std::string ComputedBy(const onnx::ModelProto& model) { return Computation(model).text(); }

}  // namespace onnxc::testing
