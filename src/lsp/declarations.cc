#include "lsp/declarations.h"

#include <fmt/format.h>
#include <onnxc/printer.h>

#include <utility>

#include "lsp/parts.h"
#include "symbols/spelling.h"

namespace onnxc::lsp {
namespace {

/// Returns whether the type can be written as text, which requires that all its element types are known.
bool HasWords(const ValueType& type) {
  switch (type.kind) {
    case ValueType::Kind::kUnknown: return false;
    case ValueType::Kind::kTensor:
    case ValueType::Kind::kSparseTensor: return type.element_type != 0;
    case ValueType::Kind::kMap: return type.element_type != 0 && type.element != nullptr && HasWords(*type.element);
    case ValueType::Kind::kSequence:
    case ValueType::Kind::kOptional: return type.element != nullptr && HasWords(*type.element);
    case ValueType::Kind::kOpaque: return true;
  }
  return false;
}

/// Returns a lower bound of the size in bytes of the type's text.
std::size_t SizeOfText(const ValueType& type) {
  constexpr std::size_t kWord = 24;  // bytes for a type name or a number
  std::size_t size = kWord;
  for (const Dimension& dim : type.shape) size += kWord + dim.symbol().size();
  return type.element == nullptr ? size : size + SizeOfText(*type.element);
}

/// Returns declarations of the values that nodes of the graph or function compute and that have no declared type.
/// Returns no declarations if their text would exceed the limit for an answer.
template <typename GraphOrFunction>
std::vector<std::string> Undeclared(const Snapshot& snapshot, SymbolId scope, const GraphOrFunction& message) {
  const NameSet declared = DeclaredIn(snapshot, scope);
  std::vector<std::string> declarations;
  RoomForTypes room(snapshot);
  for (const onnx::NodeProto& node : message.node()) {
    for (const std::string& name : node.output()) {
      if (name.empty() || declared.contains(name)) continue;
      const SymbolId symbol = snapshot.symbols().FindValue(scope, name);
      const InferredValue* const known = symbol == kNoSymbol ? nullptr : snapshot.TypeOf(symbol);
      if (known == nullptr || known->name != name) continue;
      if (!room.Take(known->type)) return {};
      std::string declaration = DeclarationOf(*known);
      if (!declaration.empty()) declarations.push_back(std::move(declaration));
    }
  }
  return declarations;
}

}  // namespace

bool RoomForTypes::Take(const ValueType& type) {
  const std::size_t size = SizeOfText(type);
  left_ = size < left_ ? left_ - size : 0;
  return left_ != 0;
}

std::string DeclarationOf(const InferredValue& value) {
  if (!HasWords(value.type)) return {};
  const onnx::TypeProto type = ToProto(value.type);
  const PrintResult printed = Print(type);
  return printed.diagnostics.ok() ? fmt::format("{} {}", printed.text, Spelled(value.name)) : std::string();
}

NameSet DeclaredIn(const Snapshot& snapshot, SymbolId scope) {
  const google::protobuf::Message* const message = snapshot.parsed().messages[scope];
  NameSet declared;
  const auto add = [&](const google::protobuf::RepeatedPtrField<onnx::ValueInfoProto>& values) {
    for (const onnx::ValueInfoProto& value : values) declared.insert(value.name());
  };
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message)) {
    add(graph->output());
    add(graph->value_info());
  }
  if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(message)) {
    declared.insert(function->output().begin(), function->output().end());
    add(function->value_info());
  }
  return declared;
}

std::vector<FixIt> DeclareTypes(const Snapshot& snapshot, SymbolId scope) {
  const google::protobuf::Message* const message = snapshot.parsed().messages[scope];
  std::vector<std::string> entries;
  if (const auto* graph = dynamic_cast<const onnx::GraphProto*>(message)) {
    entries = Undeclared(snapshot, scope, *graph);
  } else if (const auto* function = dynamic_cast<const onnx::FunctionProto*>(message)) {
    entries = Undeclared(snapshot, scope, *function);
  }
  return AddToList(snapshot, snapshot.symbols().scopes()[scope], entries);
}

}  // namespace onnxc::lsp
