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

std::string SumText(const Expression& expression);

std::string QuotientText(const Symbol& symbol) {
  const std::span<const Term> terms = symbol.dividend->terms();
  const bool is_one = terms.size() == 1 && terms.front().coefficient > 0;
  return fmt::format(fmt::runtime(is_one ? "{} / {}" : "({}) / {}"), SumText(*symbol.dividend), symbol.divisor);
}

/// A symbol among factors.
std::string FactorText(const Symbol& symbol) {
  if (symbol.dividend != nullptr) return fmt::format("({})", QuotientText(symbol));
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

/// The term without its sign.
std::string TermText(const Term& term) {
  const bool is_quotient = term.symbols.size() == 1 && (*term.symbols.begin())->dividend != nullptr;
  if (term.coefficient == 1 && is_quotient) return QuotientText(**term.symbols.begin());
  const auto sign = static_cast<std::uint64_t>(term.coefficient >> 63);  // all bits of a negative number
  const std::uint64_t size = (static_cast<std::uint64_t>(term.coefficient) ^ sign) - sign;
  std::string text = size != 1 || term.symbols.empty() ? fmt::format("{}", size) : "";
  for (const Symbol* const symbol : term.symbols) text += (text.empty() ? "" : "*") + FactorText(*symbol);
  return text;
}

/// As people write a sum: `2*N + 1`, `(K + 1) / 2`, `K - N - 1`, `1 - K`. What is subtracted goes behind what is added,
/// and numbers behind symbols.
std::string SumText(const Expression& expression) {
  const std::span<const Term> terms = expression.terms();  // a number is the first one
  std::string text;
  const auto add = [&](const Term& term) {
    const std::string_view sign = term.coefficient < 0 ? (text.empty() ? "-" : " - ") : (text.empty() ? "" : " + ");
    text.append(sign).append(TermText(term));
  };
  const bool has_number = !terms.empty() && terms.front().symbols.empty();
  for (const bool is_negative : {false, true}) {
    for (const Term& term : terms.subspan(has_number ? 1 : 0)) {
      if ((term.coefficient < 0) == is_negative) add(term);
    }
    if (has_number && (terms.front().coefficient < 0) == is_negative) add(terms.front());
  }
  return text;
}

std::string ElementName(int element_type) {
  const ElementType* const row = FindElementType(element_type);
  return row == nullptr ? "?" : std::string(row->keyword);
}

/// Long shapes are cut: each value that has one repeats it.
std::string ShapeText(const ValueType& type) {
  constexpr std::size_t kLongest = 1000;  // bytes
  if (!type.has_rank) return "[]";
  if (type.shape.empty()) return "";
  std::string text;
  for (const Dimension& dim : type.shape) {
    if (text.size() > kLongest) return "[" + text + ", ...]";
    text += (text.empty() ? "" : ", ") + ToString(dim);
  }
  return "[" + text + "]";
}

template <typename Tensor>
void WriteTensor(const ValueType& type, bool with_shapes, Tensor* tensor) {
  if (type.element_type != 0) tensor->set_elem_type(type.element_type);
  if (!type.has_rank || !with_shapes) return;
  auto* const shape = tensor->mutable_shape();
  for (const Dimension& dim : type.shape) {
    auto* const added = shape->add_dim();
    if (dim.IsNumber()) {
      added->set_dim_value(dim.number());
    } else if (!dim.symbol().empty()) {
      added->set_dim_param(dim.symbol().data(), dim.symbol().size());
    }
  }
}

void Write(const ValueType& type, bool with_shapes, onnx::TypeProto* proto) {
  const auto write_inner = [&](onnx::TypeProto* inner) {
    if (type.element != nullptr) Write(*type.element, with_shapes, inner);
  };
  switch (type.kind) {
    case ValueType::Kind::kUnknown: break;
    case ValueType::Kind::kTensor: WriteTensor(type, with_shapes, proto->mutable_tensor_type()); break;
    case ValueType::Kind::kSparseTensor: WriteTensor(type, with_shapes, proto->mutable_sparse_tensor_type()); break;
    case ValueType::Kind::kSequence: write_inner(proto->mutable_sequence_type()->mutable_elem_type()); break;
    case ValueType::Kind::kOptional: write_inner(proto->mutable_optional_type()->mutable_elem_type()); break;
    case ValueType::Kind::kMap:
      proto->mutable_map_type()->set_key_type(type.element_type);
      write_inner(proto->mutable_map_type()->mutable_value_type());
      break;
    case ValueType::Kind::kOpaque: *proto->mutable_opaque_type() = *type.opaque; break;
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
  return SumText(*dimension.expression());
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
  infer::WriteProto(type, &proto);
  return proto;
}

void infer::WriteProto(const ValueType& type, onnx::TypeProto* proto) { Write(type, true, proto); }

onnx::TypeProto infer::ToProtoWithoutShapes(const ValueType& type) {
  onnx::TypeProto proto;
  Write(type, false, &proto);
  return proto;
}

}  // namespace onnxc
