// Graphs, their value infos, and the bodies that they share with functions.
#include "print/reference/printer.h"
#include "syntax/words.h"

namespace onnxc::print {
namespace {

/// Whether an attribute's value that starts with this identifier is read as a number: the words for infinity and NaN
/// may be followed by `_`.
bool StartsAsSpecialFloat(std::string_view name) { return syntax::IsSpecialFloat(name.substr(0, name.find('_'))); }

}  // namespace

void Printer::Graph(const onnx::GraphProto& graph, GraphRole place) {
  Others(graph);
  if (place == GraphRole::kTop) {
    out_.Name(graph.name());
  } else {
    SubgraphName(graph.name());
  }
  out_.Put(" (");
  ValueInfos(graph.input(), "input");
  out_.Put(") => (");
  ValueInfos(graph.output(), "output");
  out_.Put(") ");
  if (!graph.initializer().empty() || !graph.value_info().empty()) {
    int index = 0;
    out_.Put('\n');
    out_.Indent();
    out_.Put('<');
    out_.List(graph.initializer(), ", ", [&](const onnx::TensorProto& initializer) {
      const Path::Scope at(losses_.path(), "initializer", index++, initializer.name());
      Tensor(initializer, TensorRole::kInitializer);
    });
    if (!graph.initializer().empty() && !graph.value_info().empty()) out_.Put(", ");
    ValueInfos(graph.value_info(), "value_info");
    out_.Put(">\n");
  }
  Body(graph.node());
}

void Printer::SubgraphName(std::string_view name) {
  if (syntax::IsIdentifier(name) && !syntax::IsTypeWord(name) && !StartsAsSpecialFloat(name)) return out_.Put(name);
  losses_.Add("name", "the name '{}' of a graph in an attribute", Quoted(name));
  const std::string identifier = syntax::NearestIdentifier(name);
  if (identifier == name) out_.Put('_');
  if (identifier != name && StartsAsSpecialFloat(identifier)) out_.Put('_');
  out_.Put(identifier);
}

void Printer::ValueInfos(const Repeated<onnx::ValueInfoProto>& values, std::string_view field, int first) {
  for (int i = first; i < values.size(); ++i) {
    const Path::Scope at(losses_.path(), field, i, values[i].name());
    if (i > first) out_.Put(", ");
    ValueInfo(values[i]);
  }
}

void Printer::ValueInfo(const onnx::ValueInfoProto& value) {
  Others(value);
  const bool has_type = value.type().value_case() != onnx::TypeProto::VALUE_NOT_SET;
  if (value.has_type()) {
    const Path::Scope at(losses_.path(), "type");
    if (has_type) {
      Type(value.type());
    } else {
      Others(value.type());
      losses_.Add("", "a type with nothing set");
    }
  }
  out_.Put(' ');
  // Without a type before it, a name that is a type word would be taken for one.
  if (!has_type && syntax::IsTypeWord(value.name())) return out_.String(value.name());
  out_.Name(value.name());
}

void Printer::Body(const Repeated<onnx::NodeProto>& nodes) {
  int index = 0;
  out_.Put("{\n");
  for (const onnx::NodeProto& node : nodes) {
    const Path::Scope at(losses_.path(), "node", index++, node.name());
    Node(node);
  }
  out_.Outdent(3);
  out_.Indent();
  out_.Indent(3);
  out_.Put('}');
}

}  // namespace onnxc::print
