// Copies the nodes of functions for their calls, with new names.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "edit/names.h"
#include "source/names.h"
#include "tables/limits.h"

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

/// The maximum nesting of graphs. Each is in an attribute, which is in a node.
inline constexpr std::size_t kDeepestGraph = kMaxDepth / 3;

/// What all calls of a function have in common.
struct Signature {
  std::unordered_set<NameId> inputs = {};
  NameMap<const onnx::AttributeProto*> defaults = {};  ///< the attributes that have default values
  NameMap<std::int64_t> imports = {};                  ///< the version of each domain
  /// The declarations of the values that nodes compute, one of each value.
  std::vector<std::pair<NameId, const onnx::ValueInfoProto*>> declarations = {};
};

/// A call whose function's nodes are copied.
struct Call {
  const onnx::NodeProto& node;
  const onnx::FunctionProto& function;
  const Signature& signature;
  std::string prefix = {};                             ///< of new names
  std::unordered_map<NameId, std::string> names = {};  ///< of the function's values at this call; "" if it is omitted
  /// The outputs of the call that no copied node computes, and the names of their values.
  std::vector<std::pair<std::string, std::string>> aliases = {};
  NameMap<const onnx::AttributeProto*> given = {};  ///< the attributes of the call
  std::string problem = {};                         ///< why the call cannot be replaced
};

class Copies {
 public:
  /// The model's functions must exist as long as this object. If the values of attributes would make a copy larger than
  /// `*left` bytes, the copy is incomplete, and `*left` becomes 0.
  Copies(const onnx::ModelProto& model, std::size_t* left);

  [[nodiscard]] const Signature& SignatureOf(const onnx::FunctionProto& function);

  /// Gives names to the inputs and outputs of the function, and values to its attributes.
  [[nodiscard]] Call Bind(const onnx::NodeProto& node, const onnx::FunctionProto& function);

  /// Copies a node of the function. The copy has the metadata of the call, and its documentation if it computes the
  /// first output.
  void Copy(const onnx::NodeProto& node, onnx::NodeProto* copy, Call* call);
  /// Adds a node Identity for each of the call's aliases.
  static void AddAliases(const Call& call, google::protobuf::RepeatedPtrField<onnx::NodeProto>* nodes);

  /// Copies the declaration of a value. The symbols in its type are removed, because their meaning is that of the
  /// function.
  void Copy(const onnx::ValueInfoProto& value, onnx::ValueInfoProto* copy, Call* call);

  /// Returns the node of the model from which a node inside of a copied node was made, or the node itself.
  [[nodiscard]] const onnx::NodeProto* OriginOf(const onnx::NodeProto* node) const {
    const auto found = origins_.find(node);
    return found == origins_.end() ? node : found->second;
  }

 private:
  void Rename(const google::protobuf::Message& from, const google::protobuf::FieldDescriptor* holder,
              google::protobuf::Message* to, Call* call);
  void SetName(const NameSite& site, const google::protobuf::FieldDescriptor* holder, google::protobuf::Message* to,
               Call* call);
  [[nodiscard]] std::string ValueAt(const NameSite& site, const google::protobuf::FieldDescriptor* holder, Call* call);
  void GiveValues(onnx::NodeProto* node, Call* call, std::size_t depth);
  void GiveValues(onnx::GraphProto* graph, Call* call, std::size_t depth);

  Names names_;
  std::unordered_map<const google::protobuf::Message*, NameId> sites_;  // the first site of each message
  std::unordered_map<const google::protobuf::Message*, NameId> scopes_;
  FreshNames values_;
  FreshNames nodes_;
  FreshNames prefixes_;
  std::unordered_map<const onnx::FunctionProto*, Signature> signatures_;  // of the functions for which they were needed
  std::size_t* left_;
  std::size_t given_ = 0;  // the bytes of the values in the current copy
  std::unordered_map<const onnx::NodeProto*, const onnx::NodeProto*> origins_;
};

}  // namespace onnxc::edit
