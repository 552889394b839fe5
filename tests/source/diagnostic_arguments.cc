// diagnostic_arguments_test.sh compiles this file: it must compile without WRONG, and must not compile with any value
// of WRONG.
#include <string>

#include "source/report.h"

using namespace onnxc;

// A row of the table.
#if WRONG == 1  // a message with an argument that has no type
inline constexpr DiagnosticBase<> kRow{DiagnosticKind::kLoss, Severity::kError, "cannot carry {}"};
#else
inline constexpr DiagnosticBase<diag::Text> kRow{DiagnosticKind::kLoss, Severity::kError, "cannot carry {}"};
#endif

int main() {
  const std::string word = "word";
  const std::size_t limit = 7;
  (void)MakeDiagnostic(kRow, kNowhere, word);
  (void)MakeDiagnostic(diag::kSemicolon, kNowhere);
  (void)MakeDiagnostic(diag::kUnexpectedToken, kNowhere, "a name", word);
  (void)MakeDiagnostic(diag::kInputTooLarge, kNowhere, word, limit);
#if WRONG == 2  // one argument too few
  (void)MakeDiagnostic(diag::kUnexpectedToken, kNowhere, "a name");
#elif WRONG == 3  // one too many
  (void)MakeDiagnostic(diag::kSemicolon, kNowhere, word);
#elif WRONG == 4  // a number for text
  (void)MakeDiagnostic(diag::kUnexpectedToken, kNowhere, "a name", limit);
#elif WRONG == 5  // text for a number
  (void)MakeDiagnostic(diag::kInputTooLarge, kNowhere, word, word);
#elif WRONG == 6  // the kind without the types of its arguments
  (void)MakeDiagnostic(DiagnosticKind::kUnexpectedToken, kNowhere, "a name", word);
#endif
  return 0;
}
