#include "syntax/parse.h"

#include "syntax/foreign.h"
#include "syntax/recovery.h"

namespace onnxc::syntax {

bool ParseQuietly(std::string_view text, EntryRule entry, PartListener& listener, Continuation* continuation) {
  TokenStream tokens(text, Scanner::ListTokens::kAll);
  Grammar parser(&tokens);
  parser.set_listener(&listener);
  parser.set_continuation(continuation);
  try {
    return listener.PartCompleted(entry(parser));
  } catch (const FirstError&) {
    return false;
  }
}

std::optional<std::size_t> ParseNodes(std::string_view text, std::size_t begin, PartListener& listener) {
  TokenStream tokens(text, Scanner::ListTokens::kAll, begin);
  Grammar parser(&tokens);
  parser.set_listener(&listener);
  try {
    return static_cast<const SyntaxToken*>(parser.nodesRest()->stop)->begin;
  } catch (const FirstError&) {
    return std::nullopt;
  }
}

void ParseReporting(std::string_view text, EntryRule entry, PartListener& listener, Diagnostics* diagnostics) {
  if (std::optional<Diagnostic> foreign = FindForeignText(text)) return diagnostics->Add(*std::move(foreign));
  TokenStream tokens(text, Scanner::ListTokens::kNumbers);
  Grammar parser(&tokens);
  Recovery recovery(text, diagnostics);
  parser.set_listener(&listener);
  parser.set_error_strategy(&recovery);
  try {
    (void)listener.PartCompleted(entry(parser));
  } catch (const FirstError&) {  // nested too deeply or too many errors; already reported
  }
  recovery.Finish();
}

}  // namespace onnxc::syntax
