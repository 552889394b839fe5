// The names that are visible at a place in a graph.
#pragma once

#include <onnxc/proto.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "source/id_slots.h"
#include "source/names.h"
#include "tables/signatures.h"

namespace onnxc::check {

enum class ValueKind : std::uint8_t { kInput, kInitializer, kOutput };

/// A value, and the element of a message that gives it its name.
struct Value {
  const google::protobuf::Message* owner = nullptr;
  std::int16_t field = 0;
  std::int16_t depth = 0;  ///< of the graph it belongs to; this and the next two lines are set by Scope
  std::int32_t index = 0;
  std::uint32_t hidden = kNoId;  ///< the number of the value of the same name in a graph around
  ValueKind kind = ValueKind::kInput;
  bool is_used = false;
  TypeId type = kNoType;
  std::string_view name = {};
};

/// All visible names in one table, however deep the graphs nest: entering a graph costs nothing, leaving it as much as
/// it has names.
class Scope {
 public:
  void Enter() { marks_.push_back({.first = values_.size()}); }
  void Leave();

  /// Something reads the value.
  void Use(Value& value) {
    if (!std::exchange(value.is_used, true)) --marks_[static_cast<std::size_t>(value.depth) - 1].unused;
  }
  /// How many values of the innermost graph nothing reads.
  [[nodiscard]] std::size_t UnusedHere() const { return marks_.back().unused; }

  /// The value that `name` stands for here, or null. It stays where it is until another one is defined.
  [[nodiscard]] Value* Find(std::string_view name) { return ValueAt(IdOf(HashedName(name))); }
  /// The same, among the values of the innermost graph.
  [[nodiscard]] Value* FindHere(std::string_view name) {
    Value* const value = Find(name);
    return value != nullptr && value->depth == depth() ? value : nullptr;
  }
  /// Gives `name` a meaning in the innermost graph. What it stood for in a graph around it is hidden meanwhile.
  void Define(std::string_view name, Value value);

  /// The same, for a name that must not hide another: if it has a meaning already, that is what comes back, else null.
  const Value* DefineNew(const HashedName& name, Value value);

  /// Makes room for the values of the outermost graph.
  void Reserve(std::size_t count);
  [[nodiscard]] int depth() const { return static_cast<int>(marks_.size()); }

  /// The names of all values, for suggestions.
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// The values of the innermost graph, in the order of their definition.
  [[nodiscard]] std::span<const Value> Here() const { return std::span(values_).subspan(marks_.back().first); }

 private:
  /// Of a graph.
  struct Mark {
    std::size_t first;       ///< in the list of values
    std::size_t unused = 0;  ///< values that nothing reads
  };
  [[nodiscard]] std::uint32_t IdOf(const HashedName& name) const {
    return FindId(slots_, name.hash, [&](std::uint32_t id) { return values_[id].name == name.text; });
  }
  [[nodiscard]] Value* ValueAt(std::uint32_t id) { return id == kNoId ? nullptr : &values_[id]; }
  /// Adds a value whose name stands for `hidden` so far.
  void Push(const HashedName& name, std::uint32_t hidden, Value value);

  LargeVector<Value> values_;  // of the graphs that are not left yet, as they were defined
  IdSlots slots_;              // finds the innermost value of a name
  std::size_t names_ = 0;      // that are in the slots
  std::vector<Mark> marks_;    // the graphs around, with the innermost one
};

}  // namespace onnxc::check
