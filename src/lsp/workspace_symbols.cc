// Handles workspace/symbol: graphs, functions and labelled nodes of the open documents and of the texts in the folders.
#include <algorithm>
#include <string>
#include <string_view>

#include "lsp/methods.h"
#include "lsp/spelling.h"
#include "lsp/symbol_kind.h"
#include "lsp/target.h"

namespace onnxc::lsp {
namespace {

constexpr std::size_t kMostSymbols = 1000;

/// Returns whether the name contains all letters of the query in the same order.
bool Matches(std::string_view name, std::string_view query) {
  std::size_t at = 0;
  for (const char c : name) at += static_cast<std::size_t>(at < query.size() && Lower(c) == Lower(query[at]));
  return at == query.size();
}

void AddSymbols(const Snapshot& snapshot, std::string_view query, Json* found) {
  const auto add = [&](std::string_view name, int kind, SourceRange range) {
    if (name.empty() || found->size() >= kMostSymbols || !Matches(name, query)) return;
    found->push_back({{"name", name}, {"kind", kind}, {"location", LocationOf(range, snapshot)}});
  };
  for (const TextScope& scope : snapshot.symbols().scopes()) {
    const bool is_function = scope.kind == TextScope::Kind::kFunction;
    add(scope.name, is_function ? symbol_kind::kFunction : symbol_kind::kModule, scope.name_range);
  }
  for (const TextNode& node : snapshot.symbols().nodes()) {
    add(snapshot.TextOf(node.label), symbol_kind::kOperator, node.label);
  }
}

}  // namespace

Json WorkspaceSymbols(Workspace& workspace, const Json& params) {
  const std::string query = StringMember(params, "query");
  Json found = Json::array();
  for (const auto& snapshot : workspace.AllTexts()) AddSymbols(*snapshot, query, &found);
  return found;
}

}  // namespace onnxc::lsp
