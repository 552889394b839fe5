// Reads operator declarations: functions in a file of operators that describe the signature of an operator.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <string_view>

#include "check/findings.h"
#include "tables/declared_operator.h"

namespace onnxc::check {

/// Returns whether the function only declares an operator, because it has no nodes that compute its outputs.
[[nodiscard]] bool IsDeclaration(const onnx::FunctionProto& function);

/// Returns whether this key of a function's metadata may declare a parameter or a type variable. Other keys are those
/// of tools, such as "pkg.torch.onnx.name".
[[nodiscard]] inline bool IsDeclaringKey(std::string_view key) {
  return key.find_first_of("./:") == std::string_view::npos;
}

struct Declared {
  DeclaredOperator definition;
  Operator row;
};

/// Returns the operator that the function declares, with or without a body. Returns nothing if its metadata have
/// errors, which are reported.
[[nodiscard]] std::optional<Declared> ReadDeclaration(const onnx::FunctionProto& function, const Place& place,
                                                      Findings* findings);

}  // namespace onnxc::check
