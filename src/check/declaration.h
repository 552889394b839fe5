// Reads operator declarations: functions in a file of operators that describe the signature of an operator.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "check/findings.h"
#include "tables/declared_operator.h"

namespace onnxc::check {

/// Returns whether the function only declares an operator, because it has no nodes that compute its outputs.
[[nodiscard]] bool IsDeclaration(const onnx::FunctionProto& function);

struct Declared {
  DeclaredOperator definition;
  Operator row;
};

/// Returns the operator that the function declares, with or without a body. Returns nothing if its metadata have
/// errors, which are reported.
[[nodiscard]] std::optional<Declared> ReadDeclaration(const onnx::FunctionProto& function, const Place& place,
                                                      Findings* findings);

}  // namespace onnxc::check
