// The names that are visible at a place in a graph.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "source/names.h"
#include "tables/signatures.h"

namespace onnxc::check {

enum class ValueKind : std::uint8_t { kInput, kInitializer, kOutput };

/// A value, and the element of a message that gives it its name.
struct Value {
  const google::protobuf::Message* owner = nullptr;
  int field = 0;
  int index = 0;
  int depth = 0;  ///< of the graph it belongs to; set by Scope
  ValueKind kind = ValueKind::kInput;
  bool is_used = false;
  TypeId type = kUnknownType;
};

/// All visible names in one table, however deep the graphs nest: entering a graph costs nothing, leaving it as much as
/// it has names.
class Scope {
 public:
  void Enter() { marks_.push_back({names_.size(), hidden_.size()}); }
  void Leave();

  /// The value that `name` stands for here, or null.
  [[nodiscard]] Value* Find(std::string_view name) {
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  /// The same, among the values of the innermost graph.
  [[nodiscard]] Value* FindHere(std::string_view name) {
    Value* const value = Find(name);
    return value != nullptr && value->depth == depth() ? value : nullptr;
  }
  /// Gives `name` a meaning in the innermost graph. What it stood for in a graph around it is hidden meanwhile.
  Value& Define(std::string_view name, Value value);

  /// The same, for a name that must not hide another: if it has a meaning already, that is what comes back, else null.
  const Value* DefineNew(std::string_view name, Value value);

  void Reserve(std::size_t names) { values_.reserve(values_.size() + names); }
  [[nodiscard]] int depth() const { return static_cast<int>(marks_.size()); }

  /// All names, for suggestions.
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }

  /// The values of the innermost graph, in the order of their definition.
  template <typename Function>
  void ForEachHere(Function function) {
    for (std::size_t i = marks_.back().names; i < names_.size(); ++i) function(names_[i], *FindHere(names_[i]));
  }

 private:
  struct Mark {
    std::size_t names;
    std::size_t hidden;
  };

  std::pmr::monotonic_buffer_resource memory_;  // names come and go like a stack, and all go together in the end
  std::pmr::unordered_map<std::string_view, Value, NameHash> values_{&memory_};
  std::vector<std::string_view> names_;  // as they were defined
  std::vector<std::pair<std::string_view, Value>> hidden_;
  std::vector<Mark> marks_;  // where the graphs begin in the lists above
};

}  // namespace onnxc::check
