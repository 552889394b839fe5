// The names that are visible at a place in a graph.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "source/named_list.h"
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
  TypeId type = kNoType;
};

/// All visible names in one table, however deep the graphs nest: entering a graph costs nothing, leaving it as much as
/// it has names.
class Scope {
 public:
  void Enter() { marks_.push_back({.first = names_.size()}); }
  void Leave();

  /// Something reads the value.
  void Use(Value& value) {
    if (!std::exchange(value.is_used, true)) --marks_[static_cast<std::size_t>(value.depth) - 1].unused;
  }
  /// How many values of the innermost graph nothing reads.
  [[nodiscard]] std::size_t UnusedHere() const { return marks_.back().unused; }

  /// The value that `name` stands for here, or null. It stays where it is until its graph is left.
  [[nodiscard]] Value* Find(std::string_view name) {
    const Known* const known = known_.Find(HashedName(name));
    return known == nullptr || known->value == kNoId ? nullptr : &values_[known->value].value;
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

  void Reserve(std::size_t names) {
    if (known_.elements().empty()) known_.Reserve(names);
  }
  [[nodiscard]] int depth() const { return static_cast<int>(marks_.size()); }

  /// All names, for suggestions.
  [[nodiscard]] const std::vector<std::string_view>& names() const { return names_; }

  /// The values of the innermost graph, in the order of their definition.
  template <typename Function>
  void ForEachHere(Function function) {
    for (std::size_t i = marks_.back().first; i < names_.size(); ++i) function(names_[i], values_[i].value);
  }

 private:
  /// A name that has or had a meaning; names are forgotten with the outermost graph.
  struct Known {
    std::string_view name = {};
    std::uint32_t value = kNoId;  ///< in values_
  };
  /// Of a graph.
  struct Mark {
    std::size_t first;       ///< in the lists of values
    std::size_t unused = 0;  ///< values that nothing reads
  };
  struct Defined {
    Value value;
    std::uint32_t hidden;  ///< the value of the same name in a graph around, or kNoId
  };
  Value& Push(Known* known, const Value& value);  // `known` is an element of known_

  NamedList<Known> known_;
  std::vector<std::string_view> names_;  // of values_
  std::deque<Defined> values_;           // of the graphs that are not left yet, as they were defined
  std::vector<Mark> marks_;              // the graphs around, with the innermost one
};

}  // namespace onnxc::check
