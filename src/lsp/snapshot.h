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
#include "verdict/judge.h"
#include "verdict/linked.h"
#include "verdict/version.h"

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

/// Results of earlier versions of a document. They make the analysis faster and do not change its result.
struct Before {
  Earlier<std::shared_ptr<const Reading>> read = {};  ///< the newest reading without errors, or null
  std::shared_ptr<const Reading> indexed = nullptr;   ///< the newest reading without errors that has symbols, or null
  bool had_errors = false;                            ///< the newest version that was read has syntax errors
  Earlier<std::shared_ptr<const verdict::Version>> found = {};  ///< the newest version checked as a whole, or null
  const Lines* lines = nullptr;  ///< the lines of another version, or null; used only by the constructor
  CommonEnds same = {};          ///< what the text of `lines` is known to have in common with this text
  /// Is set when symbols or types of any version are used. Null means that this version is the first one.
  std::shared_ptr<std::atomic<bool>> are_symbols_used = nullptr;
  /// Is released when the memory of this version was freed; all versions of a document share it. May be null.
  std::shared_ptr<const void> memory = nullptr;
};

/// An immutable version of a document. Each part of the analysis is computed when it is first needed. All functions are
/// thread-safe.
class Snapshot {
 public:
  Snapshot(std::string uri, std::int64_t version, std::string text, Encoding encoding,
           std::shared_ptr<const Settings> settings, const Before& before = {});
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] const std::string& uri() const { return uri_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t version() const { return version_; }
  [[nodiscard]] std::string_view text() const { return source_.text(); }
  /// Returns what the text has in common with itself.
  [[nodiscard]] CommonEnds Whole() const { return {text().size(), text().size()}; }
  [[nodiscard]] const Lines& lines() const { return lines_; }
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  [[nodiscard]] const Options& options() const { return settings_->options; }

  /// Returns the model and the symbols of the text. Both are incomplete if the text has errors.
  [[nodiscard]] const PartialModel& parsed() const {
    are_symbols_used_->store(true, std::memory_order_relaxed);
    return indexed();
  }
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

  [[nodiscard]] const std::shared_ptr<std::atomic<bool>>& are_symbols_used() const { return are_symbols_used_; }
  [[nodiscard]] const std::shared_ptr<const void>& memory() const { return memory_; }
  /// Computes the symbols and types before they are used, if those of the version before this one were used.
  void Prepare() const;

  /// Returns whether most requests can be answered without a long wait: the text is parsed, and the findings or the
  /// types are known.
  [[nodiscard]] bool IsKnown() const { return is_read_.load() && (is_found_.load() || is_typed_.load()); }

  /// Returns the newest reading without errors, from this version or an earlier one, with what its text has in
  /// common with this one, so that the next version can reuse its nodes. Returns null if there is no such reading, or
  /// if this version has not been read yet.
  [[nodiscard]] Earlier<std::shared_ptr<const Reading>> ReadSoFar() const {
    return is_read_ ? before_ : Earlier<std::shared_ptr<const Reading>>{};
  }
  /// Returns the newest reading without errors that has symbols. Returns null if there is none, or if the symbols of
  /// this version have not been computed yet.
  [[nodiscard]] std::shared_ptr<const Reading> IndexedSoFar() const { return is_indexed_ ? indexed_ : nullptr; }
  /// Returns the newest version that was checked as a whole, with what its text has in common with this one. Returns
  /// null if there is none, or if this version has not been checked yet.
  [[nodiscard]] Earlier<std::shared_ptr<const verdict::Version>> FoundSoFar() const {
    return is_found_ ? found_ : Earlier<std::shared_ptr<const verdict::Version>>{};
  }
  [[nodiscard]] bool HasSettings(const std::shared_ptr<const Settings>& settings) const {
    return settings == settings_;
  }
  /// Returns whether this version was parsed and has syntax errors.
  [[nodiscard]] bool HasErrors() const { return is_read_ && !reading_->IsRight(); }

  /// Returns whether findings() is already computed.
  [[nodiscard]] bool IsFound() const { return is_found_.load(); }
  /// Marks this version as outdated: no further analysis is done, unless a request waits for it.
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
  struct Types {
    std::shared_ptr<const Inference> inference;  // the inference of this version; null if not needed
    std::vector<const InferredValue*> values;    // indexed by symbol
    // If the types come from an earlier version: that version, the types of the changed nodes, and the graph's scope.
    std::shared_ptr<const verdict::Version> before;
    std::optional<verdict::Version::Types> of_before;
    SymbolId graph = kNoSymbol;
  };

  [[nodiscard]] const Reading& reading() const;
  [[nodiscard]] const PartialModel& indexed() const;
  void KeepSymbols() const;
  [[nodiscard]] bool ExpectsUse() const { return were_symbols_used_ || *are_symbols_used_; }
  void Infer() const;
  void AddLibraries(Reading* read) const;
  [[nodiscard]] const OperatorFiles& operator_files() const;
  [[nodiscard]] CheckOptions Rules() const;
  [[nodiscard]] Diagnostics Judge(const SourceText& source, const std::atomic<bool>* stop,
                                  verdict::LinkedFindings* in_libraries) const;
  [[nodiscard]] Diagnostics Check(const std::shared_ptr<const Reading>& read, CommonEnds same,
                                  verdict::Checked* checked, verdict::LinkedFindings* in_libraries) const;
  /// Returns the newest version that is known to have been checked as a whole, or null.
  [[nodiscard]] const Earlier<std::shared_ptr<const verdict::Version>>& FoundHere() const {
    return is_found_ ? found_ : found_before_;
  }
  void InferAll() const;
  [[nodiscard]] Diagnostics Wanted(const Diagnostics& findings, const SourceText& source,
                                   const verdict::LinkedFindings& in_libraries, const RareParts& rare = {}) const;
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
  lower::Expected expected_;
  std::shared_ptr<std::atomic<bool>> are_symbols_used_;  // never null
  bool were_symbols_used_;                               // before this version
  mutable std::atomic<bool> is_read_ = false;
  mutable std::atomic<bool> is_indexed_ = false;
  mutable std::atomic<bool> is_found_ = false;
  mutable std::atomic<bool> is_typed_ = false;
  mutable std::once_flag operators_once_;
  mutable const OperatorFiles* operators_ = nullptr;  // owned by settings_
  mutable std::once_flag read_once_;
  mutable std::once_flag index_once_;
  mutable std::once_flag find_once_;
  mutable std::once_flag infer_once_;
  mutable std::once_flag correct_once_;
  mutable Earlier<std::shared_ptr<const Reading>> before_;  // the newest reading without errors, or null
  mutable std::shared_ptr<const Reading> indexed_;  // the newest reading without errors that has symbols, or null
  mutable std::shared_ptr<Reading> reading_;
  mutable Diagnostics findings_;
  mutable verdict::LinkedFindings in_libraries_;                   // set with the findings
  mutable verdict::Checked checked_;                               // what the check computed besides the findings
  Earlier<std::shared_ptr<const verdict::Version>> found_before_;  // may be null
  // `found_before_` or this version; set with the findings.
  mutable Earlier<std::shared_ptr<const verdict::Version>> found_;
  mutable Types types_;
  mutable std::string corrected_;
};

/// Returns the same snapshot. While the returned pointer or a copy of it exists, Abandon() does not stop the analysis.
/// The snapshot must not be abandoned yet.
[[nodiscard]] std::shared_ptr<const Snapshot> Wanted(std::shared_ptr<const Snapshot> snapshot);

}  // namespace onnxc::lsp
