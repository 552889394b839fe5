// Completes error messages about names that a model does not have.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

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

/// Returns an error for each name in `missing`, which the model lacks. `what` is a word for the things that have such
/// names, and `names` contains the names that the model has.
[[nodiscard]] Diagnostics MissingNames(std::string_view what, const std::vector<std::string_view>& missing,
                                       std::vector<std::string_view> names);

/// Returns an error for each name in `missing`, which is not a value of the main graph. The error says where in the
/// model such a value or node is, or which of the main graph's `values` has a similar name. `places` may be null.
[[nodiscard]] Diagnostics MissingValues(const onnx::ModelProto& model, const std::vector<std::string_view>& missing,
                                        std::vector<std::string_view> values, const SourceMap* places);

}  // namespace onnxc::edit
