#include "lsp/words.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "lsp/context.h"
#include "tables/element_types.h"
#include "tables/small_float.h"

namespace onnxc::lsp {
namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr auto kHeaderKeys = std::to_array<Row>({
    {"ir_version", "The version of the ONNX format (IR) for which the model is written. This key is required."},
    {"opset_import", "The versions of the operator sets that are used: `[\"\" : 21, \"ai.onnx.ml\" : 5]`."},
    {"producer_name", "The tool that made the model."},
    {"producer_version", "The version of the tool that made the model."},
    {"domain",
     "In a model: its author, as a reversed domain name. In a function: the domain under which nodes call it."},
    {"model_version", "The version of the model itself, a number."},
    {"doc_string", "A description for people, in Markdown."},
    {"metadata_props", "Pairs of names and values for tools: `[\"author\" : \"somebody\"]`."},
    {"training_info", "Graphs that initialise and train the model."},
    {"configuration", "The devices to which nodes may be assigned."},
    {"overload", "Distinguishes functions with the same domain and name."},
});

constexpr auto kPragmas = std::to_array<Row>({
    {"raw", "The data of the tensors in this element are stored as bytes, in `raw_data`."},
    {"typed", "The data of the tensors in this element are stored in the field of their type, such as `float_data`."},
    {"set", "The field is present with its default value, although the text does not show it."},
    {"unset", "The field is absent, although the text shows it."},
    {"functions", "The text contains only functions, and no graph."},
    {"model", "The text begins with the graph of a model."},
});

template <typename Table>
std::string_view Meaning(const Table& table, std::string_view word) {
  for (const auto& [name, meaning] : table) {
    if (name == word) return meaning;
  }
  return {};
}

std::string RangeOfIntegers(const ElementType& type) {
  const std::uint64_t all = type.bits == 64 ? std::numeric_limits<std::uint64_t>::max() : (1ull << type.bits) - 1;
  if (!type.is_signed) return fmt::format("integers from 0 to {}", all);
  return fmt::format("integers from -{} to {}", all / 2 + 1, all / 2);
}

std::string RangeOfFloats(const ElementType& type) {
  if (type.bits == 64) return fmt::format("floating-point numbers up to {}", std::numeric_limits<double>::max());
  if (type.bits == 32) return fmt::format("floating-point numbers up to {}", std::numeric_limits<float>::max());
  return "floating-point numbers";
}

std::string RangeOfSmallFloats(const SmallFloat& format) {
  return fmt::format("floating-point numbers {} {:.6g}, with {} bits of exponent and {} of mantissa{}{}",
                     format.has_sign ? "up to" : "from 0 to", DecodeSmallFloat(format, format.max),
                     format.exponent_bits, format.mantissa_bits, format.has_infinity ? "" : ", without infinity",
                     format.nan != 0 ? "" : ", without NaN");
}

std::string RangeOfValues(const ElementType& type) {
  if (type.keyword == "bool") return "`true` and `false`, written 1 and 0";
  switch (type.literal) {
    case Literal::kInteger: return RangeOfIntegers(type);
    case Literal::kFloat: return RangeOfFloats(type);
    case Literal::kComplex:
      return fmt::format("complex numbers, of two floating-point numbers of {} bits", type.bits / 2);
    case Literal::kString: return "strings of any bytes, most often UTF-8";
    case Literal::kBits:
      if (const SmallFloat* const format = FindSmallFloat(type.code)) return RangeOfSmallFloats(*format);
      break;
    case Literal::kNone: break;
  }
  return {};
}

std::string AboutElementType(const ElementType& type) {
  std::string about = fmt::format("Element type `{}`: {}.", type.keyword, RangeOfValues(type));
  if (type.bits != 0) about += fmt::format(" An element has {} {}.", type.bits, type.bits == 1 ? "bit" : "bits");
  return about + fmt::format(" Number {}; since IR version {}.\n", type.code, type.since);
}

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Returns the description of the word of the pragma that is at the offset or directly before it.
AboutWord AboutPragma(std::string_view text, SourceRange pragma, std::size_t offset) {
  SourceRange word = {offset, offset};
  while (word.begin > pragma.begin && IsLetter(text[word.begin - 1])) --word.begin;
  while (word.end < pragma.end && IsLetter(text[word.end])) ++word.end;
  const std::string_view name = text.substr(word.begin, word.end - word.begin);
  const std::string_view meaning = Meaning(kPragmas, name);
  if (meaning.empty()) return {};
  return {word, fmt::format("Pragma `{}`: {}\n", name, meaning)};
}

}  // namespace

std::string_view MeaningOfHeaderKey(std::string_view key) { return Meaning(kHeaderKeys, key); }

AboutWord AboutWordAt(const View& view, std::size_t offset) {
  const std::string_view text = view.current().text();
  const std::optional<TextToken> token = TokenAt(view, offset);
  if (!token) return {};
  if (token->kind == TokenKind::kPragma) return AboutPragma(text, token->range, offset);
  const std::string_view word = view.current().TextOf(token->range);
  if (token->kind == TokenKind::kKeyword) {
    if (const ElementType* const type = FindElementType(word)) return {token->range, AboutElementType(*type)};
  }
  if (token->kind == TokenKind::kName && ContextAt(view, token->range.begin).slot == Slot::kHeaderKey) {
    if (const std::string_view meaning = MeaningOfHeaderKey(word); !meaning.empty()) {
      return {token->range, fmt::format("Key `{}`: {}\n", word, meaning)};
    }
  }
  return {};
}

}  // namespace onnxc::lsp
