// Creates diagnostics: the table of kinds, and functions that fill their messages.
#pragma once

#include <fmt/format.h>
#include <onnxc/diagnostic.h>
#include <onnxc/diagnostic_kinds.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "source/meant.h"

namespace onnxc {

/// A row of the table of kinds, without the types of its arguments.
struct DiagnosticInfo {
  std::string_view name;
  Severity severity;
  std::string_view message;   ///< with "{}" for each argument
  std::string_view sentence;  ///< for a rule: what it requires; "" for other kinds
  bool is_optional = false;   ///< for a rule: it is off unless it is requested
};
[[nodiscard]] const DiagnosticInfo& Info(DiagnosticKind kind);

/// Returns the level of this kind unless a setting changes it: "error", "warning" or "off".
[[nodiscard]] std::string_view UsualLevel(DiagnosticKind kind);

/// A kind with the types of its message's arguments, so that the compiler can check calls.
template <typename... Args>
struct DiagnosticBase {
  DiagnosticKind kind;
  Severity severity;
  fmt::format_string<const Args&...> message;

  static constexpr std::size_t kArguments = sizeof...(Args);
};

/// Returns the number of `{}` in a message.
consteval std::size_t CountHoles(std::string_view message) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = message.find("{}", at)) != std::string_view::npos; at += 2) ++count;
  return count;
}

/// One constant for each row of the table, for calls such as `MakeDiagnostic(diag::kUnknownType, range, word)`.
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

/// Returns a diagnostic with a complete message. Long messages are shortened.
[[nodiscard]] Diagnostic MakeDiagnostic(DiagnosticKind kind, Severity severity, SourceRange range, std::string message);

/// Returns a diagnostic about a range of the text. The arguments fill the kind's message. `range` may be kNowhere.
template <typename... Args>
[[nodiscard]] Diagnostic MakeDiagnostic(const DiagnosticBase<Args...>& base, SourceRange range,
                                        std::type_identity_t<Args>... args) {
  return MakeDiagnostic(base.kind, base.severity, range, fmt::format(base.message, std::as_const(args)...));
}

/// Returns a list of one diagnostic.
[[nodiscard]] inline Diagnostics Only(Diagnostic diagnostic) {
  Diagnostics found;
  found.Add(std::move(diagnostic));
  return found;
}

/// Returns the error that an input is larger than `limit` bytes, the maximum that the caller allows.
[[nodiscard]] inline Diagnostics InputTooLarge(std::size_t limit, std::string_view input = "the input") {
  return Only(MakeDiagnostic(diag::kInputTooLarge, kNowhere, input, limit));
}

/// Counts a finding that is left out of the list.
void Suppress(Severity severity, Diagnostics* found);

/// Returns text from the input as messages show it: long text is shortened, and control characters are escaped.
[[nodiscard]] std::string Quoted(std::string_view text);

}  // namespace onnxc
