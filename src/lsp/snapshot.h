// One version of a document, and what is known of it.
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

namespace onnxc::lsp {

/// What the client sets (docs/editors.md lists the settings).
struct Options {
  Levels warnings = {};     ///< as -W of the command
  bool infer = true;        ///< types and shapes are inferred, and what contradicts them is reported
  bool type_hints = true;   ///< inlay hints of inferred types
  bool input_hints = true;  ///< inlay hints of the names of formal inputs
  bool value_hints = true;  ///< inlay hints of small constants that were computed
  bool code_lenses = true;
  bool workspace_diagnostics = true;  ///< of texts that are not open, where the client asks for them
};

/// What snapshots of all documents share; replaced as a whole when a setting changes.
struct Settings {
  Options options;
  mutable SettingsFinder files = {};  // any number of threads may ask
  mutable NamedFiles named = {};
};

/// A position as the protocol has it.
[[nodiscard]] LinePosition LinePositionOf(const Json& position);

/// Never changes; each part is computed when it is first asked for. Any number of threads may ask.
class Snapshot {
 public:
  /// `before`: what was read of a version before this one; may be null. `lines`: those of another version, which is
  /// needed no longer than the call takes; may be null, too. They change how long things take, and no result.
  Snapshot(std::string uri, std::int64_t version, std::string text, Encoding encoding,
           std::shared_ptr<const Settings> settings, std::shared_ptr<const Reading> before = nullptr,
           const Lines* lines = nullptr);
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  [[nodiscard]] const std::string& uri() const { return uri_; }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t version() const { return version_; }
  [[nodiscard]] std::string_view text() const { return source_.text(); }
  [[nodiscard]] const Lines& lines() const { return lines_; }
  [[nodiscard]] Encoding encoding() const { return encoding_; }
  [[nodiscard]] const Options& options() const { return settings_->options; }

  /// The text's model and names, as far as it can be read.
  [[nodiscard]] const PartialModel& parsed() const;
  [[nodiscard]] const SymbolIndex& symbols() const { return parsed().symbols; }

  /// What `onnxc check` says about the text.
  [[nodiscard]] const Diagnostics& findings() const;

  /// The file of settings that holds for the document, and what is wrong with it.
  [[nodiscard]] const onnxc::Settings& SettingsFile() const;

  /// The libraries that it names.
  [[nodiscard]] const Libraries& libraries() const { return settings_->named.LibrariesOf(SettingsFile(), encoding_); }

  /// The operators that are known in the text: the built-in ones, and those of the files that the settings name.
  [[nodiscard]] OperatorTable operators() const { return OperatorTable(operator_files().operators); }

  /// What is known of a value, or null.
  [[nodiscard]] const InferredValue* TypeOf(SymbolId value) const;

  /// The text with the corrections of its findings made, as `onnxc check --fix` makes them.
  [[nodiscard]] const std::string& Corrected() const;

  /// The same document with another text. It does not know that this one may become stale.
  [[nodiscard]] std::unique_ptr<const Snapshot> WithText(std::string text) const;

  /// There are symbols, and findings or types, so that most requests need not wait.
  [[nodiscard]] bool IsKnown() const { return is_parsed_.load() && (is_found_.load() || is_typed_.load()); }

  /// The newest reading without errors, of this version or an earlier one: the next version can take over its nodes.
  /// Null if there is no such reading, or if this version has not been read yet.
  [[nodiscard]] std::shared_ptr<const Reading> ReadSoFar() const { return is_read_ ? before_ : nullptr; }

  /// What findings() has is known.
  [[nodiscard]] bool IsFound() const { return is_found_.load(); }
  /// There is a newer version: what was not computed yet is left out, unless somebody waits for it.
  void Abandon() const;
  [[nodiscard]] bool is_stale() const { return is_stale_.load(std::memory_order_relaxed); }
  /// There is or will be a newer version.
  void ExpectChange() const { is_old_ = true; }
  [[nodiscard]] bool is_old() const { return is_old_; }

  // Between places in the text and those of the protocol.
  [[nodiscard]] Json PositionAt(std::size_t offset) const;
  [[nodiscard]] Json RangeOf(SourceRange range) const;
  [[nodiscard]] std::size_t OffsetOf(const Json& position) const;
  [[nodiscard]] SourceRange SourceRangeOf(const Json& range) const;
  [[nodiscard]] std::string_view TextOf(SourceRange range) const {
    return text().substr(range.begin, range.end - range.begin);
  }

 private:
  struct Types {
    Inference inference;
    std::vector<const InferredValue*> values;  // by symbol
  };

  [[nodiscard]] const Reading& reading() const;
  void AddLibraries(Reading* read) const;
  [[nodiscard]] const OperatorFiles& operator_files() const;
  [[nodiscard]] CheckOptions Rules() const;
  [[nodiscard]] Diagnostics Judge(const SourceText& source, const std::atomic<bool>* stop) const;
  [[nodiscard]] Diagnostics Check(const Reading& read, std::optional<Inference>* inference) const;
  [[nodiscard]] Diagnostics Wanted(const Diagnostics& findings, const SourceText& source) const;
  [[nodiscard]] Diagnostics Find() const;
  [[nodiscard]] std::string Correct() const;

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
  mutable std::mutex wanted_mutex_;  // of what follows
  mutable int wanted_ = 0;           // how many wait
  mutable bool is_abandoned_ = false;
  mutable std::atomic<bool> is_read_ = false;
  mutable std::atomic<bool> is_parsed_ = false;
  mutable std::atomic<bool> is_found_ = false;
  mutable std::atomic<bool> is_typed_ = false;
  mutable std::once_flag operators_once_;
  mutable const OperatorFiles* operators_ = nullptr;  // of settings_
  mutable std::once_flag read_once_;
  mutable std::once_flag parse_once_;
  mutable std::once_flag find_once_;
  mutable std::once_flag infer_once_;
  mutable std::once_flag correct_once_;
  mutable std::shared_ptr<const Reading> before_;  // replaced by reading_ if that has no errors
  mutable std::shared_ptr<Reading> reading_;
  mutable const PartialModel* parsed_ = nullptr;  // in it
  mutable Diagnostics findings_;
  mutable std::optional<Inference> inferred_;  // while the findings were computed
  mutable Types types_;
  mutable std::string corrected_;
};

/// The same snapshot, of which all is computed as long as the result and its copies live. It must not be abandoned yet.
[[nodiscard]] std::shared_ptr<const Snapshot> Wanted(std::shared_ptr<const Snapshot> snapshot);

}  // namespace onnxc::lsp
