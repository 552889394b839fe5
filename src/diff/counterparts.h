// Maps the values of one graph to their counterparts in another.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"

namespace onnxc::diff {

/// The effects of an added or removed node on its neighbours: a description of the first ones, and their number.
struct Effects {
  static constexpr std::size_t kShown = 2;
  std::vector<std::string> shown;
  std::size_t count = 0;

  /// Counts an effect. tell() returns its description.
  template <typename Tell>
  void Add(const Tell& tell) {
    if (count++ < kShown) shown.push_back(tell());
  }
};

/// Maps the name of a value of the old graph to the name of its counterpart in the new graph. A name that a graph does
/// not define is looked up in the enclosing graph. A name that no graph defines is its own counterpart.
class Counterparts {
 public:
  explicit Counterparts(const Counterparts* outer)
      : outer_(outer), is_changing_(outer != nullptr && outer->is_changing_) {}

  void Pair(std::string_view before, std::string_view after) {
    if (!before.empty() && names_.emplace(before, after).second) is_changing_ |= before != after;
  }
  /// Adds a value of the old graph that has no counterpart. `effects` is null unless the node that computed the value
  /// was removed and the effects of its removal are to be reported.
  void AddRemoved(std::string_view before, Effects* effects) {
    if (before.empty() || !names_.emplace(before, std::nullopt).second) return;
    is_changing_ = true;
    removed_.emplace(before, effects);
  }
  void AddNew(std::string_view after, Effects* effects) {
    if (!after.empty() && new_.emplace(after, effects).second) is_changing_ = true;
  }

  /// Returns the name of a value's counterpart, or nothing if it has none.
  [[nodiscard]] std::optional<std::string_view> Of(std::string_view before) const {
    for (const Counterparts* scope = this; scope != nullptr; scope = scope->outer_) {
      const auto found = scope->names_.find(before);
      if (found != scope->names_.end()) return found->second;
    }
    return before;
  }

  /// EffectsOfRemoved() returns the effects of the removed node that computed the value; EffectsOfNew() returns those
  /// of the added node that computes it. Both return null if there is no such node.
  [[nodiscard]] Effects* EffectsOfRemoved(std::string_view before) const {
    return Find(&Counterparts::removed_, before);
  }
  [[nodiscard]] Effects* EffectsOfNew(std::string_view after) const { return Find(&Counterparts::new_, after); }

  /// Return whether the value was removed or added in this graph itself, not in an enclosing graph.
  [[nodiscard]] bool IsRemoved(std::string_view before) const { return removed_.contains(before); }
  [[nodiscard]] bool IsNew(std::string_view after) const { return new_.contains(after); }

  /// Returns whether some value of this graph or of an enclosing one has a counterpart with another name, or none.
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
