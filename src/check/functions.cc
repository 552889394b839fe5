#include "check/functions.h"

#include <algorithm>

#include "check/context.h"
#include "source/report.h"
#include "tables/limits.h"
#include "tables/signatures.h"

namespace onnxc::check {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Collects the attributes of the enclosing function to which the nodes refer. The key is the name of the function's
/// attribute; the value is the type of the references, or 0 if their types differ.
void CollectUses(const Nodes& nodes, int depth, NameMap<int>* uses) {
  if (depth == kMaxGraphDepth) return;
  for (const onnx::NodeProto& node : nodes) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (!attribute.ref_attr_name().empty()) {
        const auto [use, is_new] = uses->try_emplace(attribute.ref_attr_name(), attribute.type());
        if (!is_new && use->second != attribute.type()) use->second = 0;
      }
      if (attribute.has_g()) CollectUses(attribute.g().node(), depth + 1, uses);
      for (const onnx::GraphProto& graph : attribute.graphs()) CollectUses(graph.node(), depth + 1, uses);
    }
  }
}

/// Returns whether the node requires a value for the attribute. A Constant node needs exactly one attribute, so it
/// requires the attribute that it has.
bool IsNeeded(const onnx::NodeProto& node, std::string_view attribute, Imports& imports) {
  const std::string_view domain = NodeDomain(node.domain());
  if (domain.empty() && node.op_type() == "Constant") return true;
  const Import* const import = FindImport(imports, domain);
  const Operator* const op = FindOperator(domain, node.op_type(), import == nullptr ? 0 : import->version);
  if (op == nullptr) return false;
  const auto formals = Attributes(*op);
  return std::ranges::any_of(
      formals, [&](const OperatorAttribute& formal) { return formal.required && Word(formal) == attribute; });
}

void CollectNeeds(const Nodes& nodes, Imports& imports, int depth, NameSet* needed) {
  if (depth == kMaxGraphDepth) return;
  for (const onnx::NodeProto& node : nodes) {
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      const std::string& name = attribute.ref_attr_name();
      if (!name.empty() && IsNeeded(node, attribute.name(), imports)) needed->insert(name);
      if (attribute.has_g()) CollectNeeds(attribute.g().node(), imports, depth + 1, needed);
      for (const onnx::GraphProto& graph : attribute.graphs()) CollectNeeds(graph.node(), imports, depth + 1, needed);
    }
  }
}

}  // namespace

std::string CalledName(std::string_view name, std::string_view overload) {
  return overload.empty() ? std::string(name) : std::string(name).append(":").append(overload);
}

bool IsOfOthers(std::string_view domain) {
  constexpr std::string_view kTops[] = {"com.", "org.", "net.", "io.", "ai.", "dev.", "cn.", "de.", "jp."};
  return std::ranges::any_of(kTops, [&](std::string_view top) { return domain.starts_with(top); });
}

bool IsOfRuntime(std::string_view domain) { return FindDomain(domain) >= 0 || domain.starts_with("com.microsoft."); }

std::string ShownId(const onnx::FunctionProto& function) {
  constexpr std::size_t kEnough = 256;  // bytes of an id that are kept: more than Quoted() shows
  const auto begin = [](std::string_view name) { return name.substr(0, kEnough); };
  std::string id = std::string(begin(NodeDomain(function.domain()))).append("::").append(begin(function.name()));
  if (!function.overload().empty()) id.append("::").append(begin(function.overload()));
  return Quoted(id);
}

void FunctionTable::Add(const onnx::FunctionProto& function) {
  const auto index = static_cast<int>(entries_.size());
  const std::string_view domain = NodeDomain(function.domain());
  const bool is_new = functions_.try_emplace(FunctionKey(function), index).second;
  entries_.push_back({.proto = &function, .is_repeated = !is_new});
  if (!is_new) return;
  domains_[domain].push_back(CalledName(function.name(), function.overload()));
  const auto known = domain_of_.try_emplace(function.name(), domain).first;
  if (known->second != domain) known->second = "";
}

