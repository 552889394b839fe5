// Stores the findings and types of a version of a text, so that in a later version only the nodes that have changed are
// checked.
#pragma once

#include <onnxc/checker.h>
#include <onnxc/infer.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "check/graph_names.h"
#include "infer/again.h"
#include "lower/read_version.h"
#include "source/common_ends.h"

namespace onnxc::verdict {

/// A version of a text that has no errors and was checked as a whole. All functions are thread-safe.
class Version {
 public:
  /// `found` and `types` are the results of Check(); `types` is null if they were not inferred. `owner` owns `read`.
  Version(std::shared_ptr<const void> owner, const lower::ReadVersion& read, Diagnostics found,
          std::shared_ptr<const Inference> types)
      : owner_(std::move(owner)), read_(read), found_(std::move(found)), types_(std::move(types)) {}
  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  /// The nodes in which another version differs from this one, and what is known about these nodes. A Change is valid
  /// as long as this version and the messages of the other version exist.
  struct Change {
    check::Replacement nodes = {};
    check::ReadNames read = {};
    SourceRange range = {};    ///< the part of this version's text that is replaced
    std::ptrdiff_t shift = 0;  ///< how far the text after this part has moved
    std::optional<infer::InferredNodes> inferred = {};
  };
  /// Returns nothing unless only nodes of the model's graph have changed, and the findings about all other parts are
  /// certainly the same. `same` is what both texts are known to have in common.
  [[nodiscard]] std::optional<Change> Compare(const lower::ReadVersion& now, CommonEnds same = {}) const;

  /// Returns what Check() returns for the other version with the same rules, or nothing if the whole of that version
  /// must be checked.
  [[nodiscard]] std::optional<Diagnostics> CheckAgain(Change* change, const CheckOptions& rules) const;

  /// The types of the values of another version's graph.
  struct Types {
    Change change;
    /// Maps each graph or function that was parsed again to its counterpart in this version.
    std::unordered_map<const google::protobuf::Message*, const google::protobuf::Message*> before = {};
  };
  /// Returns the types of the other version, or nothing if the whole of that version must be inferred. The other
  /// version may have errors. The types are valid as long as the change.
  [[nodiscard]] std::optional<Types> InferAgain(Change change, const Operators& operators) const;

  /// Returns what is known about a value of the graph, or null.
  [[nodiscard]] const InferredValue* Find(const Types& types, std::string_view name) const;

  /// Returns the values of another graph, or of a function, of the other version.
  [[nodiscard]] std::span<const InferredValue> ValuesOf(const Types& types,
                                                        const google::protobuf::Message& graph_or_function) const;

 private:
  [[nodiscard]] std::optional<Change> FindChange(const lower::ReadVersion& now, CommonEnds same) const;
  [[nodiscard]] bool IsOfUnusedInGraph(const Diagnostic& finding) const;
  [[nodiscard]] bool IsInGraphOfNode(SourceRange place, int first_nodes) const;
  [[nodiscard]] std::optional<Diagnostics> FoundBeside(const Change& change) const;
  [[nodiscard]] bool Infer(const Operators& operators, Change* change) const;
  [[nodiscard]] bool HaveSameTypes(const Change& change) const;
  [[nodiscard]] const InferredValue* ValueOf(std::size_t name) const;
  [[nodiscard]] const onnx::ModelProto& model() const { return *read_.parsed.model; }
  [[nodiscard]] const onnx::GraphProto& graph() const { return model().graph(); }

  std::shared_ptr<const void> owner_;
  const lower::ReadVersion& read_;
  Diagnostics found_;
  std::shared_ptr<const Inference> types_;
  mutable std::mutex mutex_;                        // guards the memory of `types_`, and names_
  mutable std::optional<check::GraphNames> names_;  // built when first needed
};

/// The results of checking a version, apart from the findings.
struct Checked {
  std::shared_ptr<const Version> version = nullptr;  ///< this version, if all of it was checked and it has no errors
  std::shared_ptr<const Inference> types = nullptr;  ///< if all of it was checked, unless types were not inferred
  std::optional<Version::Change> change = {};        ///< how it differs from `before`, if only nodes differ
};

/// Like CheckRead(), for a version that was read without errors; `owner` owns that version. If possible, only what
/// differs from `before` is checked. The version `before` may be null.
[[nodiscard]] Diagnostics CheckVersion(const std::shared_ptr<const void>& owner, const lower::ReadVersion& read,
                                       const std::string& path, CheckOptions rules,
                                       const Earlier<const Version*>& before, Checked* checked);

}  // namespace onnxc::verdict
