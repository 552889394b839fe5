// Types and dimensions as text and as messages.
#include <fmt/format.h>

#include "infer/memory.h"
#include "source/report.h"
#include "source/unicode.h"
#include "tables/element_types.h"

namespace onnxc {
namespace {

using infer::Expression;
using infer::Symbol;
using infer::Term;

/// As it may be shown. A long one is cut: each value that has it repeats it.
std::string Name(std::string_view name) {
  constexpr std::size_t kLongest = 256;  // bytes
  return name.size() <= kLongest ? Shown(name) : Quoted(name);
}

std::string SymbolText(const Symbol& symbol) {
  if (symbol.dividend != nullptr) {
    return fmt::format("({} / {})", ToString(Dimension(symbol.dividend)), symbol.divisor);
  }
  return symbol.name.empty() ? "?" : Name(symbol.name);
}

/// False where a symbol without a name is in it.
bool HasWords(const Expression& expression) {
  for (const Term& term : expression.terms()) {
    for (const Symbol* const symbol : term.symbols) {
      if (symbol->dividend != nullptr ? !HasWords(*symbol->dividend) : symbol->name.empty()) return false;
    }
  }
  return true;
}

std::string TermText(const Term& term) {
  std::string text;
  if (term.coefficient != 1 || term.symbols.empty()) text = fmt::format("{}", term.coefficient);
  for (const Symbol* const symbol : term.symbols) text += (text.empty() ? "" : "*") + SymbolText(*symbol);
  return text;
}

std::string ElementName(int element_type) {
  const ElementType* const row = FindElementType(element_type);
  return row == nullptr ? "?" : std::string(row->keyword);
}

std::string ShapeText(const ValueType& type) {
  if (!type.has_rank) return "[]";
  if (type.shape.empty()) return "";
  std::string text;
  for (const Dimension& dim : type.shape) text += (text.empty() ? "" : ", ") + ToString(dim);
  return "[" + text + "]";
}

template <typename Tensor>
void WriteTensor(const ValueType& type, Tensor* tensor) {
  if (type.element_type != 0) tensor->set_elem_type(type.element_type);
  if (!type.has_rank) return;
  auto* const shape = tensor->mutable_shape();
  for (const Dimension& dim : type.shape) {
    auto* const added = shape->add_dim();
    if (dim.IsNumber()) {
      added->set_dim_value(dim.number());
    } else if (!dim.symbol().empty()) {
      added->set_dim_param(std::string(dim.symbol()));
    }
  }
}

}  // namespace

std::string_view Dimension::symbol() const {
  const Symbol* const symbol = expression() == nullptr ? nullptr : expression()->AsSymbol();
  return symbol == nullptr ? std::string_view() : symbol->name;
}

std::string ToString(const Dimension& dimension) {
  if (dimension.IsNumber()) return fmt::format("{}", dimension.number());
  if (dimension.IsUnknown() || !HasWords(*dimension.expression())) return "?";
  if (!dimension.symbol().empty()) return Name(dimension.symbol());
  std::string text;
  // The number goes last: 2*N + 1.
  const std::span<const Term> terms = dimension.expression()->terms();
  for (const Term& term : terms) {
    if (!term.symbols.empty()) text += (text.empty() ? "" : " + ") + TermText(term);
  }
  if (terms.front().symbols.empty()) text += " + " + TermText(terms.front());
  return "(" + text + ")";
}

std::string ToString(const ValueType& type) {
  const auto inner = [&] { return type.element == nullptr ? std::string("?") : ToString(*type.element); };
  switch (type.kind) {
    case ValueType::Kind::kUnknown: return "?";
    case ValueType::Kind::kTensor: return ElementName(type.element_type) + ShapeText(type);
    case ValueType::Kind::kSparseTensor:
      return "sparse_tensor(" + ElementName(type.element_type) + ShapeText(type) + ")";
    case ValueType::Kind::kSequence: return "seq(" + inner() + ")";
    case ValueType::Kind::kOptional: return "optional(" + inner() + ")";
    case ValueType::Kind::kMap: return "map(" + ElementName(type.element_type) + ", " + inner() + ")";
    case ValueType::Kind::kOpaque:
      return "opaque(" + Name(type.opaque->domain()) + ", " + Name(type.opaque->name()) + ")";
  }
  return {};
}

onnx::TypeProto ToProto(const ValueType& type) {
  onnx::TypeProto proto;
  const auto inner = [&] { return type.element == nullptr ? onnx::TypeProto() : ToProto(*type.element); };
  switch (type.kind) {
    case ValueType::Kind::kUnknown: break;
    case ValueType::Kind::kTensor: WriteTensor(type, proto.mutable_tensor_type()); break;
    case ValueType::Kind::kSparseTensor: WriteTensor(type, proto.mutable_sparse_tensor_type()); break;
    case ValueType::Kind::kSequence: *proto.mutable_sequence_type()->mutable_elem_type() = inner(); break;
    case ValueType::Kind::kOptional: *proto.mutable_optional_type()->mutable_elem_type() = inner(); break;
    case ValueType::Kind::kMap:
      proto.mutable_map_type()->set_key_type(type.element_type);
      *proto.mutable_map_type()->mutable_value_type() = inner();
      break;
    case ValueType::Kind::kOpaque: *proto.mutable_opaque_type() = *type.opaque; break;
  }
  return proto;
}

}  // namespace onnxc
