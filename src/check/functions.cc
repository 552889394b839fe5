#include "check/functions.h"

namespace onnxc {
namespace {

std::string_view Normalized(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

}  // namespace

std::string FunctionId(std::string_view domain, std::string_view name, std::string_view overload) {
  std::string id = std::string(Normalized(domain)).append("::").append(name);
  return overload.empty() ? id : id.append("::").append(overload);
}

std::size_t FunctionTable::Hash::operator()(const Key& key) const {
  const std::hash<std::string_view> hash;
  constexpr std::size_t kFactor = 1099511628211u;
  return (hash(key.domain) * kFactor ^ hash(key.name)) * kFactor ^ hash(key.overload);
}

bool FunctionTable::Add(const onnx::FunctionProto& function) {
  const auto index = static_cast<int>(protos_.size());
  protos_.push_back(&function);
  const std::string_view domain = Normalized(function.domain());
  if (!functions_.try_emplace({domain, function.name(), function.overload()}, index).second) return false;
  domains_[domain].push_back(function.name());
  return true;
}

int FunctionTable::Find(const onnx::NodeProto& node) const {
  if (functions_.empty()) return -1;
  const auto found = functions_.find({Normalized(node.domain()), node.op_type(), node.overload()});
  return found == functions_.end() ? -1 : found->second;
}

const onnx::FunctionProto* FunctionTable::FindFunction(const onnx::NodeProto& node) const {
  const int index = Find(node);
  return index < 0 ? nullptr : protos_[static_cast<std::size_t>(index)];
}

const std::vector<std::string_view>* FunctionTable::NamesIn(std::string_view domain) const {
  const auto found = domains_.find(Normalized(domain));
  return found == domains_.end() ? nullptr : &found->second;
}

}  // namespace onnxc
