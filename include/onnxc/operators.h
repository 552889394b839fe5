// Operators beside those that onnxc knows, as files declare them.
#pragma once

#include <onnxc/linker.h>

#include <memory>
#include <vector>

namespace onnxc {

class DeclaredOperators;

/// What files say of operators, for CheckOptions and InferOptions: a cheap value.
///
/// A file of operators is a text (or a message) of functions alone. A function without nodes is a declaration: its
/// inputs, outputs and attributes are those of the operator. A function with nodes is one, too; it tells the types of
/// its outputs by them. docs/operators.md has the rules.
class Operators {
 public:
  Operators() = default;  // none

  /// Reads what the files say, and keeps them. What is wrong with them is added to `found`, grouped by source; what
  /// is wrong is left out. An operator that is declared twice, or that onnxc knows already, is an error.
  [[nodiscard]] static Operators From(std::vector<LinkInput> files, std::vector<SourceFindings>* found);

  [[nodiscard]] const DeclaredOperators* declared() const { return declared_.get(); }

 private:
  std::shared_ptr<const DeclaredOperators> declared_;
};

}  // namespace onnxc
