// Prints nodes.
#include "print/lossless/printer.h"
#include "source/plain_node.h"

namespace onnxc::print {
namespace {

/// Returns whether every part of a dotted name is an identifier.
bool IsDotted(std::string_view name) {
  for (std::size_t dot; (dot = name.find('.')) != std::string_view::npos; name.remove_prefix(dot + 1)) {
    if (!syntax::IsIdentifier(name.substr(0, dot))) return false;
  }
  return syntax::IsIdentifier(name);
}

}  // namespace

void LosslessPrinter::Whole(const onnx::NodeProto& node) {
  depth_ = -1;  // Node() counts the node itself
  Top(ChooseScope(node), {});
  Node(node);
}

void LosslessPrinter::Node(const onnx::NodeProto& node) {
  const DepthGuard guard(*this);
  if (!guard) return RecordInPlace(onnx::NodeProto());
  if (!node.has_op_type() && !node.domain().empty())
    return RecordInPlace(node);  // the syntax has a domain only before
                                 // an operator
  Before(node, RestOf(node, kCarried<onnx::NodeProto>), Style::kLines);

  const auto name = [&](const std::string& value) { out_.Name(value); };
  // Graphs are large, so an attribute with a graph is printed on separate lines after the inputs.
  const bool attributes_last = std::ranges::any_of(node.attribute(), HoldsGraphs);
  if (!node.name().empty()) {
    out_.Put('[');
    out_.Name(node.name());
    out_.Put("] ");
  }
  out_.List(node.output(), name);
  out_.Put(node.output().empty() ? "=" : " =");
  Operator(node);
  if (!attributes_last) AttributeList(node.attribute(), attributes_last);
  out_.Put(" (");
  out_.List(node.input(), name);
  out_.Put(')');
  if (attributes_last) AttributeList(node.attribute(), attributes_last);
}

void LosslessPrinter::Operator(const onnx::NodeProto& node) {
  if (node.has_op_type() || !node.overload().empty()) out_.Put(' ');
  if (!node.domain().empty()) {
    DottedName(node.domain());
    out_.Put('.');
  }
  if (node.has_op_type()) out_.Name(node.op_type());
  if (node.overload().empty()) return;
  out_.Put(':');
  out_.Name(node.overload());
}

void LosslessPrinter::DottedName(std::string_view name) { IsDotted(name) ? out_.Put(name) : out_.String(name); }

void LosslessPrinter::AttributeList(const Repeated<onnx::AttributeProto>& attributes, bool holds_graph) {
  if (attributes.empty()) return;
  const auto attribute = [&](const onnx::AttributeProto& value) { Attribute(value); };
  out_.Put(' ');
  Lines('<', '>', holds_graph ? ListStyle::kBlock : ListStyle::kFill, [&](bool block) {
    bool first = true;
    out_.Members(attributes, block, &first, attribute);
  });
}

}  // namespace onnxc::print
