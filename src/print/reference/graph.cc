// Prints graphs with their value infos, and the bodies (lists of nodes) of graphs and functions.
#include <optional>

#include "print/common/node_portions.h"
#include "print/reference/printer.h"
#include "syntax/words.h"

namespace onnxc::print {
namespace {

/// Returns whether an attribute's value that begins with this identifier would be read as a number. The words for
/// infinity and NaN are read as numbers even if a `_` follows.
bool StartsAsSpecialFloat(std::string_view name) { return syntax::IsSpecialFloat(name.substr(0, name.find('_'))); }

}  // namespace

// Calls write(element, index) for the elements from `begin` to `end`.
template <typename Proto, typename Write>
void Printer::ForEach(const Elements<Proto>& elements, std::size_t begin, std::size_t end, Write write) {
  int index = static_cast<int>(begin);
  const auto write_next = [&](const Proto& element) {
    write(element, index++);
    out_.Settle();
  };
  if (!elements.ForEach(begin, end, write_next)) is_malformed_ = true;
}

void Printer::Graph(const onnx::GraphProto& graph, const GraphParts& parts, GraphRole place) {
  Others(graph);
  if (place == GraphRole::kTop) {
    out_.Name(graph.name());
  } else {
    SubgraphName(graph.name());
  }
  out_.Put(" (");
  ValueInfos(Elements(graph.input()), "input");
  out_.Put(") => (");
  ValueInfos(Elements(graph.output()), "output");
  out_.Put(") ");
  const std::size_t initializers = parts.initializers.size();
  if (initializers > 0 || parts.value_infos.size() > 0) {
    out_.Put('\n');
    out_.Indent();
    out_.Put('<');
    ForEach(parts.initializers, 0, initializers, [&](const onnx::TensorProto& initializer, int index) {
      const Path::Scope at(losses_.path(), "initializer", index, initializer.name());
      if (index > 0) out_.Put(", ");
      Tensor(initializer, TensorRole::kInitializer);
    });
    if (initializers > 0 && parts.value_infos.size() > 0) out_.Put(", ");
    ValueInfos(parts.value_infos, "value_info");
    out_.Put(">\n");
  }
  Body(parts.nodes);
}

void Printer::SubgraphName(std::string_view name) {
  if (syntax::IsIdentifier(name) && !syntax::IsTypeWord(name) && !StartsAsSpecialFloat(name)) return out_.Put(name);
  losses_.Add("name", "the name '{}' of a graph in an attribute", Quoted(name));
  const std::string identifier = syntax::NearestIdentifier(name);
  if (identifier == name) out_.Put('_');
  if (identifier != name && StartsAsSpecialFloat(identifier)) out_.Put('_');
  out_.Put(identifier);
}

void Printer::ValueInfos(const Elements<onnx::ValueInfoProto>& values, std::string_view field, int first) {
  ForEach(values, static_cast<std::size_t>(first), values.size(), [&](const onnx::ValueInfoProto& value, int index) {
    const Path::Scope at(losses_.path(), field, index, value.name());
    if (index > first) out_.Put(", ");
    ValueInfo(value);
  });
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
      losses_.Add("", "a type without any field");
    }
  }
  out_.Put(' ');
  // Without a type before it, a name that is a type word would be read as a type.
  if (!has_type && syntax::IsTypeWord(value.name())) return out_.String(value.name());
  out_.Name(value.name());
}

// With several threads, a separate printer writes each portion.
void Printer::Body(const Elements<onnx::NodeProto>& nodes) {
  using Portion = std::optional<Printer>;
  out_.Put("{\n");
  WriteInPortions<Portion>(
      nodes, ThreadsFor(nodes, threads_), [&](std::size_t begin, std::size_t end) { Nodes(nodes, begin, end); },
      [&](std::size_t begin, std::size_t end, Portion* beside) {
        if (!*beside) beside->emplace(this);
        (*beside)->out_.Clear();
        (*beside)->Nodes(nodes, begin, end);
      },
      [&](Portion& beside) {
        out_.Append(beside->out_);
        losses_.Append(&beside->losses_);
        if (beside->is_malformed_) is_malformed_ = true;
      });
  out_.Outdent(3);
  out_.Indent();
  out_.Indent(3);
  out_.Put('}');
}

void Printer::Nodes(const Elements<onnx::NodeProto>& nodes, std::size_t begin, std::size_t end) {
  ForEach(nodes, begin, end, [&](const onnx::NodeProto& node, int index) {
    const Path::Scope at(losses_.path(), "node", index, node.name());
    Node(node);
  });
}

}  // namespace onnxc::print
