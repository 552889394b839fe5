#include "check/scope.h"

#include <algorithm>

#include "source/names.h"

namespace onnxc::check {

void Scope::Leave() {
  const Mark mark = marks_.back();
  marks_.pop_back();
  if (marks_.empty()) {
    values_.clear();
    names_.clear();
    return;
  }
  for (; names_.size() > mark.names; names_.pop_back()) values_.erase(names_.back());
  for (; hidden_.size() > mark.hidden; hidden_.pop_back()) values_.emplace(hidden_.back().first, hidden_.back().second);
}

Value& Scope::Define(std::string_view name, Value value) {
  value.depth = depth();
  const auto [entry, is_new] = values_.try_emplace(name, value);
  if (is_new || entry->second.depth != value.depth) names_.push_back(name);
  if (!is_new) {
    if (entry->second.depth != value.depth) hidden_.emplace_back(name, entry->second);
    entry->second = value;
  }
  return entry->second;
}

const Value* Scope::DefineNew(std::string_view name, Value value) {
  value.depth = depth();
  const auto [entry, is_new] = values_.try_emplace(name, value);
  if (!is_new) return &entry->second;
  names_.push_back(name);
  return nullptr;
}

}  // namespace onnxc::check
