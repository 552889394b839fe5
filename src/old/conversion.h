// The conversion of a message field by field, as the table of mappings says.
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
  /// `size`: the bytes of the input.
  Conversion(Schema schema, const ConvertOptions& options, std::size_t size, onnx::ModelProto* model);

  /// Gives `to` what `from` has: first the fields that are kept, then those with a row in the table.
  void Copy(const Place& from, google::protobuf::Message* to);

  /// The fields that have a row, and those that the schema does not know. For messages that a row copies by hand.
  void CopyMapped(const Place& from, google::protobuf::Message* to);

  /// Adds an entry for a field to metadata_props of the message that is being made, or of the nearest one around it.
  /// Numbers are decimal, strings are as they are, and messages are their bytes in base64.
  void AddMetadata(const Place& from, int field);

  /// That something cannot be kept: an error, or a warning where losses are allowed.
  void Lose(const Spot& spot, std::string_view what, std::string_view why);

  /// That an input of the model has no type, which is a warning where losses are allowed.
  void LeaveUntyped(const Spot& spot, std::string_view input);

  /// That the input is wrong, whatever is allowed.
  void Refuse(const Spot& spot, std::string_view message);

  [[nodiscard]] const ConvertOptions& options() const { return options_; }
  [[nodiscard]] onnx::ModelProto* model() const { return model_; }
  [[nodiscard]] Diagnostics Take() { return std::move(found_); }

  /// Takes `bytes` off what aliases, strides, methods and metadata may still add to a model of the input's size; false
  /// where there is not so much left.
  [[nodiscard]] bool Spend(std::size_t bytes);
  [[nodiscard]] bool MayCopy() const { return copies_left_ > 0; }
  /// What a refusal says then, of what would take so much.
  [[nodiscard]] std::string TooMuch(std::string_view what) const;

  /// The initializers of a graph of the fork; of several with one name the first.
  using TensorsByName = NameMap<const torch_2018::TensorProto*>;
  [[nodiscard]] const TensorsByName& TensorsOf(const torch_2018::GraphProto& graph);

 private:
  /// What becomes of the fields of a message.
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
  /// The key, or where the model has metadata with it already, the key with a number behind it.
  [[nodiscard]] std::string FreeKey(std::string key);
  /// Those beyond the limit are only counted: each has a path, which is as long as the message is deep.
  void Report(Diagnostic finding, const Spot& spot);

  Schema schema_;
  const ConvertOptions& options_;
  onnx::ModelProto* model_;
  Diagnostics found_;
  std::map<Severity, std::size_t> told_;  ///< how many findings there are
  const std::size_t copies_;              ///< the bytes that may be added in all
  std::size_t copies_left_;
  bool has_refused_metadata_ = false;
  OwnedNameSet model_keys_;  ///< of the model's metadata; filled when the first entry is added
  std::unordered_map<const torch_2018::GraphProto*, TensorsByName> tensors_;
  std::vector<Step> steps_;  ///< from the outermost message to the one that is being made
  std::unordered_map<const google::protobuf::Descriptor*, Plan> plans_;
};

/// Gives an attribute that has neither a type nor the name of another attribute the type of its value, or where it has
/// none that of the list which the operator takes; false where neither tells it. `version`: of the operators.
[[nodiscard]] bool AddType(const onnx::NodeProto* node, int version, onnx::AttributeProto* attribute);
inline constexpr int kFirstOperators = 1;  ///< the version of those of onnx 0.1 and 0.2
inline constexpr std::string_view kNoAttributeType =
    "the attribute has no type, and it cannot be derived from a single value";

/// The field has the same meaning in both schemas: number, name, and type.
[[nodiscard]] bool IsKept(const google::protobuf::FieldDescriptor& old_field,
                          const google::protobuf::FieldDescriptor& today);

/// The name of a field, message or enum value without the package.
[[nodiscard]] std::string_view NameInSchema(std::string_view full_name);

}  // namespace onnxc::old