int FunctionTable::Find(const onnx::NodeProto& node) const {
  if (functions_.empty()) return -1;
  const auto found = functions_.find(FunctionKey(node));
  return found == functions_.end() ? -1 : found->second;
}

int FunctionTable::Find(std::string_view domain, std::string_view name) const {
  const auto found = functions_.find(FunctionKey(domain, name, ""));
  return found == functions_.end() ? -1 : found->second;
}

void FunctionTable::Rename(int position, const onnx::NodeProto& node) {
  functions_.try_emplace(FunctionKey(node), position);
}

const NameSet& FunctionTable::ParametersOf(int position) {
  std::optional<NameSet>& parameters = entries_[static_cast<std::size_t>(position)].parameters;
  if (parameters.has_value()) return *parameters;
  const onnx::FunctionProto& function = (*this)[position];
  parameters.emplace(function.attribute().begin(), function.attribute().end());
  for (const onnx::AttributeProto& attribute : function.attribute_proto()) parameters->insert(attribute.name());
  return *parameters;
}

void FunctionTable::AddParameter(int position, std::string_view name) {
  (void)ParametersOf(position);
  entries_[static_cast<std::size_t>(position)].parameters->insert(name);
}

const NameMap<int>& FunctionTable::UsesOf(int position) {
  std::optional<NameMap<int>>& uses = entries_[static_cast<std::size_t>(position)].uses;
  if (!uses.has_value()) CollectUses((*this)[position].node(), 0, &uses.emplace());
  return *uses;
}

bool FunctionTable::RefersTo(int position, std::string_view name) { return UsesOf(position).contains(name); }

int FunctionTable::TypeOfUse(int position, std::string_view parameter) {
  const NameMap<int>& uses = UsesOf(position);
  const auto found = uses.find(parameter);
  return found == uses.end() ? 0 : found->second;
}

const NameSet& FunctionTable::RequiredBy(int position) {
  std::optional<NameSet>& required = entries_[static_cast<std::size_t>(position)].required;
  if (!required.has_value()) {
    const onnx::FunctionProto& function = (*this)[position];
    Imports imports = ImportsIn(function.opset_import());
    CollectNeeds(function.node(), imports, 0, &required.emplace());
  }
  return *required;
}

bool FunctionTable::Requires(int position, std::string_view name) { return RequiredBy(position).contains(name); }

std::span<const std::string_view> FunctionTable::Needed(int position) {
  std::optional<std::vector<std::string_view>>& needed = entries_[static_cast<std::size_t>(position)].needed;
  if (!needed.has_value()) {
    needed.emplace();
    NameSet names = RequiredBy(position);
    for (const std::string& name : (*this)[position].attribute()) {
      if (names.erase(name) > 0) needed->push_back(name);
    }
  }
  return *needed;
}

std::span<const std::string_view> FunctionTable::OverloadsOf(std::string_view domain, std::string_view name) {
  if (!overloads_.has_value()) {
    overloads_.emplace();
    for (const Entry& entry : entries_) {
      const FunctionKey key(*entry.proto);
      if (!entry.is_repeated) (*overloads_)[FunctionKey(key.domain, key.name, "")].push_back(key.overload);
    }
  }
  const auto found = overloads_->find(FunctionKey(domain, name, ""));
  if (found == overloads_->end()) return {};
  return found->second;
}

std::string_view FunctionTable::DomainOf(std::string_view name) const {
  const auto found = domain_of_.find(name);
  return found == domain_of_.end() ? std::string_view() : found->second;
}

const std::vector<std::string>* FunctionTable::NamesIn(std::string_view domain) const {
  const auto found = domains_.find(NodeDomain(domain));
  return found == domains_.end() ? nullptr : &found->second;
}

}  // namespace onnxc::check
