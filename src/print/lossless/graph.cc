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
  Lines("(", ")", ListStyle::kOneEach, [&](bool block) {
    bool first = true;
    block ? out_.Block(values, &first, value) : out_.List(values, value);
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
  Rest rest = RestWithoutRows(value.type(), kCarried<onnx::TypeProto>);
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
  constexpr std::size_t kTypicalNode = 64;
  const auto count = static_cast<std::size_t>(nodes.size());
  const std::size_t parts = PartsFor(count * kTypicalNode, options_.threads);
  out_.Put('{');
  out_.Indent();
  parts == 1 ? Nodes(nodes, 0, count) : NodesInParallel(nodes, parts);
  out_.Outdent();
  out_.NewLine();
  out_.Put('}');
}

void LosslessPrinter::Nodes(const Repeated<onnx::NodeProto>& nodes, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    out_.NewLine();
    Node(nodes[static_cast<int>(i)]);
  }
}

// Each part by a printer of its own, which begins where this one stands.
void LosslessPrinter::NodesInParallel(const Repeated<onnx::NodeProto>& nodes, std::size_t parts) {
  PrintOptions options = options_;
  options.threads = 1;
  std::vector<LosslessPrinter> printers;
  for (std::size_t i = 0; i < parts; ++i) {
    LosslessPrinter& printer = printers.emplace_back(options);
    printer.out_ = out_.Beside();
    printer.scope_ = scope_;
    printer.depth_ = depth_;
  }
  const auto count = static_cast<std::size_t>(nodes.size());
  InParallel(parts, [&](std::size_t i) { printers[i].Nodes(nodes, count * i / parts, count * (i + 1) / parts); });
  std::size_t size = 0;
  for (const LosslessPrinter& printer : printers) size += printer.out_.size();
  out_.Reserve(size);
  for (const LosslessPrinter& printer : printers) {
    out_.Append(printer.out_);
    is_too_deep_ = is_too_deep_ || printer.is_too_deep_;
  }
}

}  // namespace onnxc
