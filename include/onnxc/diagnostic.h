// What is wrong with an input: findings as data, and their renderings.
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

/// The kind of a finding that a program has made, not this library. Its name is "user".
inline constexpr auto kUserFinding = static_cast<DiagnosticKind>(-1);

/// The kind's stable name, such as "unknown-type". Messages show it in brackets.
[[nodiscard]] std::string_view Name(DiagnosticKind kind);

/// The kind of this name, if there is one.
[[nodiscard]] std::optional<DiagnosticKind> FindDiagnosticKind(std::string_view name);

/// All kinds of findings that this library reports.
[[nodiscard]] const std::vector<DiagnosticKind>& AllDiagnosticKinds();

/// A second place that explains a finding ("opened here").
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
  std::string message = {};      ///< one sentence, without place or final stop
  SourceRange range = kNowhere;  ///< the blamed text; unused if `path` is set
  std::string path = {};         ///< the blamed element of a message that has no text: `graph.node[3] "conv1".domain`
  std::vector<Note> notes = {};
  std::vector<FixIt> fix_its = {};
};

/// The finding on one line, for those who do not have its source: `graph.node[3].op_type: error: message [kind]`. A
/// range is shown as `bytes 12-20: error: message [kind]`.
[[nodiscard]] std::string ToString(const Diagnostic& diagnostic);
std::ostream& operator<<(std::ostream& stream, const Diagnostic& diagnostic);

/// The findings of one run, in the order of the text.
class [[nodiscard]] Diagnostics {
 public:
  void Add(Diagnostic diagnostic);
  void Append(Diagnostics other);

  /// Sorts the findings by place, removes duplicates, and keeps `limit` of them: errors before warnings.
  void Finish(std::size_t limit);

  /// True if no finding is an error. Findings that were left out count, too.
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] const std::vector<Diagnostic>& items() const { return items_; }
  [[nodiscard]] bool empty() const { return items_.empty(); }

  /// How many findings `Finish` left out.
  [[nodiscard]] std::size_t suppressed() const { return suppressed_; }

  /// A copy without warnings. Warnings that were left out are not counted in it.
  Diagnostics ErrorsOnly() const;

 private:
  friend void Suppress(Severity severity, Diagnostics* found);  // the library alone counts what it leaves out

  std::vector<Diagnostic> items_;
  std::size_t suppressed_ = 0;
  std::size_t suppressed_errors_ = 0;  // of suppressed_
  bool ok_ = true;
};

/// Each finding on a line of its own, as ToString() shows it, and how many were left out.
std::ostream& operator<<(std::ostream& stream, const Diagnostics& diagnostics);

/// The findings in one text.
struct SourceFindings {
  SourceText source;
  Diagnostics diagnostics;
};

/// For people: `file:line:col: error: message [kind]`, the line with the range underlined, notes and fix-its. Control
/// characters in the quoted line, bidirectional ones too, are shown as escapes. `color` adds ANSI colours.
[[nodiscard]] std::string RenderText(const Diagnostics& diagnostics, const SourceText& source, bool color = false);

/// For programs: one JSON object with an array "diagnostics", each with its "file"; lines and columns from 1, columns
/// in characters, offsets in bytes.
[[nodiscard]] std::string RenderJson(std::span<const SourceFindings> findings);
[[nodiscard]] std::string RenderJson(const Diagnostics& diagnostics, const SourceText& source);

/// SARIF 2.1.0, as code-scanning services read it.
[[nodiscard]] std::string RenderSarif(std::span<const SourceFindings> findings);
[[nodiscard]] std::string RenderSarif(const Diagnostics& diagnostics, const SourceText& source);

}  // namespace onnxc
