// Determines which warnings are shown, and which of them count as errors.
#pragma once

#include <onnxc/diagnostic.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The settings for a kind of warning. If a member is not set, other settings decide about it.
struct Level {
  std::optional<bool> is_shown = {};
  std::optional<bool> is_error = {};
};

/// The settings for warnings from one source: the command line, or a settings file.
struct Levels {
  Level all = {};
  std::map<DiagnosticKind, Level> kinds = {};

  /// Applies an option of the command: `KIND=off`, `KIND=warning`, `KIND=error`, `no-KIND`, `KIND`, `error=KIND` or
  /// `no-error=KIND`. KIND may be `all`. `error` and `no-error` without a kind apply to all kinds. Returns what is
  /// wrong with the option, or nothing.
  [[nodiscard]] std::optional<std::string> SetOption(std::string_view option);

  /// Applies a setting of a settings file for a kind, or for `all`. The word is "off", "warning" or "error". Returns a
  /// description of what is wrong, or nothing.
  [[nodiscard]] std::optional<std::string> SetWord(std::string_view kind, std::string_view word);
};

/// Returns the words that can replace KIND: `all`, and the name of each warning.
[[nodiscard]] std::vector<std::string_view> KindsWithLevels();

/// Returns the end of a message about a kind that does not exist. `near` is a similar kind, or "".
[[nodiscard]] std::string MeantKind(std::string_view near);

/// Applies the settings to findings: removes warnings that are not shown, and changes others to errors. For each kind,
/// the first element of `settings` that specifies the kind, or all kinds, is used. Errors are not changed. Findings of
/// optional rules are shown only if a setting names the rule or all kinds.
[[nodiscard]] Diagnostics WithLevels(const Diagnostics& diagnostics, std::span<const Levels* const> settings);

}  // namespace onnxc
