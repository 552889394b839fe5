#include "verdict/doubled_comma.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "settings/filtered.h"
#include "source/report.h"
#include "symbols/tokens.h"

namespace onnxc::verdict {
namespace {

constexpr std::size_t kMostTried = 3;  // doubled commas that are tried

/// Returns the offsets at which one comma directly follows another one.
std::vector<std::size_t> DoubledCommas(std::string_view text) {
  std::vector<std::size_t> commas;
  if (text.find(",,") == std::string_view::npos) return commas;
  std::size_t behind_comma = 0;
  for (const TextToken& token : TokensIn(text, {0, text.size()})) {
    if (token.kind != TokenKind::kMark || text[token.range.begin] != ',') continue;
    if (behind_comma == token.range.begin && behind_comma > 0) commas.push_back(token.range.begin);
    if (commas.size() == kMostTried) break;
    behind_comma = token.range.end;
  }
  return commas;
}

std::multiset<std::string> ErrorsOf(const Diagnostics& found) {
  std::multiset<std::string> errors;
  for (const Diagnostic& finding : found.items()) {
    if (finding.severity == Severity::kError) errors.insert(finding.message);
  }
  return errors;
}

bool IsOfMeaning(const Diagnostic& finding) { return !Info(finding.kind).sentence.empty(); }

}  // namespace

Diagnostics TellDoubledCommas(const SourceText& source, Diagnostics found, const Judge& judge) {
  const auto is_unexplained = [](const Diagnostic& finding) {
    return finding.severity == Severity::kError && IsOfMeaning(finding);
  };
  if (found.suppressed() > 0 || std::ranges::none_of(found.items(), is_unexplained)) return found;
  for (const std::size_t comma : DoubledCommas(source.text())) {
    std::string without(source.text());
    without.erase(comma, 1);
    const std::multiset<std::string> errors = ErrorsOf(found);
    const std::multiset<std::string> left = ErrorsOf(judge(SourceText(source.name(), without)));
    if (left.size() >= errors.size() || !std::ranges::includes(errors, left)) continue;
    found = Filtered(found, [&](Diagnostic* finding) {
      return finding->severity != Severity::kError || left.contains(finding->message);
    });
    Diagnostic told = MakeDiagnostic(DiagnosticKind::kExtraComma, Severity::kError, {comma, comma + 1},
                                     "there is nothing between this ',' and the ',' before it");
    told.fix_its = {{{comma, comma + 1}, ""}};
    found.Add(std::move(told));
    break;
  }
  return found;
}

}  // namespace onnxc::verdict
