// Completes error messages about names that a model does not have.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/meant.h"

namespace onnxc::edit {

/// The names that a model has. The memory of the strings must outlive this object.
class KnownNames {
 public:
  explicit KnownNames(std::vector<std::string_view> names) : names_(std::move(names)) {
    std::ranges::sort(names_);  // so that a suggestion does not depend on the order of a hash table
  }

  [[nodiscard]] const std::vector<std::string_view>& sorted() const { return names_; }

  /// Returns the end of a message about an unknown name, such as "; did you mean 'x'?", or "". A search takes time that
  /// is linear in the length of all names. So only the first calls search; of many findings of a kind, people see one.
  [[nodiscard]] std::string SuggestionFor(std::string_view name) {
    constexpr int kMostSearches = 20;
    return searches_++ < kMostSearches ? Suggestion(name, MeantName(name, names_)) : "";
  }

 private:
  std::vector<std::string_view> names_;
  int searches_ = 0;
};

}  // namespace onnxc::edit
