// Converts a message field by field, according to the table of mappings.
#pragma once

#include <google/protobuf/message.h>
#include <onnxc/diagnostic.h>
#include <onnxc/proto.h>

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "old/convert.h"
#include "old/mappings.h"
#include "source/message_path.h"
#include "source/names.h"

namespace onnxc::old {

namespace torch_2018 {
class GraphProto;
class TensorProto;
}  // namespace torch_2018

class Conversion {
 public:
  /// `size` is the size of the input in bytes.
  Conversion(Schema schema, const ConvertOptions& options, std::size_t size, onnx::ModelProto* model);

  /// Copies the contents of `from` to `to`: first the fields that are kept, then those with a row in the table.
  void Copy(const Place& from, google::protobuf::Message* to);

  /// Converts only the fields that have a row in the table, and unknown fields. It is for a function of a row that
  /// copies the other fields of a message itself.
  void CopyMapped(const Place& from, google::protobuf::Message* to);

  /// Adds an entry for a field to metadata_props of the current message, or of the nearest enclosing message that has
  /// metadata_props. Numbers are decimal, strings are unchanged, and messages are their bytes in base64.
  void AddMetadata(const Place& from, int field);

  /// Reports that something cannot be kept: as an error, or as a warning if losses are allowed.
  void Lose(const Spot& spot, std::string_view what, std::string_view why);

  /// Reports that an input of the model has no type: as an error, or as a warning if losses are allowed.
  void LeaveUntyped(const Spot& spot, std::string_view input);

  /// Reports an error in the input, even if losses are allowed.
  void Refuse(const Spot& spot, std::string_view message);

  [[nodiscard]] const ConvertOptions& options() const { return options_; }
  [[nodiscard]] onnx::ModelProto* model() const { return model_; }
  [[nodiscard]] Diagnostics Take() { return std::move(found_); }

  /// Subtracts `bytes` from the number of bytes that aliases, strides, methods and metadata may still add to the model.
  /// Returns false if fewer bytes are left.
  [[nodiscard]] bool Spend(std::size_t bytes);
  [[nodiscard]] bool MayCopy() const { return copies_left_ > 0; }
  /// Returns the error message for the case that Spend() has returned false. `what` is the element that needs the
  /// bytes.
  [[nodiscard]] std::string TooMuch(std::string_view what) const;

  /// The initializers of a graph of PyTorch's fork by name. If several have the same name, the first one is used.
  using TensorsByName = NameMap<const torch_2018::TensorProto*>;
  [[nodiscard]] const TensorsByName& TensorsOf(const torch_2018::GraphProto& graph);

 private:
  /// How the fields of a message are converted.
  struct Plan {
    struct Kept {
      const google::protobuf::FieldDescriptor* source;
      const google::protobuf::FieldDescriptor* target;
    };
    struct Mapped {
      const google::protobuf::FieldDescriptor* source;
      const Mapping* mapping;
    };
    std::vector<Kept> kept;
    std::vector<Mapped> mapped;
  };
  struct Step {
    const Place* from;
    google::protobuf::Message* to;
  };

  const Plan& PlanFor(const google::protobuf::Descriptor& from, const google::protobuf::Descriptor& to);
  void MapFields(const Place& from, const Plan& plan, google::protobuf::Message* to);
  void CopyField(const Place& from, const google::protobuf::FieldDescriptor& source,
                 const google::protobuf::FieldDescriptor& target, google::protobuf::Message* to);
  void CopyMessages(const Place& from, const google::protobuf::FieldDescriptor& source,
                    const google::protobuf::FieldDescriptor& target, google::protobuf::Message* to);
  void CopyEnum(const Place& from, const google::protobuf::FieldDescriptor& source,
                const google::protobuf::FieldDescriptor& target, google::protobuf::Message* to);
  void LoseUnknown(const Place& from);
  void RefuseMetadata(const Spot& spot);
  /// Returns the key. If the model already has metadata with this key, a number is appended.
  [[nodiscard]] std::string FreeKey(std::string key);
  /// Adds a finding. Findings beyond the limit are only counted, because the path of each may be long.
  void Report(Diagnostic finding, const Spot& spot);

  Schema schema_;
  const ConvertOptions& options_;
  onnx::ModelProto* model_;
  Diagnostics found_;
  std::map<Severity, std::size_t> told_;  ///< number of findings by severity
  const std::size_t copies_;              ///< the total number of bytes that may be added
  std::size_t copies_left_;
  bool has_refused_metadata_ = false;
  OwnedNameSet model_keys_;  ///< keys of the model's metadata; filled when the first entry is added
  std::unordered_map<const torch_2018::GraphProto*, TensorsByName> tensors_;
  std::vector<Step> steps_;  ///< from the outermost message to the current one
  std::unordered_map<const google::protobuf::Descriptor*, Plan> plans_;
};

/// Sets the type of an attribute that has no type and is not a reference. It is the type of the attribute's value or,
/// if there is no value, the list type that the operator requires. Returns false if neither determines the type.
/// `version` is the version of the operators.
[[nodiscard]] bool AddType(const onnx::NodeProto* node, int version, onnx::AttributeProto* attribute);
inline constexpr int kFirstOperators = 1;  ///< the version of the operators of onnx 0.1 and 0.2
inline constexpr std::string_view kNoAttributeType =
    "the attribute has no type, and no single value determines the type";

/// Returns whether the field has the same number, name and type in both schemas.
[[nodiscard]] bool IsKept(const google::protobuf::FieldDescriptor& old_field,
                          const google::protobuf::FieldDescriptor& today);

/// Returns the name of a field, message or enum value without the package.
[[nodiscard]] std::string_view NameInSchema(std::string_view full_name);

}  // namespace onnxc::old
