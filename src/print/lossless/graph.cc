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

void LosslessPrinter::GraphItself(const onnx::GraphProto& graph, const GraphParts& parts) {
  ValueName(graph.name());
  out_.Put(' ');
  Signature(graph.input());
  out_.Put(" => ");
  Signature(graph.output());
  out_.Put(' ');
  Values(graph, parts);
  Body(parts.nodes);
}

void LosslessPrinter::Signature(const Repeated<onnx::ValueInfoProto>& values) {
  const auto value = [&](const onnx::ValueInfoProto& info) { ValueInfo(info); };
  Lines('(', ')', ListStyle::kOneEach, [&](bool block) {
    bool first = true;
    out_.Members(values, block, &first, value);
  });
}

// Calls `write` for each of some elements, and counts those that were bytes.
template <typename Proto, typename Write, typename... Place>
void LosslessPrinter::ForEach(const Elements<Proto>& elements, std::size_t begin, std::size_t end, Write write,
                              Place... place) {
  Census* const census = elements.are_bytes() ? census_ : nullptr;
  const bool are_whole = elements.ForEach(begin, end, [&](const Proto& element) {
    if (census != nullptr) census->Count(element, place...);
    write(element);
  });
  is_malformed_ = is_malformed_ || !are_whole;
}

void LosslessPrinter::Values(const onnx::GraphProto& graph, const GraphParts& parts) {
  const bool with_sparse = !graph.sparse_initializer().empty() && HasSparseLiterals(graph);
  if (parts.initializers.size() == 0 && parts.value_infos.size() == 0 && !with_sparse) return;
  bool first = true;
  out_.Put('<');
  const auto initializer = [&](const onnx::TensorProto& tensor) {
    out_.BlockMember(&first, [&] { Initializer(tensor); });
  };
  ForEach(parts.initializers, 0, parts.initializers.size(), initializer, TensorPlace::kInitializer);
  if (with_sparse) {
    out_.Block(graph.sparse_initializer(), &first, [&](const onnx::SparseTensorProto& tensor) {
      const Deeper deeper(*this);
      SparseTensor(tensor, TensorPlace::kInitializer);
    });
  }
  ForEach(parts.value_infos, 0, parts.value_infos.size(),
          [&](const onnx::ValueInfoProto& value) { out_.BlockMember(&first, [&] { ValueInfo(value); }); });
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

void LosslessPrinter::Body(const Elements<onnx::NodeProto>& nodes) {
  constexpr std::size_t kTypicalNode = 64;
  const std::size_t parts = PartsFor(nodes.size() * kTypicalNode, options_.threads);
  out_.Put('{');
  out_.Indent();
  parts == 1 ? Nodes(nodes, 0, nodes.size()) : NodesInParallel(nodes, parts);
  out_.Outdent();
  out_.NewLine();
  out_.Put('}');
}

void LosslessPrinter::Nodes(const Elements<onnx::NodeProto>& nodes, std::size_t begin, std::size_t end) {
  ForEach(nodes, begin, end, [&](const onnx::NodeProto& node) {
    out_.NewLine();
    Node(node);
  });
}

// Each part by a printer of its own, which begins where this one stands.
void LosslessPrinter::NodesInParallel(const Elements<onnx::NodeProto>& nodes, std::size_t parts) {
  PrintOptions options = options_;
  options.threads = 1;
  std::vector<LosslessPrinter> printers;
  std::vector<Census> censuses(parts);
  for (std::size_t i = 0; i < parts; ++i) {
    LosslessPrinter& printer = printers.emplace_back(options);
    printer.out_ = out_.Beside();
    printer.scope_ = scope_;
    printer.depth_ = depth_;
    printer.census_ = &censuses[i];
  }
  const std::size_t count = nodes.size();
  InParallel(parts, [&](std::size_t i) { printers[i].Nodes(nodes, count * i / parts, count * (i + 1) / parts); });
  for (LosslessPrinter& printer : printers) {
    out_.Append(std::move(printer.out_));
    is_too_deep_ = is_too_deep_ || printer.is_too_deep_;
    is_malformed_ = is_malformed_ || printer.is_malformed_;
    if (census_ != nullptr) census_->Add(*printer.census_);
  }
}

}  // namespace onnxc
