// One version of a document, and the results of its analysis.
#pragma once

#include <onnxc/infer.h>
#include <onnxc/symbols.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/json.h"
#include "lsp/lines.h"
#include "lsp/named_files.h"
#include "lsp/reading.h"
#include "settings/file.h"
#include "source/operator_table.h"
#include "verdict/analyze.h"

namespace onnxc::lsp {

/// The settings of the client (docs/editors.md lists them).
struct Options {
  Levels warnings = {};     ///< like the option -W of the command
  bool infer = true;        ///< infer types and shapes, and report contradictions
  bool type_hints = true;   ///< show inlay hints of inferred types
  bool input_hints = true;  ///< show inlay hints of parameter names
  bool value_hints = true;  ///< show inlay hints of small computed constants
  bool code_lenses = true;
  bool workspace_diagnostics = true;  ///< report diagnostics of texts that are not open, if the client asks for them
};

/// Settings that the snapshots of all documents share. If a setting changes, a new object replaces this one.
struct Settings {
  Options options;
  mutable SettingsFinder files = {};  // thread-safe
  mutable NamedFiles named = {};
};

/// Reads a position of the protocol.
[[nodiscard]] LinePosition LinePositionOf(const Json& position);

/// An immutable version of a document. Each part of the analysis is computed when it is first needed. All functions are
/// thread-safe.
class Snapshot {
 public:
  /// `memory` is released when the memory of this version was freed; all versions of a document share it. May be null.
  Snapshot(std::string uri, std::int64_t version, std::string text, Encoding encoding,
           std::shared_ptr<const Settings> settings, std::shared_ptr<const void> memory = nullptr);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] const std::string& uri() const { return uri_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t version() const { return version_; }
  [[nodiscard]] std::string_view text() const { return source_.text(); }
  [[nodiscard]] const Lines& lines() const { return lines_; }
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  [[nodiscard]] const Options& options() const { return settings_->options; }

  /// Returns the model and the symbols of the text. Both are incomplete if the text has errors.
  [[nodiscard]] const PartialModel& parsed() const { return reading().parsed(); }
  [[nodiscard]] const SymbolIndex& symbols() const { return parsed().symbols; }

  /// Returns the findings of `onnxc check` for the text. A finding about a linked function is at its call.
  [[nodiscard]] const Diagnostics& findings() const;
  /// Returns where one of findings() is in a library, or nothing if it is about the text itself.
  [[nodiscard]] std::optional<verdict::LinkedFindings::PlaceInLibrary> InLibrary(const Diagnostic& finding) const {
    return in_libraries_.InLibrary(finding);
  }

  /// Returns the settings file that applies to the document, with its errors.
  [[nodiscard]] const onnxc::Settings& SettingsFile() const;

  /// Returns the libraries that the settings file names.
  [[nodiscard]] const Libraries& libraries() const { return settings_->named.LibrariesOf(SettingsFile(), encoding_); }

  /// Returns the operators that are known in the text: the built-in operators, and those in the operator files that the
  /// settings name.
  [[nodiscard]] OperatorTable operators() const { return OperatorTable(operator_files().operators); }

  /// Returns the inferred type of a value, or null if it is not known.
  [[nodiscard]] const InferredValue* TypeOf(SymbolId value) const;

  /// Returns the text with all fix-its applied, as `onnxc check --fix` applies them.
  [[nodiscard]] const std::string& Corrected() const;

  /// Returns a snapshot of the same document with another text. A call of Abandon() for this snapshot does not affect
  /// the new one.
  [[nodiscard]] std::unique_ptr<const Snapshot> WithText(std::string text) const;

  [[nodiscard]] const std::shared_ptr<const void>& memory() const { return memory_; }

  /// Returns whether most requests can be answered without a long wait: the text is parsed, and the findings or the
  /// types are known.
  [[nodiscard]] bool IsKnown() const { return is_read_.load() && (is_found_.load() || is_typed_.load()); }

  /// Returns whether findings() is already computed.
  [[nodiscard]] bool IsFound() const { return is_found_.load(); }
  /// Marks this version as outdated: no further analysis is done, unless a request waits for it. Later requests that
  /// need more of the analysis fail with kContentModified.
  void Abandon() const;
  [[nodiscard]] bool is_stale() const { return is_stale_.load(std::memory_order_relaxed); }
  /// Marks this version as outdated, because a change of the document has arrived but is not applied yet. The analysis
  /// continues.
  void ExpectChange() const { is_old_ = true; }
  [[nodiscard]] bool is_old() const { return is_old_; }

  // Convert between offsets in the text and positions of the protocol.
  [[nodiscard]] Json PositionAt(std::size_t offset) const;
  [[nodiscard]] Json RangeOf(SourceRange range) const;
  [[nodiscard]] std::size_t OffsetOf(const Json& position) const;
  [[nodiscard]] SourceRange SourceRangeOf(const Json& range) const;
  [[nodiscard]] std::string_view TextOf(SourceRange range) const {
    return text().substr(range.begin, range.end - range.begin);
  }

 private:
  [[nodiscard]] const Reading& reading() const;
  void Infer() const;
  void InferAll() const;
  void AddLibraries(Reading* read) const;
  [[nodiscard]] const OperatorFiles& operator_files() const;
  [[nodiscard]] verdict::AnalyzeOptions Steps(verdict::LinkedFindings* in_libraries) const;
  [[nodiscard]] std::optional<verdict::ReadText> Read(const SourceText& source, bool is_first) const;
  [[nodiscard]] Diagnostics Wanted(const Diagnostics& findings, const SourceText& source,
                                   const verdict::LinkedFindings& in_libraries) const;
  [[nodiscard]] Diagnostics Find() const;
  [[nodiscard]] std::string Correct() const;

  std::shared_ptr<const void> memory_;  // the first member, so that it is released after the others
  std::string uri_;
  std::string path_;
  std::int64_t version_;
  SourceText source_;
  Encoding encoding_;
  Lines lines_;
  std::shared_ptr<const Settings> settings_;
  friend std::shared_ptr<const Snapshot> Wanted(std::shared_ptr<const Snapshot> snapshot);
  void BeWanted(int by) const;

  mutable std::atomic<bool> is_old_ = false;
  mutable std::atomic<bool> is_stale_ = false;
  mutable std::mutex wanted_mutex_;  // guards the members below
  mutable int wanted_ = 0;           // number of requests that need this version
  mutable bool is_abandoned_ = false;
  mutable std::atomic<bool> is_read_ = false;
  mutable std::atomic<bool> is_found_ = false;
  mutable std::atomic<bool> is_typed_ = false;
  mutable std::once_flag operators_once_;
  mutable const OperatorFiles* operators_ = nullptr;  // owned by settings_
  mutable std::once_flag read_once_;
  mutable std::once_flag find_once_;
  mutable std::once_flag infer_once_;
  mutable std::once_flag correct_once_;
  mutable std::optional<Reading> reading_;
  mutable Diagnostics findings_;
  mutable verdict::LinkedFindings in_libraries_;     // set with the findings
  mutable std::optional<Inference> of_check_;        // set with the findings, if the check inferred types
  mutable std::optional<Inference> inferred_;        // the types, if they were needed before the findings or are not in
                                                     // `of_check_`
  mutable std::vector<const InferredValue*> types_;  // indexed by symbol
  mutable std::string corrected_;
};

/// Returns the same snapshot. While the returned pointer or a copy of it exists, Abandon() does not stop the analysis.
/// The snapshot must not be abandoned yet.
[[nodiscard]] std::shared_ptr<const Snapshot> Wanted(std::shared_ptr<const Snapshot> snapshot);

}  // namespace onnxc::lsp
