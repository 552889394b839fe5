#include "source/operator_table.h"

#include <algorithm>

namespace onnxc {
std::span<const Operator> DeclaredOperators::FindVersions(std::string_view domain, std::string_view name) const {
  const auto found = versions_.find(JoinedKey({domain, name}));
  if (found == versions_.end()) return {};
  return found->second;
}

const std::vector<std::string_view>* DeclaredOperators::NamesIn(std::string_view domain) const {
  const auto found = names_.find(domain);
  return found == names_.end() ? nullptr : &found->second;
}

const DeclaredOperator* DeclaredOperators::Add(DeclaredOperator definition, const Operator& row) {
  std::vector<Operator>& versions = versions_[JoinedKey({definition.domain, definition.words.front()})];
  const auto next = std::ranges::lower_bound(versions, row.since, {}, &Operator::since);
  if (next != versions.end() && next->since == row.since) return next->declared;
  const bool is_new = versions.empty();
  DeclaredOperator& kept = definitions_.emplace_back(std::move(definition));
  for (Parameter& parameter : kept.parameters) parameter.declared = &kept;
  for (OperatorAttribute& attribute : kept.attributes) attribute.declared = &kept;
  Operator own = row;
  own.declared = &kept;
  versions.insert(next, own);
  if (!is_new) return nullptr;
  const auto [names, is_new_domain] = names_.try_emplace(kept.domain);
  if (is_new_domain) domains_.push_back(kept.domain);
  names->second.push_back(kept.words.front());
  return nullptr;
}

void DeclaredOperators::Finish() {
  for (DeclaredOperator& definition : definitions_) {
    definition.versions = FindVersions(definition.domain, definition.words.front());
  }
}

std::span<const Operator> OperatorTable::FindVersions(std::string_view domain, std::string_view name) const {
  const int built_in = FindDomain(domain);
  if (built_in >= 0) {
    if (const auto versions = onnxc::FindVersions(built_in, name); !versions.empty()) return versions;
  }
  return declared_ == nullptr ? std::span<const Operator>() : declared_->FindVersions(domain, name);
}

const Operator* OperatorTable::Find(std::string_view domain, std::string_view name, int version) const {
  const Operator* newest = nullptr;
  for (const Operator& op : FindVersions(domain, name)) {
    if (op.since <= version) newest = &op;
  }
  return newest;
}

std::vector<std::string_view> OperatorTable::Names(std::string_view domain, int version) const {
  const int built_in = FindDomain(domain);
  std::vector<std::string_view> names;
  if (built_in >= 0) names = OperatorNames(built_in, version);
  if (!IsDeclared(domain)) return names;
  for (const std::string_view name : *declared_->NamesIn(domain)) {
    if (declared_->FindVersions(domain, name).front().since <= version) names.push_back(name);
  }
  return names;
}

int OperatorTable::NewestVersion(std::string_view domain) const {
  if (const int built_in = FindDomain(domain); built_in >= 0) return onnxc::NewestVersion(built_in);
  int newest = 0;
  if (!IsDeclared(domain)) return newest;
  for (const std::string_view name : *declared_->NamesIn(domain)) {
    newest = std::max<int>(newest, declared_->FindVersions(domain, name).back().since);
  }
  return newest;
}

std::vector<std::string_view> OperatorTable::Domains() const {
  std::vector<std::string_view> domains(std::begin(kOperatorDomains), std::end(kOperatorDomains));
  if (declared_ == nullptr) return domains;
  for (const std::string_view domain : declared_->domains()) {
    if (FindDomain(domain) < 0) domains.push_back(domain);
  }
  return domains;
}

}  // namespace onnxc
