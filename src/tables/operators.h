// The table of operators: the signatures that operators.inc, which is generated, lists. Operators that files declare
// have the same rows (tables/declared_operator.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace onnxc {

/// A set of the types in kTypeNames, by position.
struct TypeSet {
  std::uint64_t words[2];

  [[nodiscard]] constexpr bool Has(unsigned type) const {
    if (type >= 128) return IsOfAll();
    return ((words[type / 64] >> (type % 64)) & 1u) != 0;
  }
  /// Any type at all, also one that has no name there.
  [[nodiscard]] constexpr bool IsOfAll() const { return (words[0] & words[1]) == ~std::uint64_t{0}; }
};

struct DeclaredOperator;

enum class Arity : std::uint8_t { kSingle, kOptional, kVariadic };

/// A formal input or output.
struct Parameter {
  std::uint16_t name;  ///< in kOperatorWords, as all names here
  std::uint8_t arity;  ///< an Arity
  bool homogeneous;    ///< values of one type variable have one type
  std::uint8_t variable;
  std::uint8_t types;                          ///< in kTypeSets
  const DeclaredOperator* declared = nullptr;  ///< what the positions are in, of an operator that a file declares
};

struct OperatorAttribute {
  std::uint16_t name;
  std::uint8_t type;  ///< AttributeProto.AttributeType
  bool required;
  const DeclaredOperator* declared = nullptr;  ///< as in Parameter
};

/// One version of an operator: the definition that counts from opset `since` to the next one's.
struct Operator {
  static constexpr int kUnlimited = 255;  // as a maximum

  std::uint16_t name;
  std::uint8_t domain;  ///< in kOperatorDomains
  std::uint8_t since;
  bool deprecated;
  bool takes_any_attribute;
  std::uint8_t min_inputs;
  std::uint8_t max_inputs;
  std::uint8_t min_outputs;
  std::uint8_t max_outputs;
  std::uint32_t input_holes;  ///< bit N: N inputs are not allowed, though between the limits
  std::uint32_t output_holes;
  std::uint16_t first_input;  ///< in kParameters
  std::uint8_t inputs;
  std::uint16_t first_output;
  std::uint8_t outputs;
  std::uint16_t first_attribute;  ///< in kOperatorAttributes
  std::uint8_t attributes;
  const DeclaredOperator* declared = nullptr;  ///< as in Parameter
};

#include "tables/operators.inc"

}  // namespace onnxc
