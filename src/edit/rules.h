// Rules that assign new names.
#pragma once

#include <onnxc/rename.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::edit {

/// Compiled RenameOptions.
class Rules {
 public:
  /// Errors in expressions are added to `found`.
  Rules(const RenameOptions& options, Diagnostics* found);
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;
  ~Rules();

  struct Answer {
    std::size_t rule = 0;
    std::string name;
    std::string error = {};  ///< why there is no new name; "" if there is one
  };
  /// Returns the first rule that matches and the new name, or nothing if no rule matches. Throws std::bad_alloc if an
  /// expression needs more memory than there is.
  [[nodiscard]] std::optional<Answer> NewName(std::string_view name) const;

  /// Returns whether the expression of a rule matches the name. An earlier rule may match it as well.
  [[nodiscard]] bool Matches(std::size_t rule, const std::string& name) const;

 private:
  struct Expression;
  const RenameOptions& options_;
  NameMap<std::size_t> exact_;
  std::vector<std::unique_ptr<Expression>> expressions_;
};

}  // namespace onnxc::edit
