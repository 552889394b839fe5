// Findings about an input, as data and as rendered text.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

enum class Severity { kError, kWarning };

/// The kind of a finding. <onnxc/diagnostic_kinds.h> has a constant for each kind that this library reports.
enum class DiagnosticKind : int;

/// The kind of a finding that was created by the program that uses this library. Its name is "user".
inline constexpr auto kUserFinding = static_cast<DiagnosticKind>(-1);

/// Returns the kind's stable name, such as "unknown-type". Messages show it in brackets.
[[nodiscard]] std::string_view Name(DiagnosticKind kind);

/// Returns the kind of this name, or nothing if there is none.
[[nodiscard]] std::optional<DiagnosticKind> FindDiagnosticKind(std::string_view name);

/// Returns all kinds of findings that this library reports.
[[nodiscard]] const std::vector<DiagnosticKind>& AllDiagnosticKinds();

/// A second place in the text that explains a finding ("opened here").
struct Note {
  SourceRange range;
  std::string message;
};

/// One replacement of text. A diagnostic's fix-its are applied together; they do not overlap.
struct FixIt {
  SourceRange range;
  std::string replacement;
};

struct Diagnostic {
  DiagnosticKind kind = kUserFinding;
  Severity severity = Severity::kError;
  std::string message = {};      ///< one sentence, without the place and without a final stop
  SourceRange range = kNowhere;  ///< the place in the text; unused if `path` is set
  std::string path = {};         ///< the place in a message that has no text: `graph.node[3] "conv1".domain`
  std::vector<Note> notes = {};
  std::vector<FixIt> fix_its = {};
};

/// Returns the finding on one line, for readers who do not have the text: `graph.node[3].op_type: error: message
/// [kind]`. A range is written as `bytes 12-20: error: message [kind]`.
[[nodiscard]] std::string ToString(const Diagnostic& diagnostic);
std::ostream& operator<<(std::ostream& stream, const Diagnostic& diagnostic);

/// The findings of one run, in the order of the text.
class [[nodiscard]] Diagnostics {
 public:
  void Add(Diagnostic diagnostic);
  void Append(Diagnostics other);

  /// Sorts the findings by place and removes duplicates. Then keeps at most `limit` findings, errors rather than
  /// warnings.
  void Finish(std::size_t limit);

  /// Returns whether no finding is an error. Errors that Finish() left out count, too.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const std::vector<Diagnostic>& items() const { return items_; }
  [[nodiscard]] bool empty() const { return items_.empty(); }

  /// Returns how many findings `Finish` left out.
  [[nodiscard]] std::size_t suppressed() const { return suppressed_; }

  /// Returns a copy without warnings. Warnings that were left out are not counted in the copy.
  Diagnostics ErrorsOnly() const;

 private:
  friend void Suppress(Severity severity, Diagnostics* found);  // only the library counts findings that it leaves out

  std::vector<Diagnostic> items_;
  std::size_t suppressed_ = 0;
  std::size_t suppressed_errors_ = 0;  // how many of the suppressed findings are errors
  bool ok_ = true;
};

/// Writes each finding on a separate line, as ToString() returns it, and then how many findings were left out.
std::ostream& operator<<(std::ostream& stream, const Diagnostics& diagnostics);

/// A text, and the findings in it.
struct SourceFindings {
  SourceText source;
  Diagnostics diagnostics;
};

/// Renders findings for people: `file:line:col: error: message [kind]`, the line with the range underlined, notes and
/// fix-its. Control characters in the quoted line, including bidirectional ones, are shown as escapes. `color` adds
/// ANSI colours.
[[nodiscard]] std::string RenderText(const Diagnostics& diagnostics, const SourceText& source, bool color = false);

/// Renders findings for programs: one JSON object with an array "diagnostics". The member "file" of each diagnostic is
/// the name of the text. Lines and columns count from 1. Columns are in characters, offsets in bytes.
[[nodiscard]] std::string RenderJson(std::span<const SourceFindings> findings);
[[nodiscard]] std::string RenderJson(const Diagnostics& diagnostics, const SourceText& source);

/// Renders findings as SARIF 2.1.0, the format of code-scanning services.
[[nodiscard]] std::string RenderSarif(std::span<const SourceFindings> findings);
[[nodiscard]] std::string RenderSarif(const Diagnostics& diagnostics, const SourceText& source);

}  // namespace onnxc
