#include "check/scope.h"

#include <algorithm>
#include <iterator>

namespace onnxc::check {

void Scope::Leave() {
  const std::size_t first = marks_.back().first;
  marks_.pop_back();
  if (marks_.empty()) {
    values_ = {};
    slots_ = {};
    names_ = 0;
  }
  for (; values_.size() > first; values_.pop_back()) {
    const Value& value = values_.back();
    const auto id = static_cast<std::uint32_t>(values_.size() - 1);
    const HashedName name(value.name);
    if (value.hidden != kNoId) {
      ReplaceId(&slots_, name.hash, id, value.hidden);
    } else {
      RemoveId(&slots_, name.hash, id);
      --names_;
    }
  }
}

void Scope::Push(const HashedName& name, std::uint32_t hidden, Value value) {
  const auto id = static_cast<std::uint32_t>(values_.size());
  if (hidden == kNoId) {
    AddId(&slots_, names_++, name.hash, id);
  } else {
    ReplaceId(&slots_, name.hash, hidden, id);
  }
  value.name = name.text;
  value.depth = static_cast<std::int16_t>(depth());
  value.hidden = hidden;
  values_.push_back(value);
  ++marks_.back().unused;
}

void Scope::Define(std::string_view name, Value value) {
  const HashedName hashed(name);
  const std::uint32_t id = IdOf(hashed);
  Value* const known = ValueAt(id);
  if (known == nullptr || known->depth != depth()) return Push(hashed, id, value);
  if (known->is_used) ++marks_.back().unused;
  value.name = known->name;
  value.depth = known->depth;
  value.hidden = known->hidden;
  *known = value;
}

const Value* Scope::DefineNew(const HashedName& name, Value value) {
  const std::uint32_t id = IdOf(name);
  if (id == kNoId) Push(name, id, value);
  return id == kNoId ? nullptr : &values_[id];
}

void Scope::Reserve(std::size_t count) {
  if (!values_.empty()) return;
  values_.reserve(count);
  ReserveIds(&slots_, count);
}

std::vector<std::string_view> Scope::names() const {
  std::vector<std::string_view> names;
  names.reserve(values_.size());
  std::ranges::transform(values_, std::back_inserter(names), &Value::name);
  return names;
}

}  // namespace onnxc::check
