// The functions of a model, by what nodes call them.
#pragma once

#include <onnxc/proto.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace onnxc {

/// "domain::name", with the overload where there is one; "ai.onnx" is the same as "".
[[nodiscard]] std::string FunctionId(std::string_view domain, std::string_view name, std::string_view overload);

class FunctionTable {
 public:
  /// To be called for the functions in the model's order. False where there is such a function already.
  bool Add(const onnx::FunctionProto& function);

  /// The position of the function that the node calls; -1 where there is none.
  [[nodiscard]] int Find(const onnx::NodeProto& node) const;
  [[nodiscard]] const onnx::FunctionProto* FindFunction(const onnx::NodeProto& node) const;

  /// The names of the domain's functions; null where it has none.
  [[nodiscard]] const std::vector<std::string_view>* NamesIn(std::string_view domain) const;

 private:
  struct Key {
    std::string_view domain;
    std::string_view name;
    std::string_view overload;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };

  std::unordered_map<Key, int, Hash> functions_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> domains_;
  std::vector<const onnx::FunctionProto*> protos_;
};

}  // namespace onnxc
