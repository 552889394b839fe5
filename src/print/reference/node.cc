// Prints nodes.
#include "print/reference/printer.h"
#include "source/plain_node.h"

namespace onnxc::print {

void Printer::Node(const onnx::NodeProto& node) {
  const auto name = [&](const std::string& value) { out_.Name(value); };
  // Graphs are large, so a list with a graph is printed after the inputs, at the end of the node.
  const bool attributes_last = std::ranges::any_of(node.attribute(), HoldsGraphs);
  out_.Indent();
  Others(node);
  if (node.has_name()) {
    out_.Put('[');
    out_.Name(node.name());
    out_.Put("] ");
  }
  out_.List(node.output(), ", ", name);
  out_.Put(" = ");
  Operator(node);
  if (!attributes_last) AttributeList(node.attribute());
  out_.Put(" (");
  out_.List(node.input(), ", ", name);
  out_.Put(')');
  if (attributes_last) AttributeList(node.attribute());
  out_.Put('\n');
}

void Printer::Operator(const onnx::NodeProto& node) {
  if (!node.domain().empty()) {
    DottedName(node.domain(), "domain");
    out_.Put('.');
  }
  // The text may lack the operator, but not after a domain.
  if (!node.op_type().empty() || !node.domain().empty()) Identifier(node.op_type(), "op_type");
  if (!node.overload().empty()) {
    out_.Put(':');
    Identifier(node.overload(), "overload");
  }
}

void Printer::AttributeList(const Repeated<onnx::AttributeProto>& attributes) {
  if (attributes.empty()) return;
  int index = 0;
  out_.Put(" <");
  out_.List(attributes, ", ", [&](const onnx::AttributeProto& attribute) {
    const auto at = Path::Scope::Keyed(losses_.path(), "attribute", index++, attribute.name());
    Attribute(attribute, AttributeRole::kNode);
  });
  out_.Put('>');
}

}  // namespace onnxc::print
