// Writes types and dimensions as text and as messages.
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

/// Returns the name of a symbol as messages show it. A long name is shortened, because the type of each value with this
/// symbol repeats the name.
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

/// Returns a symbol as a factor of a product.
std::string FactorText(const Symbol& symbol) {
  if (symbol.dividend != nullptr) return fmt::format("({})", QuotientText(symbol));
  return symbol.name.empty() ? "?" : Name(symbol.name);
}

/// Returns whether all symbols in the expression have names.
bool HasWords(const Expression& expression) {
  for (const Term& term : expression.terms()) {
    for (const Symbol* const symbol : term.symbols) {
      if (symbol->dividend != nullptr ? !HasWords(*symbol->dividend) : symbol->name.empty()) return false;
    }
  }
  return true;
}

/// Returns the term without its sign.
std::string TermText(const Term& term) {
  const bool is_quotient = term.symbols.size() == 1 && (*term.symbols.begin())->dividend != nullptr;
  if (term.coefficient == 1 && is_quotient) return QuotientText(**term.symbols.begin());
  const auto sign = static_cast<std::uint64_t>(term.coefficient >> 63);  // all bits are set if the number is negative
  const std::uint64_t size = (static_cast<std::uint64_t>(term.coefficient) ^ sign) - sign;
  std::string text = size != 1 || term.symbols.empty() ? fmt::format("{}", size) : "";
  for (const Symbol* const symbol : term.symbols) text += (text.empty() ? "" : "*") + FactorText(*symbol);
  return text;
}

/// Writes a sum as people do: `2*N + 1`, `(K + 1) / 2`, `K - N - 1`, `1 - K`. Subtracted terms follow added ones, and
/// numbers follow symbols.
std::string SumText(const Expression& expression) {
  const std::span<const Term> terms = expression.terms();  // a number is always the first term
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

void AppendElement(int element_type, std::string* text) {
  const ElementType* const row = FindElementType(element_type);
  text->append(row == nullptr ? "?" : row->keyword);
}

void AppendDimension(const Dimension& dimension, std::string* text) {
  if (dimension.IsNumber()) {
    const fmt::format_int number(dimension.number());
    text->append(number.data(), number.size());
  } else if (const std::string_view symbol = dimension.symbol(); !symbol.empty()) {
    text->append(Name(symbol));
  } else if (dimension.IsUnknown() || !HasWords(*dimension.expression())) {
    text->push_back('?');
  } else {
    text->append(SumText(*dimension.expression()));
  }
}

/// Appends the shape to the text. A long shape is shortened, because the type of each value with this shape repeats it.
void AppendShape(const ValueType& type, std::string* text) {
  constexpr std::size_t kLongest = 1000;  // bytes
  if (!type.has_rank) text->append("[]");
  if (type.shape.empty()) return;
  const std::size_t begin = text->size() + 1;
  for (const Dimension& dim : type.shape) {
    text->append(text->size() < begin ? "[" : ", ");
    if (text->size() > begin + kLongest + 2) {
      text->append("...");
      break;
    }
    AppendDimension(dim, text);
  }
  text->push_back(']');
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
  std::string text;
  AppendDimension(dimension, &text);
  return text;
}

std::string ToString(const ValueType& type) {
  std::string text;
  AppendText(type, &text);
  return text;
}

void AppendText(const ValueType& type, std::string* text) {
  const auto inner = [&] { type.element == nullptr ? text->push_back('?') : AppendText(*type.element, text); };
  const auto tensor = [&] {
    AppendElement(type.element_type, text);
    AppendShape(type, text);
  };
  // Writes a word, followed by brackets around what `write` writes.
  const auto in = [&](std::string_view word, const auto& write) {
    text->append(word).push_back('(');
    write();
    text->push_back(')');
  };
  switch (type.kind) {
    case ValueType::Kind::kUnknown: return text->push_back('?');
    case ValueType::Kind::kTensor: return tensor();
    case ValueType::Kind::kSparseTensor: return in("sparse_tensor", tensor);
    case ValueType::Kind::kSequence: return in("seq", inner);
    case ValueType::Kind::kOptional: return in("optional", inner);
    case ValueType::Kind::kMap:
      return in("map", [&] {
        AppendElement(type.element_type, text);
        text->append(", ");
        inner();
      });
    case ValueType::Kind::kOpaque:
      return in("opaque",
                [&] { text->append(Name(type.opaque->domain())).append(", ").append(Name(type.opaque->name())); });
  }
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
