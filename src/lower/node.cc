#include "lower/node.h"

#include "lower/annotation.h"
#include "lower/attribute.h"
#include "lower/field.h"
#include "lower/literal.h"
#include "syntax/parse.h"

namespace onnxc::lower {
namespace {

// names : name? (',' name?)*
// An empty place before a comma is an empty name. An empty place after the last comma is not a name.
void BuildNames(const Grammar::NamesContext* tree, int field, Lowering& lowering, const onnx::NodeProto& node,
                google::protobuf::RepeatedPtrField<std::string>* names) {
  bool is_open = false;  // the name of the current place was read
  for (const SyntaxToken& token : TokensOf(tree)) {
    if (token.type == Grammar::COMMA) {
      if (!is_open) names->Add();
      is_open = false;
      continue;
    }
    lowering.Map(node, token.range(), field, names->size());
    ReadName(token, names->Add());
    is_open = true;
  }
}

// op : '.'? name ('.' name)*
// All names except the last one form the domain. A leading dot has no meaning.
void BuildOperator(const Grammar::OpContext* tree, Lowering& lowering, onnx::NodeProto* node) {
  const SyntaxToken* last = nullptr;
  const SyntaxToken* dot = nullptr;  // the dot before the last name
  std::string domain;
  for (const SyntaxToken& token : TokensOf(tree)) {
    if (token.type == Grammar::DOT) {
      dot = &token;
      continue;
    }
    if (last != nullptr) domain.append(domain.empty() ? "" : ".").append(NameOf(*last));
    last = &token;
  }
  ReadName(*last, node->mutable_op_type());
  lowering.Map(*node, last->range(), onnx::NodeProto::kOpTypeFieldNumber);
  if (domain.empty()) return;
  node->set_domain(domain);
  lowering.Map(*node, {First(tree).begin, dot->begin}, onnx::NodeProto::kDomainFieldNumber);
}

// attrs : '<' attr (',' attr)* '>'
void BuildAttributes(const Grammar::AttrsContext* tree, Lowering& lowering, onnx::NodeProto* node) {
  const DepthGuard guard(lowering, 1, First(tree).range());
  if (!guard) return;
  for (const auto* attr : ChildrenOf<Grammar::AttrContext>(tree)) {
    if (!IsBroken(attr)) BuildAttribute(attr, lowering, node->add_attribute());
  }
}

// (lb='[' label=name? ']')? out=names '=' op? (':' overload=name)? (attrs '(' in=names ')' | '(' in=names ')' attrs?)
void BuildOwnForm(const Grammar::NodeContext* tree, Lowering& lowering, onnx::NodeProto* node) {
  using Node = onnx::NodeProto;
  if (tree->lb != nullptr) {
    std::string* name = node->mutable_name();
    if (tree->label != nullptr) ReadName(*static_cast<const SyntaxToken*>(tree->label), name);
    const auto* place = static_cast<const SyntaxToken*>(tree->label != nullptr ? tree->label : tree->lb);
    lowering.Map(*node, place->range(), Node::kNameFieldNumber);
  }
  BuildNames(tree->out, Node::kOutputFieldNumber, lowering, *node, node->mutable_output());
  if (const auto* op = ChildOf<Grammar::OpContext>(tree, Grammar::RuleOp)) BuildOperator(op, lowering, node);
  if (tree->overload != nullptr) {
    node->set_overload(NameOf(tree->overload));
    lowering.Map(*node, RangeOf(tree->overload), Node::kOverloadFieldNumber);
  }
  BuildNames(tree->in, Node::kInputFieldNumber, lowering, *node, node->mutable_input());
  if (const auto* attrs = ChildOf<Grammar::AttrsContext>(tree, Grammar::RuleAttrs))
    BuildAttributes(attrs, lowering, node);
}

}  // namespace

// node : annotation* (inPlace | (lb='[' label=name? ']')? out=names '=' op? (':' overload=name)?
//        (attrs '(' in=names ')' | '(' in=names ')' attrs?))
void BuildNode(const Grammar::NodeContext* tree, Lowering& lowering, onnx::NodeProto* node) {
  lowering.Map(*node, RangeOf(tree));
  Annotations annotations(tree, lowering);
  if (const auto* record = InPlace(tree)) {
    BuildRecord(record, lowering, node);
    return annotations.FinishRecord(node);
  }
  BuildOwnForm(tree, lowering, node);
  annotations.Finish(node);
}

}  // namespace onnxc::lower
