// What the nodes of a model are: operators or functions, each looked up once.
#pragma once

#include <array>
#include <compare>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "infer/context.h"
#include "source/operator_table.h"

namespace onnxc::infer {

using Opsets = google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>;

/// What a node of that domain, operator and overload is where these operator sets are imported.
struct Binding {
  const Opsets* opsets = nullptr;
  std::string_view domain = {};
  std::string_view name = {};
  std::string_view overload = {};

  const Operator* op = nullptr;  ///< null: no operator that is known
  int version = -1;              ///< of the operator set; -1: not imported
  int function = -1;             ///< the position of the function that is called, or -1
  Function infer = nullptr;      ///< as FindFunction() and FindEvaluator() tell
  Function evaluate = nullptr;
};

class Bindings {
 public:
  /// For a model with these functions.
  Bindings(std::span<const onnx::FunctionProto* const> functions, const OperatorTable& operators);

  /// Of a node where these operator sets are imported. The reference is good until the next call.
  [[nodiscard]] const Binding& Of(const onnx::NodeProto& node, const Opsets& opsets);

  /// The position of the function that the node calls, or -1.
  [[nodiscard]] int FindCallee(const onnx::NodeProto& node) const;

 private:
  [[nodiscard]] int VersionOf(const Opsets& opsets, std::string_view domain);

  struct FunctionKey {
    std::string_view domain;
    std::string_view name;
    std::string_view overload;
    auto operator<=>(const FunctionKey&) const = default;
  };

  /// The versions that a list imports: by the rows of built-in domains, and by the names of others.
  struct Versions {
    std::vector<int> built_in;
    NameMap<int> declared;
  };
  [[nodiscard]] Versions VersionsIn(const Opsets& opsets) const;

  OperatorTable operators_;
  std::map<FunctionKey, int> functions_;
  std::unordered_map<const Opsets*, Versions> versions_;  // so that lists are read once
  std::array<Binding, 128> recent_{};                     // by what is quick to see of a name
};

}  // namespace onnxc::infer
