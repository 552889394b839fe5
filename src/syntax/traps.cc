#include "syntax/traps.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "source/report.h"
#include "syntax/scanner.h"
#include "syntax/tree.h"

namespace onnxc::syntax {
namespace {

// Returns the offset of the first backslash, at or after `from`, that is neither in `\\` nor in `\"`; nothing if there
// is none.
std::optional<std::size_t> FindDropped(std::string_view string, std::size_t from) {
  for (std::size_t at = from; (at = string.find('\\', at)) != std::string_view::npos; at += 2) {
    if (string[at + 1] != '\\' && string[at + 1] != '"') return at;
  }
  return std::nullopt;
}

/// Returns whether the string begins like a Windows path: `"C:\temp`.
bool BeginsWithDrive(std::string_view string) { return string.substr(2).starts_with(":\\"); }

// Returns the correction: b"..." if all of the dropped backslashes begin escapes in b"..." and the string is not a
// path; otherwise each becomes two backslashes.
FixIt Corrected(const SyntaxToken& token, std::size_t first) {
  constexpr std::string_view kEscapes = "nrt";
  bool are_escapes = !BeginsWithDrive(token.text);
  for (std::optional<std::size_t> at = first; at; at = FindDropped(token.text, *at + 2)) {
    are_escapes = are_escapes && kEscapes.find(token.text[*at + 1]) != std::string_view::npos;
  }
  if (are_escapes) return {{token.begin, token.begin}, "b"};
  std::string doubled;
  std::size_t done = 0;
  for (std::optional<std::size_t> at = first; at; at = FindDropped(token.text, *at + 2)) {
    doubled.append(token.text.substr(done, *at - done)).append("\\");
    done = *at;
  }
  return {token.range(), doubled.append(token.text.substr(done))};
}

}  // namespace

Diagnostics FindDroppedBackslashes(std::string_view text) {
  Diagnostics found;
  if (text.find('\\') == std::string_view::npos) return found;
  Scanner scanner(text);
  SyntaxToken token;
  do {
    scanner.Next(token);
    if (token.type != Grammar::STRING || token.text.front() != '"') continue;
    const std::optional<std::size_t> first = FindDropped(token.text, 0);
    if (!first) continue;
    const std::size_t begin = token.begin + *first;
    const std::string_view dropped = token.text.substr(*first + 1, 1);
    Diagnostic diagnostic = MakeDiagnostic(diag::kDroppedBackslash, {begin, begin + 2}, dropped, dropped);
    diagnostic.fix_its = {Corrected(token, *first)};
    found.Add(std::move(diagnostic));
  } while (token.type != antlr4::Token::EOF);
  return found;
}

}  // namespace onnxc::syntax
