// Which warnings are shown, and which of them count as errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace onnxc {

/// What is set for a kind of warning; nothing where that is left to others.
struct Level {
  std::optional<bool> is_shown = {};
  std::optional<bool> is_error = {};
};

/// What one place says about warnings: the command line, or a file of settings.
struct Levels {
  Level all = {};
  std::map<DiagnosticKind, Level> kinds = {};

  /// Sets what an option of the command says: `KIND=off`, `KIND=warning`, `KIND=error`; or `no-KIND`, `KIND`,
  /// `error=KIND`, `no-error=KIND`, or the same with `all` for the kind; `error` and `no-error` are for all kinds.
  /// Returns what is wrong with it, if anything.
  [[nodiscard]] std::optional<std::string> SetOption(std::string_view option);

  /// Sets what a file says of a kind, or of `all`: "off", "warning" or "error".
  [[nodiscard]] std::optional<std::string> SetWord(std::string_view kind, std::string_view word);
};

/// What a message adds about a kind that does not exist; `near` is the one that is meant, or "".
[[nodiscard]] std::string MeantKind(std::string_view near);

/// The findings as the settings want them: warnings that are not shown are left out, and others are made errors. The
/// first of `settings` that says something about a kind, or about all, is the one that counts. Errors stay as they are.
/// Findings of optional rules are shown where a setting names the rule, or all.
[[nodiscard]] Diagnostics WithLevels(const Diagnostics& diagnostics, std::span<const Levels* const> settings);

}  // namespace onnxc
