// An operator that a file declares. Like a built-in operator, it has a row (Operator). The indices in its row refer to
// the lists of the DeclaredOperator; in a row of a built-in operator, they refer to the generated tables.
#pragma once

#include <onnxc/proto.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tables/operators.h"

namespace onnxc {

/// An input or output as its declaration describes it.
struct DeclaredFormal {
  std::optional<onnx::TypeProto> type = {};  ///< for a type variable: a tensor of any element type
  bool has_variable = false;
};

struct DeclaredOperator {
  std::string domain = {};
  std::vector<std::string> words = {};  ///< the name of the operator, then the names of its parts
  std::vector<TypeSet> types = {};
  std::vector<Parameter> parameters = {};  ///< inputs, then outputs
  std::vector<OperatorAttribute> attributes = {};
  std::vector<std::vector<std::string_view>> choices = {};  ///< choices of each attribute
  std::vector<std::string> texts = {};                      ///< in the order of operators/docs/text_ids.inc
  std::vector<DeclaredFormal> formals = {};                 ///< declarations of the parameters
  const onnx::FunctionProto* function = nullptr;            ///< the declaration
  bool has_body = false;                    ///< `function` has nodes, from which the types of the outputs follow
  std::string where = {};                   ///< the place of the declaration, for messages
  std::span<const Operator> versions = {};  ///< all versions of this operator, oldest first

  [[nodiscard]] std::span<const Parameter> Inputs(const Operator& op) const {
    return std::span(parameters).first(op.inputs);
  }
  [[nodiscard]] std::span<const Parameter> Outputs(const Operator& op) const {
    return std::span(parameters).subspan(op.inputs);
  }
};

}  // namespace onnxc
