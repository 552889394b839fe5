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

/// A value, and the message element that defines its name.
struct Value {
  const google::protobuf::Message* owner = nullptr;
  std::int16_t field = 0;
  std::int16_t depth = 0;  ///< depth of the graph that defines the value; Scope sets the members depth, index and
                           ///< hidden
  std::int32_t index = 0;
  std::uint32_t hidden = kNoId;  ///< id of the value of the same name in an enclosing graph, or kNoId
  ValueKind kind = ValueKind::kInput;
  bool is_used = false;
  TypeId type = kNoType;
  std::string_view name = {};
};

/// The visible names. All of them are in one table, however deeply graphs are nested. Entering a graph takes constant
/// time; leaving a graph takes time linear in the number of the graph's names.
class Scope {
 public:
  void Enter() { marks_.push_back({.first = values_.size()}); }
  void Leave();

  /// Marks the value as read.
  void Use(Value& value) {
    if (!std::exchange(value.is_used, true)) --marks_[static_cast<std::size_t>(value.depth) - 1].unused;
  }
  /// Returns the number of values of the innermost graph that nothing reads.
  [[nodiscard]] std::size_t UnusedHere() const { return marks_.back().unused; }

  /// Returns the visible value of this name, or null. The pointer is valid until another value is defined.
  [[nodiscard]] Value* Find(std::string_view name) { return ValueAt(IdOf(HashedName(name))); }
  /// Returns the value of this name if the innermost graph defines it, otherwise null.
  [[nodiscard]] Value* FindHere(std::string_view name) {
    Value* const value = Find(name);
    return value != nullptr && value->depth == depth() ? value : nullptr;
  }
  /// Defines a value in the innermost graph. Until this graph is left, the value hides a value of the same name in an
  /// enclosing graph.
  void Define(std::string_view name, Value value);

  /// Defines a value unless a value of this name is already visible. Returns that visible value, or null if the new
  /// value was defined.
  const Value* DefineNew(const HashedName& name, Value value);

  /// Prefetches what DefineNew() reads for this name.
  void Fetch(const HashedName& name) const { FetchSlot(slots_, name.hash); }

  /// Reserves memory for the values of the outermost graph.
  void Reserve(std::size_t count);
  [[nodiscard]] int depth() const { return static_cast<int>(marks_.size()); }

  /// Returns the names of all values, for suggestions.
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// Returns the values of the innermost graph, in the order of their definition.
  [[nodiscard]] std::span<const Value> Here() const { return std::span(values_).subspan(marks_.back().first); }

 private:
  /// The beginning of a graph.
  struct Mark {
    std::size_t first;       ///< index of the graph's first value
    std::size_t unused = 0;  ///< number of the graph's values that nothing reads
  };
  [[nodiscard]] std::uint32_t IdOf(const HashedName& name) const {
    return FindId(slots_, name.hash, [&](std::uint32_t id) { return values_[id].name == name.text; });
  }
  [[nodiscard]] Value* ValueAt(std::uint32_t id) { return id == kNoId ? nullptr : &values_[id]; }
  /// Adds a value. `hidden` is the id of the value that it hides, or kNoId.
  void Push(const HashedName& name, std::uint32_t hidden, Value value);

  LargeVector<Value> values_;  // values of all graphs that were entered and not left, in order
  IdSlots slots_;              // a hash table that maps each name to its innermost value
  std::size_t names_ = 0;      // the number of names in slots_
  std::vector<Mark> marks_;    // the enclosing graphs; the last one is the innermost
};

}  // namespace onnxc::check
