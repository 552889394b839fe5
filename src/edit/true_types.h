// Removes declared types that contradict the model.
#pragma once

#include <onnxc/proto.h>

#include <cstdint>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "source/names.h"

namespace onnxc::edit {

/// A node Identity that computes an output of a call.
struct AddedIdentity {
  const onnx::NodeProto* call;
  const onnx::FunctionProto* function;  ///< that is called
  std::int64_t version;                 ///< of the standard operators
};

/// Returns the outputs of the nodes that do not accept the types of their inputs, and these types. The nodes are
/// given by the names of their outputs.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> WrongIdentities(
    onnx::ModelProto* model, const OwnedNameMap<AddedIdentity>& identities);

using Declared = std::unordered_set<const onnx::ValueInfoProto*>;

/// Returns the value_info of all graphs and functions.
[[nodiscard]] Declared DeclaredBy(onnx::ModelProto* model);

/// Removes the value_info of these values if it contradicts the inferred types, except for that of `authors`. The same
/// name may be that of another value in another graph.
void RemoveUntrueTypes(onnx::ModelProto* model, const OwnedNameSet& values, const Declared& authors);

}  // namespace onnxc::edit
