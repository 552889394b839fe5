// An operator that a file declares: what its row refers to, which is as those of the built-in ones are.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/operators.h"

namespace onnxc {

/// A formal input or output, as its declaration tells it.
struct DeclaredFormal {
  std::optional<onnx::TypeProto> type = {};  ///< of a type variable: a tensor of any element type
  bool has_variable = false;
};

struct DeclaredOperator {
  std::string domain = {};
  std::vector<std::string> words = {};  ///< the name of the operator, then those of its parts
  std::vector<TypeSet> types = {};
  std::vector<Parameter> parameters = {};  ///< inputs, then outputs
  std::vector<OperatorAttribute> attributes = {};
  std::vector<std::vector<std::string_view>> choices = {};  ///< of each attribute
  std::vector<std::string> texts = {};  ///< in the order of operator_docs.inc: of the operator, then those of its parts
  std::vector<DeclaredFormal> formals = {};       ///< of each parameter
  const onnx::FunctionProto* function = nullptr;  ///< where it is declared
  bool has_body = false;                          ///< which tells the types of its outputs
  std::string where = {};                         ///< the place of the declaration, for messages
  std::span<const Operator> versions = {};        ///< of this operator, oldest first

  [[nodiscard]] std::span<const Parameter> Inputs(const Operator& op) const {
    return std::span(parameters).first(op.inputs);
  }
  [[nodiscard]] std::span<const Parameter> Outputs(const Operator& op) const {
    return std::span(parameters).subspan(op.inputs);
  }
};

}  // namespace onnxc
