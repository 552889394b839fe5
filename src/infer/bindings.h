// Binds nodes to operators or functions. Nodes with the same domain, operator and overload are looked up only once for
// each list of imports.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "infer/context.h"
#include "source/function_key.h"
#include "source/operator_table.h"

namespace onnxc::infer {

using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;

/// The meaning of nodes with the domain, operator and overload of `node` under given operator sets. The members have no
/// initializers, because an array of bindings can then be filled with zeros, which takes little time.
struct Binding {
  const Opsets* opsets;  ///< null if nothing is bound
  const onnx::NodeProto* node;
  int version;         ///< version of the operator set; -1 if it is not imported
  int function;        ///< index of the called function, or -1
  const Operator* op;  ///< null if the operator is not known
  Function infer;      ///< the results of FindFunction() and FindEvaluator()
  Function evaluate;
};

class Bindings {
 public:
  /// Creates the bindings for a model with these functions.
  Bindings(std::span<const onnx::FunctionProto* const> functions, const OperatorTable& operators);

  /// Returns the binding of a node under these operator sets. The reference is valid until the next call.
  [[nodiscard]] const Binding& Of(const onnx::NodeProto& node, const Opsets& opsets);

  /// Returns the index of the function that the node calls, or -1.
  [[nodiscard]] int FindCallee(const onnx::NodeProto& node) const;

 private:
  [[nodiscard]] int VersionOf(const Opsets& opsets, std::string_view domain);

  /// The imported versions. Those of built-in domains are indexed by the row of the domain, those of other domains by
  /// name.
  struct Versions {
    std::vector<int> built_in;
    NameMap<int> declared;
  };
  [[nodiscard]] Versions VersionsIn(const Opsets& opsets) const;

  OperatorTable operators_;
  FunctionMap<int> functions_;
  std::unordered_map<const Opsets*, Versions> versions_;  // a cache: the key is a list of imports
  std::array<Binding, 128> recent_{};                     // a cache, indexed by a cheap hash of the name
};

}  // namespace onnxc::infer
