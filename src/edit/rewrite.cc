#include <onnxc/formatter.h>
#include <onnxc/parser.h>
#include <onnxc/rewrite.h>

#include <string>
#include <string_view>
#include <utility>

#include "edit/outline.h"
#include "edit/pairs.h"
#include "edit/splicer.h"
#include "print/lossless/printer.h"
#include "symbols/tokens.h"
#include "wire/message.h"

namespace onnxc {
namespace {

/// A text and the model that it describes.
struct Version {
  explicit Version(std::string_view source) : text(source) {
    is_valid =
        Parse(text, &model, {.max_diagnostics = 0, .source_map_out = &places, .tell_functions_apart = true}).ok();
  }

  [[nodiscard]] bool IsOf(std::string_view bytes) const { return is_valid && wire::ToWire(model) == bytes; }

  std::string_view text;
  onnx::ModelProto model;
  SourceMap places;
  bool is_valid = false;
};

/// Returns the clauses of the pragmas at the beginning of a text.
print::ClauseScope ScopeOf(std::string_view text) {
  print::ClauseScope scope;
  for (const TextToken& token : TokensIn(text, {0, text.size()})) {
    if (token.kind != TokenKind::kPragma) break;
    scope.Enter(text.substr(token.range.begin, token.range.end - token.range.begin));
  }
  return scope;
}

bool IsFormatted(std::string_view text) {
  const FormatResult formatted = FormatText(text, {.max_diagnostics = 0, .tell_functions_apart = true});
  return formatted.ok() && formatted.text == text;
}

}  // namespace

PrintResult Rewrite(std::string_view text, const onnx::ModelProto& after) {
  const print::ClauseScope scope = ScopeOf(text);
  PrintResult printed = print::PrintInScope(after, scope);
  if (!printed.ok()) return printed;
  const std::string bytes = wire::ToWire(after);
  const Version author(text);
  const Version new_version(printed.text);
  if (!author.is_valid || !new_version.IsOf(bytes)) return Print(after, {.final_line_break = true});
  const std::string old_text = print::PrintInScope(author.model, scope).text;
  const Version old_version(old_text);
  const edit::Outline outline(text, author.model, author.places);
  const edit::Outline old_outline(old_text, old_version.model, old_version.places);
  const edit::Outline new_outline(printed.text, new_version.model, new_version.places);
  if (outline.size() != old_outline.size()) return Print(after, {.final_line_break = true});
  const edit::Pairs pairs = edit::PairElements(outline, new_outline);
  for (const auto extent :
       {edit::Extent::kTokens, edit::Extent::kStatements, edit::Extent::kSignatures, edit::Extent::kAll}) {
    std::string changed = edit::Splicer(outline, old_outline, new_outline, pairs, extent).Run();
    if (!Version(changed).IsOf(bytes)) continue;
    printed.text = IsFormatted(text) ? FormatText(changed, {.tell_functions_apart = true}).text : std::move(changed);
    return printed;
  }
  return Print(after, {.final_line_break = true});
}

}  // namespace onnxc
