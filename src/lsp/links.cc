// Handles textDocument/documentLink: files of external data, and the documentation of operators.
#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "lsp/methods.h"
#include "lsp/operators.h"
#include "lsp/uri.h"
#include "symbols/tokens.h"
#include "verdict/judge.h"

namespace onnxc::lsp {
namespace {

// Adds links to the files in entries of external data such as `"location" : "weights.data"`. Only existing files inside
// of the document's folder get a link.
void AddFiles(const Snapshot& snapshot, Json* links) {
  const std::vector<TextToken> tokens = TokensIn(snapshot.text(), {0, snapshot.text().size()});
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    const bool is_entry = snapshot.TextOf(tokens[i].range) == "\"location\"" &&
                          snapshot.TextOf(tokens[i + 1].range) == ":" && tokens[i + 2].kind == TokenKind::kString;
    if (!is_entry) continue;
    const SourceRange inner = {tokens[i + 2].range.begin + 1, tokens[i + 2].range.end - 1};
    const std::filesystem::path location(snapshot.TextOf(inner));
    const auto path = (std::filesystem::path(verdict::FolderOf(snapshot.path())) / location).lexically_normal();
    std::error_code error;
    const bool is_inside = location.is_relative() && !location.lexically_normal().string().starts_with("..");
    if (!is_inside || !std::filesystem::is_regular_file(path, error)) continue;
    links->push_back(
        {{"range", snapshot.RangeOf(inner)}, {"target", UriOf(path.string())}, {"tooltip", "External data"}});
  }
}

// Returns the address of the list of a domain's operators, or "" if the domain has no such page.
std::string_view PageOf(std::string_view domain) {
  if (NodeDomain(domain).empty()) return "onnx/onnx/blob/main/docs/Operators.md";
  if (domain == "ai.onnx.ml") return "onnx/onnx/blob/main/docs/Operators-ml.md";
  if (domain == kRuntimeDomain) return "microsoft/onnxruntime/blob/main/docs/ContribOperators.md";
  return "";
}

// Links the name of each imported domain to the list of its operators.
void AddDomains(const Snapshot& snapshot, Json* links) {
  for (const TextScope& scope : snapshot.symbols().scopes()) {
    for (const TextImport& import : scope.imports) {
      const std::string_view page = PageOf(import.domain);
      if (page.empty()) continue;
      links->push_back({{"range", snapshot.RangeOf(import.range)},
                        {"target", fmt::format("https://github.com/{}", page)},
                        {"tooltip", "The operators of this domain"}});
    }
  }
}

}  // namespace

Json DocumentLinks(Workspace& workspace, const Json& params) {
  const auto snapshot = workspace.DocumentOf(params);
  Json links = Json::array();
  AddFiles(*snapshot, &links);
  AddDomains(*snapshot, &links);
  return links;
}

}  // namespace onnxc::lsp
