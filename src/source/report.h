// Making diagnostics: the kinds, and the place where the stages leave their findings.
#pragma once

#include <fmt/format.h>
#include <onnxc/diagnostic.h>
#include <onnxc/diagnostic_kinds.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "source/meant.h"

namespace onnxc {

/// A row of the table, for those who look at all kinds.
struct DiagnosticInfo {
  std::string_view name;
  Severity severity;
  std::string_view message;   ///< with "{}" for each argument
  std::string_view sentence;  ///< of a rule: what has to hold; "" for others
  bool is_optional = false;   ///< of a rule: off where nobody asks for it
};
[[nodiscard]] const DiagnosticInfo& Info(DiagnosticKind kind);

/// What becomes of a finding of this kind where no setting says otherwise: "error", "warning" or "off".
[[nodiscard]] std::string_view UsualLevel(DiagnosticKind kind);

/// A kind with the types of the arguments that fill its message, so that the compiler checks the calls.
template <typename... Args>
struct DiagnosticBase {
  DiagnosticKind kind;
  Severity severity;
  fmt::format_string<const Args&...> message;

  static constexpr std::size_t kArguments = sizeof...(Args);
};

/// How many `{}` a message has.
consteval std::size_t CountHoles(std::string_view message) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = message.find("{}", at)) != std::string_view::npos; at += 2) ++count;
  return count;
}

/// The kinds, one constant for each row of the table: `MakeDiagnostic(diag::kUnknownType, range, word)`.
namespace diag {
using Text = std::string_view;
using Integer = std::int64_t;
using Count = std::uint64_t;

#define ONNXC_DIAGNOSTIC(enumerator, name, severity, message, ...)                                                  \
  inline constexpr DiagnosticBase<__VA_ARGS__> enumerator{DiagnosticKind::enumerator, Severity::severity, message}; \
  static_assert(CountHoles(message) == enumerator.kArguments, "one argument type for each {}");
#include "tables/diagnostics.def"
#undef ONNXC_DIAGNOSTIC
}  // namespace diag

/// A diagnostic of a kind whose message is filled already; long messages are cut.
[[nodiscard]] Diagnostic MakeDiagnostic(DiagnosticKind kind, Severity severity, SourceRange range, std::string message);

/// A diagnostic about a place in the text; the arguments fill the kind's message. `range` may be kNowhere.
template <typename... Args>
[[nodiscard]] Diagnostic MakeDiagnostic(const DiagnosticBase<Args...>& base, SourceRange range,
                                        std::type_identity_t<Args>... args) {
  return MakeDiagnostic(base.kind, base.severity, range, fmt::format(base.message, std::as_const(args)...));
}

/// The one finding that there is.
[[nodiscard]] inline Diagnostics Only(Diagnostic diagnostic) {
  Diagnostics found;
  found.Add(std::move(diagnostic));
  return found;
}

/// That an input is larger than `limit` bytes, which the caller allows.
[[nodiscard]] inline Diagnostics InputTooLarge(std::size_t limit, std::string_view input = "the input") {
  return Only(MakeDiagnostic(diag::kInputTooLarge, kNowhere, input, limit));
}

/// Counts a finding that is left out of the list.
void Suppress(Severity severity, Diagnostics* found);

/// Text from the input as it may stand in a message: long text is cut, control characters are escaped.
[[nodiscard]] std::string Quoted(std::string_view text);

}  // namespace onnxc
