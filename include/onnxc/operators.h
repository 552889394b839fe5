// Operators that files declare, in addition to those that onnxc knows.
#pragma once

#include <onnxc/linker.h>

#include <memory>
#include <vector>

namespace onnxc {

class DeclaredOperators;
class OperatorTable;

/// The operators that files declare, for CheckOptions and InferOptions. Copies are cheap.
///
/// A file of operators is a text (or a message) of functions alone. A function without nodes is a declaration: its
/// inputs, outputs and attributes are those of the operator. A function with nodes is one, too; the types of its
/// outputs follow from the nodes. docs/operators.md has the rules.
class Operators {
 public:
  Operators() = default;  // none

  /// Reads what the files say, and keeps them. Findings are added to `*found`, which must not be null, grouped by
  /// source; wrong declarations are left out. An operator that is declared twice, or that onnxc knows already, is an
  /// error.
  [[nodiscard]] static Operators From(std::vector<LinkInput> files, std::vector<SourceFindings>* found);

 private:
  friend class OperatorTable;
  std::shared_ptr<const DeclaredOperators> declared_;
};

}  // namespace onnxc
