// The findings and types of a version of a text. In later versions, only the nodes that have changed are checked.
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
#include "lower/read_version.h"

namespace onnxc::verdict {

/// A version without errors that was checked as a whole. All functions are thread-safe.
class Version {
 public:
  /// `found` and `types` are the results of Check(); `types` is null if they were not inferred. `owner` owns `read`.
  Version(std::shared_ptr<const void> owner, const lower::ReadVersion& read, Diagnostics found,
          std::shared_ptr<const Inference> types)
      : owner_(std::move(owner)), read_(read), found_(std::move(found)), types_(std::move(types)) {}
  Version(const Version&) = delete;
  Version& operator=(const Version&) = delete;

  /// Returns what Check() returns for another version with the same rules. Returns nothing unless only nodes of the
  /// model's graph have changed, and the findings about all other parts are certainly the same.
  [[nodiscard]] std::optional<Diagnostics> CheckAgain(const lower::ReadVersion& now, const CheckOptions& rules) const;

  /// The types of the values of another version's graph.
  struct Types {
    std::vector<InferredValue> others;  ///< the values of the changed nodes
    int begin = 0;                      ///< the changed nodes replace the nodes [begin, end) of this version
    int end = 0;
    /// Maps graphs and functions that were parsed again to those of this version.
    std::unordered_map<const google::protobuf::Message*, const google::protobuf::Message*> before = {};
  };
  /// Returns the types of another version, under the same conditions as CheckAgain(). The other version may have
  /// errors. The types are valid as long as this version and the messages of the other version exist.
  [[nodiscard]] std::optional<Types> InferAgain(const lower::ReadVersion& now, const Operators& operators) const;
  /// Returns the type of a value of the graph, or null if it is not known.
  [[nodiscard]] const InferredValue* Find(const Types& types, std::string_view name) const;

  /// Returns the values of another graph, or of a function, of the other version.
  [[nodiscard]] std::span<const InferredValue> ValuesOf(const Types& types,
                                                        const google::protobuf::Message& graph_or_function) const;

 private:
  /// The changed nodes, and the part of the text that they replace.
  struct Region {
    int begin = 0;
    int end = 0;
    SourceRange range = {};
    std::ptrdiff_t shift = 0;                        ///< how far the text after the region has moved
    std::vector<const onnx::NodeProto*> nodes = {};  ///< the nodes of the other version
  };
  [[nodiscard]] std::optional<Region> Compare(const lower::ReadVersion& now) const;
  [[nodiscard]] Diagnostics FoundBeside(const Region& region, bool* is_sure) const;
  [[nodiscard]] std::optional<std::vector<InferredValue>> InferRegion(const Region& region,
                                                                      std::span<const std::size_t> read,
                                                                      const onnx::ModelProto& model,
                                                                      const Operators& operators) const;
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

/// Like CheckRead(), for a version that was read without errors; `owner` owns it. If possible, checks only what differs
/// from `before`, which may be null. Otherwise, checks everything, sets `*types` to the inferred types and, if there
/// are no errors, sets `*now` to this version. `types` and `now` may be null.
[[nodiscard]] Diagnostics CheckVersion(const std::shared_ptr<const void>& owner, const lower::ReadVersion& read,
                                       const std::string& path, CheckOptions rules, const Version* before,
                                       std::shared_ptr<const Version>* now, std::shared_ptr<const Inference>* types);

}  // namespace onnxc::verdict
