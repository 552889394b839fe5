// Operators that files declare, in addition to those that onnxc knows.
#pragma once

#include <onnxc/linker.h>

#include <memory>
#include <vector>

namespace onnxc {

class DeclaredOperators;
class OperatorTable;

/// Operators that files declare, for CheckOptions and InferOptions. Copies are cheap.
///
/// A file of operators is a text (or a message) with only functions. A function without nodes declares an operator: the
/// inputs, outputs and attributes of the function are those of the operator. A function with nodes declares an
/// operator, too; the types of the operator's outputs follow from the nodes. docs/operators.md has the rules.
class Operators {
 public:
  Operators() = default;  // no operators

  /// Returns the operators that the files declare. Adds the findings to `*found`, grouped by source; `found` must not
  /// be null. Wrong declarations are left out. It is an error if an operator is declared twice or is already known to
  /// onnxc.
  [[nodiscard]] static Operators From(std::vector<LinkInput> files, std::vector<SourceFindings>* found);

 private:
  friend class OperatorTable;
  std::shared_ptr<const DeclaredOperators> declared_;
};

}  // namespace onnxc
