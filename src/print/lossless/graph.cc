// Graphs, their value infos and initializers, and the bodies that they share with functions.
#include "print/lossless/printer.h"
#include "syntax/words.h"

namespace onnxc {

void LosslessPrinter::Whole(const onnx::GraphProto& graph) {
  scope_ = ChooseScope(graph);
  Rest rest = GraphRest(graph);
  Top(scope_, rest);
  rest.clauses.clear();
  Before(graph, rest, Style::kLines);
  GraphItself(graph);
}

// Either all sparse initializers have literals, or none is written as one: their order must not change.
bool LosslessPrinter::HasSparseLiterals(const onnx::GraphProto& graph) {
  return std::ranges::all_of(graph.sparse_initializer(), [&](const onnx::SparseTensorProto& tensor) {
    return IsNative(tensor, TensorPlace::kInitializer);
  });
}

LosslessPrinter::Rest LosslessPrinter::GraphRest(const onnx::GraphProto& graph) {
  FieldSet carried = kCarried<onnx::GraphProto>;
  if (HasSparseLiterals(graph)) carried |= Fields(onnx::GraphProto::kSparseInitializerFieldNumber);
  return RestOf(graph, carried);
}

bool LosslessPrinter::IsNative(const onnx::GraphProto& graph) { return !GraphRest(graph).needs_pragma; }

void LosslessPrinter::Graph(const onnx::GraphProto& graph) {
  Rest rest = GraphRest(graph);
  ClausesToFields(graph, &rest);
  Before(graph, rest, Style::kInline);
  GraphItself(graph);
}

void LosslessPrinter::GraphItself(const onnx::GraphProto& graph) {
  ValueName(graph.name());
  out_.Put(' ');
  Signature(graph.input());
  out_.Put(" => ");
  Signature(graph.output());
  out_.Put(' ');
  Values(graph);
  Body(graph.node());
}

void LosslessPrinter::Signature(const Repeated<onnx::ValueInfoProto>& values) {
  const auto value = [&](const onnx::ValueInfoProto& info) { ValueInfo(info); };
  Lines('(', ')', ListStyle::kOneEach, [&](bool block) {
    bool first = true;
    out_.Members(values, block, &first, value);
  });
}

void LosslessPrinter::Values(const onnx::GraphProto& graph) {
  const bool with_sparse = !graph.sparse_initializer().empty() && HasSparseLiterals(graph);
  if (graph.initializer().empty() && graph.value_info().empty() && !with_sparse) return;
  bool first = true;
  out_.Put('<');
  out_.Block(graph.initializer(), &first, [&](const onnx::TensorProto& tensor) { Initializer(tensor); });
  if (with_sparse) {
    out_.Block(graph.sparse_initializer(), &first, [&](const onnx::SparseTensorProto& tensor) {
      const Deeper deeper(*this);
      SparseTensor(tensor, TensorPlace::kInitializer);
    });
  }
  out_.Block(graph.value_info(), &first, [&](const onnx::ValueInfoProto& value) { ValueInfo(value); });
  out_.NewLine();
  out_.Put("> ");
}

void LosslessPrinter::Initializer(const onnx::TensorProto& tensor) {
  const Deeper deeper(*this);
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr) {
    RecordInPlace(tensor);
    return out_.Put(" =");
  }
  const Rest rest = TensorRest(tensor, form, TensorPlace::kInitializer);
  Before(tensor, rest, Style::kInline);
  const bool outer = scope_.raw;
  if (!rest.storage.empty()) scope_.raw = !outer;
  TensorItself(tensor, form, TensorPlace::kInitializer);
  scope_.raw = outer;
}

LosslessPrinter::Rest LosslessPrinter::ValueRest(const onnx::ValueInfoProto& value) {
  FieldSet carried = kCarried<onnx::ValueInfoProto>;
  if (!IsNative(value.type())) carried &= ~Fields(onnx::ValueInfoProto::kTypeFieldNumber);
  return RestOf(value, carried);
}

void LosslessPrinter::ValueInfo(const onnx::ValueInfoProto& value) {
  const Deeper deeper(*this);
  Before(value, ValueRest(value), Style::kInline);
  if (!value.has_type() || !IsNative(value.type())) return ValueName(value.name());
  Rest rest = RestOf(static_cast<const Message&>(value.type()), kCarried<onnx::TypeProto>);
  ClausesToFields(value.type(), &rest);
  Before(value.type(), rest, Style::kInline, "type.");
  {
    const Deeper inner(*this);
    TypeItself(value.type());
  }
  out_.Put(' ');
  out_.Name(value.name());
}

// A name that a type word or a number would be mistaken for.
void LosslessPrinter::ValueName(std::string_view name) {
  if (IsIdentifier(name) && !IsTypeWord(name) && !IsSpecialFloat(name)) return out_.Put(name);
  out_.String(name);
}

void LosslessPrinter::Body(const Repeated<onnx::NodeProto>& nodes) {
  out_.Put('{');
  out_.Indent();
  for (const onnx::NodeProto& node : nodes) {
    out_.NewLine();
    Node(node);
  }
  out_.Outdent();
  out_.NewLine();
  out_.Put('}');
}

}  // namespace onnxc
