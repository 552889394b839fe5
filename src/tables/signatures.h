// Looking up operators and types in the table of signatures.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/operators.h"

namespace onnxc {

/// The position of a built-in domain, or -1. "ai.onnx" is none: the reference wants the standard operators under "".
[[nodiscard]] int FindDomain(std::string_view domain);

/// The domain of the standard operators has two names: "" for "ai.onnx", any other domain as it is.
[[nodiscard]] constexpr std::string_view NodeDomain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

/// The domains in which the reference refuses operators without a signature; the previews are open.
[[nodiscard]] bool IsClosed(std::string_view domain);

/// The operators that ONNX Runtime adds to those of ONNX, in all its versions under this name. It refuses a node of the
/// domain that is neither one of them nor a function of the model.
inline constexpr std::string_view kRuntimeDomain = "com.microsoft";

/// The newest version of a built-in domain that is known.
[[nodiscard]] int NewestVersion(int domain);

/// All versions of an operator, oldest first; empty where the domain has no such operator.
[[nodiscard]] std::span<const Operator> FindVersions(int domain, std::string_view name);

/// The definition that counts at opset `version`, or null.
[[nodiscard]] const Operator* FindOperator(std::string_view domain, std::string_view name, int version);

/// Few names of operators have the same length, first, middle and last letter.
[[nodiscard]] inline std::size_t LooksOf(std::string_view name) {
  if (name.empty()) return 0;
  const auto letter = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(name[at])); };
  return name.size() + 5 * letter(0) + 3 * letter(name.size() / 2) + 7 * letter(name.size() - 1);
}

/// The names of a domain's operators that exist at opset `version` and are not deprecated.
[[nodiscard]] std::vector<std::string_view> OperatorNames(int domain, int version);

/// The name of an operator, or of a part of it.
[[nodiscard]] std::string_view Word(const Operator& op);
[[nodiscard]] std::string_view Word(const Parameter& parameter);
[[nodiscard]] std::string_view Word(const OperatorAttribute& attribute);
[[nodiscard]] std::string_view DomainOf(const Operator& op);
/// All versions of the operator, oldest first.
[[nodiscard]] std::span<const Operator> VersionsOf(const Operator& op);
[[nodiscard]] std::span<const Parameter> Inputs(const Operator& op);
[[nodiscard]] std::span<const Parameter> Outputs(const Operator& op);
[[nodiscard]] std::span<const OperatorAttribute> Attributes(const Operator& op);
[[nodiscard]] const TypeSet& Types(const Parameter& parameter);

/// A type without its shape: a position in kTypeNames, or one of these.
using TypeId = std::uint8_t;
inline constexpr TypeId kNoType = 255;     // nothing is known
inline constexpr TypeId kOtherType = 254;  // a type that no signature names

[[nodiscard]] TypeId TensorType(int element_type);
[[nodiscard]] TypeId TypeOf(const onnx::TypeProto& type);
[[nodiscard]] std::string_view NameOf(TypeId type);

/// The name of a type as signatures write it, such as "seq(tensor(float))"; empty where it is incomplete.
[[nodiscard]] std::string TypeName(const onnx::TypeProto& type);

}  // namespace onnxc
