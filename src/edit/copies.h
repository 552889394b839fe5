// Copies the nodes of functions for their calls, with new names.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/names.h"
#include "source/names.h"

namespace onnxc::edit {

/// Names that are not yet used in a model.
class FreshNames {
 public:
  void Take(std::string_view name) { taken_.emplace(name); }
  /// Returns a name that nothing has: `wanted`, or the first one of `wanted_2`, `wanted_3` ...
  [[nodiscard]] std::string New(std::string wanted);

 private:
  OwnedNameSet taken_;
  OwnedNameMap<int> next_;  // the next number for each wanted name that was taken
};

/// A call whose function's nodes are copied.
struct Call {
  const onnx::NodeProto& node;
  const onnx::FunctionProto& function;
  std::string prefix = {};                             ///< of new names
  std::unordered_map<NameId, std::string> names = {};  ///< of the function's values at this call; "" if it is omitted
  std::unordered_set<NameId> inputs = {};              ///< of the function
  /// The outputs of the call that no copied node computes, and the names of their values.
  std::vector<std::pair<std::string, std::string>> aliases = {};
  NameMap<const onnx::AttributeProto*> given = {};     ///< the attributes of the call
  NameMap<const onnx::AttributeProto*> defaults = {};  ///< the function's attributes that have default values
  std::string problem = {};                            ///< why the call cannot be replaced
};

class Copies {
 public:
  /// The model's functions must exist as long as this object.
  explicit Copies(const onnx::ModelProto& model);

  /// Gives names to the inputs and outputs of the function, and values to its attributes.
  [[nodiscard]] Call Bind(const onnx::NodeProto& node, const onnx::FunctionProto& function);

  /// Copies a node of the function. The copy has the metadata of the call, and its documentation if it computes the
  /// first output.
  void Copy(const onnx::NodeProto& node, onnx::NodeProto* copy, Call* call);
  /// Adds a node Identity for each of the call's aliases.
  static void AddAliases(const Call& call, google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes);

  /// Returns the name that a value of the function has at the call, or "" if no copied node computes it.
  [[nodiscard]] std::string_view NameOf(std::string_view value, const Call& call) const;
  /// Copies the declaration of such a value. The symbols in its type are removed, because their meaning is that of the
  /// function.
  void Copy(const onnx::ValueInfoProto& value, onnx::ValueInfoProto* copy, Call* call);

  /// Returns the node of the model from which a node inside of a copied node was made, or the node itself.
  [[nodiscard]] const onnx::NodeProto* OriginOf(const onnx::NodeProto* node) const {
    const auto found = origins_.find(node);
    return found == origins_.end() ? node : found->second;
  }

 private:
  using Attributes = google::protobuf::RepeatedPtrField<onnx::AttributeProto>;

  void Rename(const google::protobuf::Message& from, const google::protobuf::FieldDescriptor* holder,
              google::protobuf::Message* to, Call* call);
  void SetName(const NameSite& site, const google::protobuf::FieldDescriptor* holder, google::protobuf::Message* to,
               Call* call);
  [[nodiscard]] std::string ValueAt(const NameSite& site, const google::protobuf::FieldDescriptor* holder, Call* call);
  void GiveValues(Attributes* attributes, Call* call);
  void GiveValues(onnx::GraphProto* graph, Call* call);

  Names names_;
  std::unordered_map<const google::protobuf::Message*, NameId> sites_;  // the first site of each message
  std::unordered_map<const google::protobuf::Message*, NameId> scopes_;
  FreshNames values_;
  FreshNames nodes_;
  FreshNames prefixes_;
  std::unordered_map<const onnx::NodeProto*, const onnx::NodeProto*> origins_;
};

}  // namespace onnxc::edit
