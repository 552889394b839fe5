#include "check/scope.h"

#include <utility>

namespace onnxc::check {

void Scope::Leave() {
  const std::size_t mark = marks_.back().first;
  marks_.pop_back();
  if (marks_.empty()) {
    known_ = {};
    names_.clear();
    values_.clear();
  }
  for (; names_.size() > mark; names_.pop_back(), values_.pop_back()) {
    known_.Find(HashedName(names_.back()))->value = values_.back().hidden;
  }
}

Value& Scope::Push(Known* known, const Value& value) {
  names_.push_back(known->name);
  ++marks_.back().unused;
  const std::uint32_t hidden = std::exchange(known->value, static_cast<std::uint32_t>(values_.size()));
  return values_.emplace_back(Defined{value, hidden}).value;
}

Value& Scope::Define(std::string_view name, Value value) {
  value.depth = depth();
  const HashedName hashed(name);
  Known* const known = known_.Find(hashed);
  if (known == nullptr) return Push(&known_.Add(hashed, {}), value);
  if (known->value == kNoId || values_[known->value].value.depth != value.depth) return Push(known, value);
  Value& redefined = values_[known->value].value;
  if (redefined.is_used) ++marks_.back().unused;
  return redefined = value;
}

const Value* Scope::DefineNew(std::string_view name, Value value) {
  value.depth = depth();
  const HashedName hashed(name);
  Known* known = known_.Find(hashed);
  if (known != nullptr && known->value != kNoId) return &values_[known->value].value;
  Push(known == nullptr ? &known_.Add(hashed, {}) : known, value);
  return nullptr;
}

}  // namespace onnxc::check
