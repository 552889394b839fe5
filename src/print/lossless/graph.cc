// Prints graphs with their value infos and initializers, and the bodies (lists of nodes) of graphs and functions.
#include <optional>

#include "print/common/node_portions.h"
#include "print/lossless/printer.h"
#include "syntax/words.h"

namespace onnxc::print {

void LosslessPrinter::Whole(const onnx::GraphProto& graph) {
  scope_ = ChooseScope(graph);
  Rest rest = GraphRest(graph);
  Top(scope_, rest);
  rest.clauses.clear();
  Before(graph, rest, Style::kLines);
  GraphItself(graph);
}

// Either all sparse initializers are written as literals or none, because their order must not change.
bool LosslessPrinter::HasSparseLiterals(const onnx::GraphProto& graph) {
  return std::ranges::all_of(graph.sparse_initializer(), [&](const onnx::SparseTensorProto& tensor) {
    return IsNative(tensor, TensorRole::kInitializer);
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
  Body(graph, parts.nodes);
}

void LosslessPrinter::Signature(const Repeated<onnx::ValueInfoProto>& values) {
  const auto value = [&](const onnx::ValueInfoProto& info) { ValueInfo(info); };
  Lines('(', ')', ListStyle::kOneEach, [&](bool block) {
    bool first = true;
    out_.Members(values, block, &first, value);
  });
}

// Calls write(element, data) for the elements from `begin` to `end`, and counts each element in the census. While
// write() runs, there is no census, because the messages inside an element are already counted.
template <typename Proto, typename Write, typename... Place>
void LosslessPrinter::ForEach(const Elements<Proto>& elements, std::size_t begin, std::size_t end, Write write,
                              Place... place) {
  Census* const census = std::exchange(census_, nullptr);
  const bool are_whole = elements.ForEach(begin, end, [&](const Proto& element, std::string_view data) {
    if (census != nullptr) census->Count(element, place...);
    write(element, data);
  });
  census_ = census;
  if (!are_whole) is_malformed_ = true;
}

void LosslessPrinter::Values(const onnx::GraphProto& graph, const GraphParts& parts) {
  const bool with_sparse = !graph.sparse_initializer().empty() && HasSparseLiterals(graph);
  if (parts.initializers.size() == 0 && parts.value_infos.size() == 0 && !with_sparse) return;
  bool first = true;
  out_.Put('<');
  const auto initializer = [&](const onnx::TensorProto& tensor, std::string_view data) {
    out_.BlockMember(&first, [&] { Initializer(tensor, data); });
  };
  const auto value_info = [&](const onnx::ValueInfoProto& value, std::string_view) {
    out_.BlockMember(&first, [&] { ValueInfo(value); });
  };
  ForEach(parts.initializers, 0, parts.initializers.size(), initializer, TensorRole::kInitializer);
  if (with_sparse) {
    out_.Block(graph.sparse_initializer(), &first, [&](const onnx::SparseTensorProto& tensor) {
      const DepthGuard guard(*this);
      SparseTensor(tensor, TensorRole::kInitializer);
    });
  }
  ForEach(parts.value_infos, 0, parts.value_infos.size(), value_info);
  out_.NewLine();
  out_.Put("> ");
}

void LosslessPrinter::Initializer(const onnx::TensorProto& tensor, std::string_view data) {
  const DepthGuard guard(*this);
  const TensorForm form = FormOf(tensor);
  if (form.type == nullptr) {
    RecordInPlace(tensor);
    return out_.Put(" =");
  }
  const Rest rest = TensorRest(tensor, form, TensorRole::kInitializer);
  Before(tensor, rest, Style::kInline);
  const bool outer = scope_.raw;
  if (!rest.storage.empty()) scope_.raw = !outer;
  TensorItself(tensor, form, TensorRole::kInitializer, data);
  scope_.raw = outer;
}

LosslessPrinter::Rest LosslessPrinter::ValueRest(const onnx::ValueInfoProto& value) {
  FieldSet carried = kCarried<onnx::ValueInfoProto>;
  if (!IsNative(value.type())) carried &= ~Fields(onnx::ValueInfoProto::kTypeFieldNumber);
  return RestOf(value, carried);
}

void LosslessPrinter::ValueInfo(const onnx::ValueInfoProto& value) {
  const DepthGuard guard(*this);
  Before(value, ValueRest(value), Style::kInline);
  if (!value.has_type() || !IsNative(value.type())) return ValueName(value.name());
  Rest rest = RestWithoutRows(value.type(), kCarried<onnx::TypeProto>);
  ClausesToFields(value.type(), &rest);
  Before(value.type(), rest, Style::kInline, "type.");
  {
    const DepthGuard inner(*this);
    TypeItself(value.type());
  }
  out_.Put(' ');
  out_.Name(value.name());
}

// Quotes a name that would otherwise be read as a type word or a number.
void LosslessPrinter::ValueName(std::string_view name) {
  if (syntax::IsIdentifier(name) && !syntax::IsTypeWord(name) && !syntax::IsSpecialFloat(name)) return out_.Put(name);
  out_.String(name);
}

// With several threads, a separate printer writes each portion. This printer begins in the state of `*this`.
void LosslessPrinter::Body(const Message& owner, const Elements<onnx::NodeProto>& nodes) {
  struct Portion {
    std::optional<LosslessPrinter> printer;
    Census census;
  };
  const std::size_t threads = ThreadsFor(nodes, options_.threads);
  const bool is_counted = census_ != nullptr;
  if (threads > 1) out_.Expect(nodes.size() * kTypicalNode);
  out_.Put('{');
  const std::size_t lists = out_.Indent();
  WriteInPortions<Portion>(
      nodes, threads, [&](std::size_t begin, std::size_t end) { Nodes(owner, nodes, begin, end); },
      [&](std::size_t begin, std::size_t end, Portion* made) {
        if (!made->printer) made->printer.emplace(*this, is_counted ? &made->census : nullptr);
        made->census = {};
        made->printer->out_.Clear();
        made->printer->Nodes(owner, nodes, begin, end);
      },
      [&](const Portion& made) {
        out_.Append(made.printer->out_);
        if (made.printer->is_too_deep_) is_too_deep_ = true;
        if (made.printer->is_malformed_) is_malformed_ = true;
        if (is_counted) census_->Add(made.census);
      });
  out_.Outdent(lists);
  out_.NewLine();
  out_.Put('}');
}

// Prints nodes with their comments. A comment ends its line, so the next node must begin a new line.
void LosslessPrinter::Nodes(const Message& owner, const Elements<onnx::NodeProto>& nodes, std::size_t begin,
                            std::size_t end) {
  ForEach(nodes, begin, end, [&, i = begin](const onnx::NodeProto& node, std::string_view) mutable {
    out_.NewLine();
    Node(node);
    if (options_.comments == nullptr) return;
    comment_.clear();
    options_.comments->Append(owner, i++, &comment_);
    if (comment_.empty()) return;
    out_.Put("  # ");
    out_.Put(comment_);
  });
}

LosslessPrinter::LosslessPrinter(const LosslessPrinter& other, Census* census)
    : options_([&] {
        PrintOptions options = other.options_;
        options.threads = 1;
        return options;
      }()),
      out_(other.out_.Beside()),
      scope_(other.scope_),
      census_(census),
      depth_(other.depth_) {}

}  // namespace onnxc::print
