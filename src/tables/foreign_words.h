// Words for types and constants, and spellings of numbers, that people use because other languages have them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace onnxc {

/// A number as another language spells it.
struct NumberAdvice {
  std::string replacement;  ///< the spelling in the ONNX text syntax; empty if it is not certain
  std::string why;
};
[[nodiscard]] std::optional<NumberAdvice> AdviseNumber(std::string_view word);

/// Returns whether the word is a decimal number, with an optional '-', fraction and exponent.
[[nodiscard]] bool IsWellFormedNumber(std::string_view word);

/// Returns the keyword of the element type that other languages call `word` ("fp16": "float16"), or "" if there is
/// none.
[[nodiscard]] std::string_view ElementTypeOf(std::string_view word);

/// Returns the number of the element type that a word means in any language, or 0 if there is none.
[[nodiscard]] int CodeOfElementType(std::string_view word);

/// Returns whether a number in an attribute of this name, such as `to` or `dtype`, is the number of an element type.
[[nodiscard]] inline bool IsOfElementType(std::string_view attribute) {
  return attribute == "to" || attribute.find("type") != std::string_view::npos;
}

/// Returns the attribute that other frameworks call `word` ("padding": "pads") and for which `is_one` returns true, or
/// "" if there is none.
[[nodiscard]] std::string_view AttributeOf(std::string_view word, const std::function<bool(std::string_view)>& is_one);

/// Returns the member of `choices` that other frameworks call `word` ("zeros": "constant"), or "" if there is none.
[[nodiscard]] std::string_view ChoiceOf(std::string_view word, std::span<const std::string_view> choices);

/// Returns the operator that other frameworks call `word` and that has the same inputs and meaning ("Multiply": "Mul"),
/// or "" if there is none.
[[nodiscard]] std::string_view OperatorOf(std::string_view word);

/// Returns the operator of ONNX that has the same purpose as the operator `word` of other frameworks or of earlier
/// versions of ONNX, but other inputs ("Linear": "Gemm", "Upsample": "Resize"). Returns "" if there is none.
[[nodiscard]] std::string_view RelatedOperator(std::string_view word);

/// Returns the operators that together do what other frameworks call `word` ("SiLU": "Sigmoid and Mul"), or "" if that
/// is not known.
[[nodiscard]] std::string_view ComposedOperators(std::string_view word);

/// Returns the word without a number of dimensions at its end ("Conv2d": "Conv").
[[nodiscard]] std::string_view WithoutDimensions(std::string_view word);

/// Returns whether the word is another name for the list of imported operator sets: "opset", "target_opset", "imports".
[[nodiscard]] bool IsImportKey(std::string_view word);

/// Returns the value of a constant of other languages such as `true` and `None`: "1", "0", or "" if it means the
/// absence of a value. Returns nothing if the word is not such a constant.
[[nodiscard]] std::optional<std::string_view> ConstantOf(std::string_view word);

}  // namespace onnxc
