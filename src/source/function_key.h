// The names that identify a function.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "source/names.h"
#include "tables/signatures.h"

namespace onnxc {

/// The names that a node uses to call a function. They are compared one by one, because each of them may contain any
/// character: the function `b::c` of the domain `a` is not the function `c` of the domain `a::b`. The domain "ai.onnx"
/// is treated as "". The key does not own the names.
struct FunctionKey {
  explicit FunctionKey(const onnx::FunctionProto& function)
      : FunctionKey(function.domain(), function.name(), function.overload()) {}
  /// The function that a node calls.
  explicit FunctionKey(const onnx::NodeProto& node) : FunctionKey(node.domain(), node.op_type(), node.overload()) {}
  FunctionKey(std::string_view any_domain, std::string_view its_name, std::string_view its_overload)
      : domain(NodeDomain(any_domain)), name(its_name), overload(its_overload) {}
  bool operator==(const FunctionKey&) const = default;

  std::string_view domain;
  std::string_view name;
  std::string_view overload;
};

struct FunctionKeyHash {
  std::size_t operator()(const FunctionKey& key) const {
    constexpr std::uint64_t kFactor = 1099511628211u;
    return static_cast<std::size_t>((HashOf(key.domain) * kFactor ^ HashOf(key.name)) * kFactor ^ HashOf(key.overload));
  }
};

/// A table of functions.
template <typename Value>
using FunctionMap = std::unordered_map<FunctionKey, Value, FunctionKeyHash>;

}  // namespace onnxc
