// Looks up operators and types in the table of signatures.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/operators.h"

namespace onnxc {

/// Returns the index of a built-in domain, or -1. "ai.onnx" returns -1, because the reference requires "" for the
/// standard operators.
[[nodiscard]] int FindDomain(std::string_view domain);

/// Returns "" for "ai.onnx", the other name of the domain of the standard operators, and any other domain unchanged.
[[nodiscard]] constexpr std::string_view NodeDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

/// Returns whether the reference refuses a node of this domain if its operator has no signature. In the preview
/// domains, the reference accepts such nodes.
[[nodiscard]] bool IsClosed(std::string_view domain);

/// The domain of the operators that ONNX Runtime adds to those of ONNX. ONNX Runtime refuses a node in this domain that
/// is neither one of these operators nor a call of a function of the model.
inline constexpr std::string_view kRuntimeDomain = "com.microsoft";

/// Returns the newest known version of a built-in domain.
[[nodiscard]] int NewestVersion(int domain);

/// Returns all versions of an operator, oldest first. Returns none if the domain has no such operator.
[[nodiscard]] std::span<const Operator> FindVersions(int domain, std::string_view name);

/// Returns the definition of an operator in operator set version `version`, or null if there is none.
[[nodiscard]] const Operator* FindOperator(std::string_view domain, std::string_view name, int version);

/// A cheap hash of the length and the first, middle and last letter, which few names of operators have in common.
[[nodiscard]] inline std::size_t LooksOf(std::string_view name) {
  if (name.empty()) return 0;
  const auto letter = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(name[at])); };
  return name.size() + 5 * letter(0) + 3 * letter(name.size() / 2) + 7 * letter(name.size() - 1);
}

/// Returns the names of a domain's operators that exist in operator set version `version` and are not deprecated.
[[nodiscard]] std::vector<std::string_view> OperatorNames(int domain, int version);

/// Returns the name of an operator, or of a part of it.
[[nodiscard]] std::string_view Word(const Operator& op);
[[nodiscard]] std::string_view Word(const Parameter& parameter);
[[nodiscard]] std::string_view Word(const OperatorAttribute& attribute);
[[nodiscard]] std::string_view DomainOf(const Operator& op);
/// Returns all versions of the operator, oldest first.
[[nodiscard]] std::span<const Operator> VersionsOf(const Operator& op);
[[nodiscard]] std::span<const Parameter> Inputs(const Operator& op);
[[nodiscard]] std::span<const Parameter> Outputs(const Operator& op);
[[nodiscard]] std::span<const OperatorAttribute> Attributes(const Operator& op);
[[nodiscard]] const TypeSet& Types(const Parameter& parameter);

/// A type without its shape: an index in kTypeNames, or one of the constants below.
using TypeId = std::uint8_t;
inline constexpr TypeId kNoType = 255;     // the type is not known
inline constexpr TypeId kOtherType = 254;  // a type that occurs in no signature

[[nodiscard]] TypeId TensorType(int element_type);
[[nodiscard]] TypeId TypeOf(const onnx::TypeProto& type);
[[nodiscard]] std::string_view NameOf(TypeId type);

/// Returns the name of a type as signatures write it, such as "seq(tensor(float))". Returns "" if the type is
/// incomplete.
[[nodiscard]] std::string TypeName(const onnx::TypeProto& type);

}  // namespace onnxc
