// What a function tells of an operator: as a declaration in a file of operators.
#pragma once

#include <onnxc/proto.h>

#include <optional>

#include "check/findings.h"
#include "tables/declared_operator.h"

namespace onnxc::check {

/// Whether the function only declares an operator: it has no nodes that would give its outputs.
[[nodiscard]] bool IsDeclaration(const onnx::FunctionProto& function);

struct Declared {
  DeclaredOperator definition;
  Operator row;
};

/// The operator that the function declares, by its body or without one. Nothing where its metadata are wrong, which is
/// reported.
[[nodiscard]] std::optional<Declared> ReadDeclaration(const onnx::FunctionProto& function, const Place& place,
                                                      Findings* findings);

}  // namespace onnxc::check
