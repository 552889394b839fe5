// Merges the messages of two versions with that of their base.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>
#include <onnxc/source_map.h>

#include <string>
#include <vector>

#include "merge/fields.h"
#include "merge/list.h"
#include "merge/nodes.h"
#include "source/message_path.h"

namespace onnxc::merge {

/// A message in three versions. If a version lacks the message, it is empty.
struct Three {
  Place base;
  Place ours;
  Place theirs;

  using Message = google::protobuf::Message;
  [[nodiscard]] const Place& In(Side side) const { return side == Side::kOurs ? ours : theirs; }
  /// Returns the elements of a list, or the messages of a field that is not repeated.
  [[nodiscard]] Three Child(const google::protobuf::FieldDescriptor& field, const Entry& entry = {0, 0, 0}) const;
};

/// Merges models from the outermost message to the innermost ones. It is used for one merge.
class Merger {
 public:
  /// In conflicts, the version `favored` is taken. `places` has the places in our text; it may be null.
  Merger(Side favored, const SourceMap* places) : favored_(favored), places_(places) {}

  /// Merges the messages into `*merged`, which must be empty. Returns the conflicts.
  [[nodiscard]] Diagnostics Run(const Three& models, google::protobuf::Message* merged);

 private:
  using Message = google::protobuf::Message;
  using Field = google::protobuf::FieldDescriptor;

  void Merge(const Three& at, Message* merged);
  void MergeUnit(const Three& at, const Unit& unit, Message* merged);
  /// Merges the unit by its parts, or returns false if it is a single value.
  [[nodiscard]] bool MergeParts(const Three& at, const Unit& unit, Message* merged);
  [[nodiscard]] bool MergeNames(const Three& at, const Field& field, Message* merged);
  void MergeUnknownFields(const Three& at, Message* merged);

  void MergeList(const Three& at, const Field& field, const Pairs& pairs, Message* merged,
                 MergedNodes* nodes = nullptr);
  [[nodiscard]] bool MergeKeyedList(const Three& at, const Field& field, Message* merged);
  /// Appends the element to the list unless it was removed. Returns whether it was appended.
  [[nodiscard]] bool MergeElement(const Three& at, const Field& field, const Entry& entry, Message* merged);

  template <typename GraphOrFunction>
  void MergeBody(const Three& at, Message* merged);
  template <typename GraphOrFunction>
  void CheckMeanings(const Three& at, const MergedNodes& nodes, GraphOrFunction* merged);
  /// Reports nodes that a version has added or changed, and whose operators have another meaning in the merged imports.
  template <typename ModelOrFunction>
  void CheckOperators(const Three& at, const ModelOrFunction& merged);

  void Report(const Spot& spot, bool is_ours, std::string message);

  const Side favored_;
  const SourceMap* places_;
  Diagnostics conflicts_;
};

}  // namespace onnxc::merge
