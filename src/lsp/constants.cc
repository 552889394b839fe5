#include "lsp/constants.h"

#include <fmt/format.h>
#include <onnxc/external_data.h>
#include <onnxc/printer.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "lsp/function_edits.h"
#include "lsp/parts.h"
#include "symbols/spelling.h"
#include "tables/signatures.h"

namespace onnxc::lsp {
namespace {

/// Returns the tensor that an attribute of a Constant node specifies
/// (https://onnx.ai/onnx/operators/onnx__Constant.html).
std::optional<onnx::TensorProto> TensorOf(const onnx::AttributeProto& attribute) {
  if (!attribute.ref_attr_name().empty()) return std::nullopt;
  const std::string& name = attribute.name();
  onnx::TensorProto tensor;
  if (name == "value" && attribute.has_t()) return attribute.t();
  if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    *tensor.mutable_float_data() = attribute.floats();
    if (name == "value_float") tensor.add_float_data(attribute.f());
  } else if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(onnx::TensorProto::INT64);
    *tensor.mutable_int64_data() = attribute.ints();
    if (name == "value_int") tensor.add_int64_data(attribute.i());
  } else if (name == "value_string" || name == "value_strings") {
    tensor.set_data_type(onnx::TensorProto::STRING);
    *tensor.mutable_string_data() = attribute.strings();
    if (name == "value_string") tensor.add_string_data(attribute.s());
  } else {
    return std::nullopt;
  }
  if (name.ends_with('s')) {
    tensor.add_dims(tensor.float_data_size() + tensor.int64_data_size() + tensor.string_data_size());
  }
  return tensor;
}

/// The type and the data of a tensor in the text syntax. Examples of such tensors are `float[2] {1, 2}` and `float[2] =
/// ["location": ...]`.
struct TensorWords {
  std::string type;
  std::string data;
};

std::optional<TensorWords> WordsOf(onnx::TensorProto tensor) {
  tensor.clear_name();
  PrintResult printed = Print(tensor);
  const std::size_t end = printed.text.find_first_of("{=");
  const bool has_more = printed.text.starts_with('@') || printed.text.starts_with('#');
  if (!printed.diagnostics.ok() || has_more || end == std::string::npos || end == 0) return std::nullopt;
  while (printed.text.ends_with('\n')) printed.text.pop_back();
  const std::size_t data = printed.text[end] == '=' ? printed.text.find_first_not_of(' ', end + 1) : end;
  return TensorWords{printed.text.substr(0, end - 1), printed.text.substr(data)};
}

template <typename Values>
bool Names(const Values& values, std::string_view name) {
  return std::ranges::any_of(values, [&](const onnx::ValueInfoProto& value) { return value.name() == name; });
}

}  // namespace

std::optional<InitializerAt> FindInitializer(const Snapshot& snapshot, std::size_t offset) {
  const PartialModel& read = snapshot.parsed();
  const SymbolId scope = read.symbols.ScopeAt(offset);
  const auto* const graph = scope == kNoSymbol ? nullptr : dynamic_cast<const onnx::GraphProto*>(read.messages[scope]);
  if (graph == nullptr) return std::nullopt;
  for (const onnx::TensorProto& tensor : graph->initializer()) {
    const SourceRange* const range = read.places.Find(tensor);
    if (range == nullptr || offset < range->begin || offset > range->end) continue;
    return InitializerAt{scope, graph, &tensor, *range};
  }
  return std::nullopt;
}

std::string InitializerText(const onnx::TensorProto& tensor) {
  const std::optional<TensorWords> words = WordsOf(tensor);
  return words ? fmt::format("{} {} = {}", words->type, Spelled(tensor.name()), words->data) : std::string();
}

std::vector<FixIt> ConstantToInitializer(const Snapshot& snapshot, SymbolId id) {
  const TextNode& node = snapshot.symbols().nodes()[id];
  const onnx::NodeProto* const message = MessageOf(snapshot, id);
  if (message == nullptr || message->op_type() != "Constant" || !NodeDomain(message->domain()).empty() ||
      message->output_size() != 1 || message->attribute_size() != 1 || HasOwnWords(snapshot, node) ||
      HasRecord(snapshot, node.range)) {
    return {};
  }
  const auto* const graph = dynamic_cast<const onnx::GraphProto*>(snapshot.parsed().messages[node.scope]);
  const std::string& name = message->output(0);
  if (graph == nullptr || Names(graph->value_info(), name)) return {};
  std::optional<onnx::TensorProto> tensor = TensorOf(message->attribute(0));
  if (!tensor || (!tensor->name().empty() && tensor->name() != name)) return {};
  tensor->set_name(name);
  const std::string entry = InitializerText(*tensor);
  if (entry.empty()) return {};
  std::vector<FixIt> edits = AddToList(snapshot, snapshot.symbols().scopes()[node.scope], {entry});
  if (!edits.empty()) edits.push_back({WithLines(snapshot, node.range), ""});
  return edits;
}

std::vector<FixIt> InitializerToConstant(const Snapshot& snapshot, const InitializerAt& initializer) {
  const TextScope& scope = snapshot.symbols().scopes()[initializer.scope];
  const onnx::TensorProto& tensor = *initializer.tensor;
  // The initializer must stay if it is the default value of an input, because a caller may override the default, or if
  // there is training, because training refers to initializers by name.
  if (Names(initializer.graph->input(), tensor.name()) || !snapshot.parsed().model->training_info().empty()) return {};
  if (tensor.ByteSizeLong() > kSizeThreshold || HasComment(snapshot, initializer.range) ||
      HasRecord(snapshot, initializer.range)) {
    return {};
  }
  const SourceRange entry = EntryOfList(snapshot, scope, initializer.range);
  const std::optional<TensorWords> words = WordsOf(tensor);
  if (entry == SourceRange{} || !words) return {};
  // Without `=`, the brackets would be read as dimensions.
  const std::string_view mark = words->data.starts_with('[') ? "= " : "";
  const std::string node =
      fmt::format("{} = Constant <value = {} {}{}> ()", Spelled(tensor.name()), words->type, mark, words->data);
  const auto nodes = snapshot.symbols().nodes();
  const auto first = std::ranges::find(nodes, initializer.scope, &TextNode::scope);
  const std::size_t at = first == nodes.end() ? scope.body.begin + 1 : first->range.begin;
  const bool has_line =
      first != nodes.end() && snapshot.text().substr(0, at).find_last_not_of(" \t") != scope.body.begin;
  const std::string behind = has_line ? "\n" + IndentationAt(snapshot, at) : " ";
  return {{entry, ""}, {{at, at}, (first == nodes.end() ? " " : "") + node + behind}};
}

}  // namespace onnxc::lsp
