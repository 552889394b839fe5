// What people bring along from other languages: the words for types and constants, and the spelling of numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace onnxc {

/// A number as another language spells it.
struct NumberAdvice {
  std::string replacement;  ///< how it is spelled here; empty where that is not sure
  std::string why;
};
[[nodiscard]] std::optional<NumberAdvice> AdviseNumber(std::string_view word);

/// Digits, a fraction, an exponent, and a '-' before them.
[[nodiscard]] bool IsWellFormedNumber(std::string_view word);

/// How a word that other languages have for an element type is spelled here ("fp16": "float16"), or "".
[[nodiscard]] std::string_view ElementTypeOf(std::string_view word);

/// The number of the element type that a word stands for, in any spelling; 0 where it stands for none.
[[nodiscard]] int CodeOfElementType(std::string_view word);

/// The attribute that other frameworks call `word` ("padding": "pads"), or "".
[[nodiscard]] std::string_view AttributeOf(std::string_view word);

/// What other frameworks call the word of an attribute that is a choice ("zeros": "constant"), or "".
[[nodiscard]] std::string_view ChoiceOf(std::string_view word, std::span<const std::string_view> choices);

/// The operator that other frameworks call `word`, with the same inputs and meaning ("Multiply": "Mul"), or "".
[[nodiscard]] std::string_view OperatorOf(std::string_view word);

/// The operator that does the work of what other frameworks, or earlier versions, call `word`, but takes other inputs
/// ("Linear": "Gemm", "Upsample": "Resize"), or "".
[[nodiscard]] std::string_view RelatedOperator(std::string_view word);

/// Whether others call the list of imported operator sets so: "opset", "target_opset", "imports".
[[nodiscard]] bool IsImportKey(std::string_view word);

/// What others call `true`, `None` and the like: "1", "0", or "" for nothing; no value where it is no such word.
[[nodiscard]] std::optional<std::string_view> ConstantOf(std::string_view word);

}  // namespace onnxc
