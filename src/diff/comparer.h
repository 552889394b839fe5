// Compares messages of any type. A message type has its own method if it is not enough to compare its fields one by
// one. All other types and fields, including those that a later schema adds, are compared by reflection.
#pragma once

#include <onnxc/differ.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "diff/changed_nodes.h"
#include "diff/counterparts.h"
#include "source/message_path.h"
#include "tables/carried.h"

namespace onnxc::diff {

class Elements;

/// Two messages that are counterparts, and their paths.
struct Both {
  Place before;
  Place after;

  using Message = google::protobuf::Message;
  [[nodiscard]] Both Child(const Message& old_child, const Message& new_child, int field, int old_index = 0,
                           int new_index = 0) const {
    return {before.Child(old_child, field, old_index), after.Child(new_child, field, new_index)};
  }
};

class Comparer {
 public:
  /// `changed` receives the changed nodes if it is not null.
  explicit Comparer(const DiffOptions& options, ChangedNodes* changed = nullptr);

  [[nodiscard]] std::vector<Difference> Run(const google::protobuf::Message& before,
                                            const google::protobuf::Message& after);

  // ---- for the files of the messages

  using Kind = Difference::Kind;
  using Message = google::protobuf::Message;
  using Field = google::protobuf::FieldDescriptor;

  /// Compares two messages of any type.
  void Compare(const Both& at);
  /// Compares all fields except those in `except`, including unknown fields.
  void CompareFields(const Both& at, FieldSet except = 0);
  /// Compares only the fields in `fields`.
  void CompareOnly(const Both& at, FieldSet fields);

  [[nodiscard]] bool IsIgnored(Aspect aspect) const;
  void Report(Kind kind, Aspect aspect, std::string path, std::string before, std::string after,
              std::string detail = {});
  void ReportAdded(const Place& message);
  void ReportRemoved(const Place& message);
  /// Marks a node of the new message as changed.
  void Mark(const onnx::NodeProto& node, NodeChange change);
  [[nodiscard]] bool IsMarking() const { return changed_ != nullptr; }
  /// Reports that a value, node or graph was renamed.
  void ReportName(const Spot& spot, std::string_view before, std::string_view after);

  [[nodiscard]] static std::string PathOfField(const Place& place, std::string_view field);

  [[nodiscard]] const Counterparts& counterparts() const { return *counterparts_; }
  [[nodiscard]] std::vector<Difference>& differences() { return differences_; }

  /// Sets a variable. The destructor restores its old value.
  template <typename Value>
  class [[nodiscard]] During {
   public:
    During(Value* place, Value value) : place_(place), old_(std::exchange(*place, value)) {}
    ~During() { *place_ = old_; }
    During(const During&) = delete;
    During& operator=(const During&) = delete;

   private:
    Value* place_;
    Value old_;
  };
  During<const Counterparts*> Inside(const Counterparts* counterparts) { return {&counterparts_, counterparts}; }
  /// The node to which differences are attributed.
  class Subject {
   public:
    explicit Subject(const onnx::NodeProto& node) : node_(node) {}
    /// A short text for the node. It is computed only once, because each input of the node may differ.
    [[nodiscard]] const std::string& brief();
    [[nodiscard]] const onnx::NodeProto& node() const { return node_; }

   private:
    const onnx::NodeProto& node_;
    std::optional<std::string> brief_;
  };
  During<Subject*> About(Subject* subject) { return {&subject_, subject}; }

 private:
  // fields.cc
  void CompareField(const Both& at, const Field& field);
  void CompareScalar(const Both& at, const Field& field, Aspect aspect);
  void CompareList(const Both& at, const Field& field);
  [[nodiscard]] std::string KeyOf(const Message& message, bool is_old) const;
  [[nodiscard]] bool IsPartOfNode(const Message& element, bool is_old) const;

  // messages.cc
  void CompareGraph(const Both& at);
  void CompareFunction(const Both& at);
  void CompareAttribute(const Both& at);
  void CompareType(const Both& at);
  void CompareInOneLine(const Both& at);
  void CompareTensor(const Both& at);
  void CompareData(const Both& at);
  [[nodiscard]] bool CompareElided(const Both& at);
  void CompareElements(const Both& at, const Elements& before, const Elements& after);

  const DiffOptions& options_;
  ChangedNodes* changed_;
  std::vector<Difference> differences_;
  Counterparts none_{nullptr};
  const Counterparts* counterparts_ = &none_;
  Subject* subject_ = nullptr;
  Aspect aspect_ = Aspect::kModel;  // aspect of the current field
};

}  // namespace onnxc::diff
