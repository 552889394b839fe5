// The tables of operator signatures in operators/signatures/, which are generated. Operators that files declare have
// the same kind of rows (tables/declared_operator.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace onnxc {

/// A set of types, stored as indices of kTypeNames.
struct TypeSet {
  std::uint64_t words[2];

  [[nodiscard]] constexpr bool Has(unsigned type) const {
    if (type >= 128) return IsOfAll();
    return ((words[type / 64] >> (type % 64)) & 1u) != 0;
  }
  /// Returns whether the set contains every type, even types that are not in kTypeNames.
  [[nodiscard]] constexpr bool IsOfAll() const { return (words[0] & words[1]) == ~std::uint64_t{0}; }
};

struct DeclaredOperator;

enum class Arity : std::uint8_t { kSingle, kOptional, kVariadic };

/// An input or output in the signature of an operator.
struct Parameter {
  std::uint16_t name;  ///< index in kOperatorWords, as for all names here
  std::uint8_t arity;  ///< an Arity
  bool homogeneous;    ///< all values of the type variable must have the same type
  std::uint8_t variable;
  std::uint8_t types;                          ///< index in kTypeSets
  const DeclaredOperator* declared = nullptr;  ///< if not null, the indices refer to its lists
};

struct OperatorAttribute {
  std::uint16_t name;
  std::uint8_t type;  ///< AttributeProto.AttributeType
  bool required;
  const DeclaredOperator* declared = nullptr;  ///< see Parameter
};

/// One version of an operator: its definition from operator set version `since` up to the next definition.
struct Operator {
  static constexpr int kUnlimited = 255;  // value of a maximum without limit

  std::uint16_t name;
  std::uint8_t domain;  ///< index in kOperatorDomains
  std::uint8_t since;
  bool deprecated;
  bool takes_any_attribute;
  std::uint8_t min_inputs;
  std::uint8_t max_inputs;
  std::uint8_t min_outputs;
  std::uint8_t max_outputs;
  std::uint32_t input_holes;  ///< bit N: N inputs are not allowed, although N is between the limits
  std::uint32_t output_holes;
  std::uint16_t first_input;  ///< index in kParameters
  std::uint8_t inputs;
  std::uint16_t first_output;
  std::uint8_t outputs;
  std::uint16_t first_attribute;  ///< index in kOperatorAttributes
  std::uint8_t attributes;
  const DeclaredOperator* declared = nullptr;  ///< see Parameter
};

#include "tables/operators/signatures.inc"

}  // namespace onnxc
