// Making diagnostics: the kinds, and the place where the stages leave their findings.
#pragma once

#include <fmt/format.h>
#include <onnxc/diagnostic.h>

#include <utility>

namespace onnxc {

enum class DiagnosticKind : int {
#define ONNXC_DIAGNOSTIC(enumerator, name, severity, message) enumerator,
#include "tables/diagnostics.def"
#undef ONNXC_DIAGNOSTIC
};

/// A row of the table.
struct DiagnosticInfo {
  std::string_view name;
  Severity severity;
  std::string_view message;
};
[[nodiscard]] const DiagnosticInfo& Info(DiagnosticKind kind);

/// A message that is not longer than people read, however long the names in it are.
[[nodiscard]] std::string Cut(std::string message);

/// A diagnostic about a place in the text; the arguments fill the kind's message.
template <typename... Args>
[[nodiscard]] Diagnostic MakeDiagnostic(DiagnosticKind kind, SourceRange range, const Args&... args) {
  const DiagnosticInfo& info = Info(kind);
  return Diagnostic{.kind = kind,
                    .severity = info.severity,
                    .message = Cut(fmt::format(fmt::runtime(info.message), args...)),
                    .range = range};
}

/// The one finding that there is.
[[nodiscard]] inline Diagnostics Only(Diagnostic diagnostic) {
  Diagnostics found;
  found.Add(std::move(diagnostic));
  return found;
}

/// That an input is larger than `limit` bytes, which the caller allows.
[[nodiscard]] inline Diagnostics InputTooLarge(std::size_t limit, std::string_view input = "the input") {
  return Only(MakeDiagnostic(DiagnosticKind::kInputTooLarge, kNowhere, input, limit));
}

/// Text from the input as it may stand in a message: long text is cut, control characters are escaped.
[[nodiscard]] std::string Quoted(std::string_view text);

/// The member of `words` that `word` most likely stands for, or "" where none is near.
[[nodiscard]] std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words);

}  // namespace onnxc
