// The values of two graphs that are each other's counterpart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::diff {

/// What a node that was added or removed did to the nodes around it: the first effects in words, and how many there
/// are.
struct Effects {
  static constexpr std::size_t kShown = 2;
  std::vector<std::string> shown;
  std::size_t count = 0;

  /// `tell` makes the words.
  template <typename Tell>
  void Add(const Tell& tell) {
    if (count++ < kShown) shown.push_back(tell());
  }
};

/// A value of the old graph goes by the name of its counterpart in the new one. What a graph does not define is looked
/// up in the graph around it, and stands for itself where no graph does.
class Counterparts {
 public:
  explicit Counterparts(const Counterparts* outer)
      : outer_(outer), is_changing_(outer != nullptr && outer->is_changing_) {}

  void Pair(std::string_view before, std::string_view after) {
    if (!before.empty() && names_.emplace(before, after).second) is_changing_ |= before != after;
  }
  /// A value of the old graph that has no counterpart; of a node that was removed, if there are effects to tell.
  void AddRemoved(std::string_view before, Effects* effects) {
    if (before.empty() || !names_.emplace(before, std::nullopt).second) return;
    is_changing_ = true;
    removed_.emplace(before, effects);
  }
  void AddNew(std::string_view after, Effects* effects) {
    if (!after.empty() && new_.emplace(after, effects).second) is_changing_ = true;
  }

  /// The name of a value's counterpart; nothing where it has none.
  [[nodiscard]] std::optional<std::string_view> Of(std::string_view before) const {
    for (const Counterparts* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto found = scope->names_.find(before);
      if (found != scope->names_.end()) return found->second;
    }
    return before;
  }

  /// The effects of the node that computed the value and was removed, or computes it and was added; null: no such node.
  [[nodiscard]] Effects* EffectsOfRemoved(std::string_view before) const {
    return Find(&Counterparts::removed_, before);
  }
  [[nodiscard]] Effects* EffectsOfNew(std::string_view after) const { return Find(&Counterparts::new_, after); }

  /// Whether a value of this very graph was removed or added.
  [[nodiscard]] bool IsRemoved(std::string_view before) const { return removed_.contains(before); }
  [[nodiscard]] bool IsNew(std::string_view after) const { return new_.contains(after); }

  /// Some value, here or around, has a counterpart of another name, or none.
  [[nodiscard]] bool IsChanging() const { return is_changing_; }

 private:
  using EffectsByValue = NameMap<Effects*>;

  [[nodiscard]] Effects* Find(EffectsByValue Counterparts::*values, std::string_view name) const {
    for (const Counterparts* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto found = (scope->*values).find(name);
      if (found != (scope->*values).end()) return found->second;
    }
    return nullptr;
  }

  const Counterparts* outer_;
  NameMap<std::optional<std::string_view>> names_;
  EffectsByValue removed_;
  EffectsByValue new_;
  bool is_changing_;
};

}  // namespace onnxc::diff
