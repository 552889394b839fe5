// The parse result of one version of a text, which the next version can reuse.
#pragma once

#include <onnxc/source.h>
#include <onnxc/symbols.h>

#include <atomic>
#include <memory>
#include <vector>

#include "lower/read_version.h"
#include "lsp/named_files.h"
#include "symbols/partial.h"
#include "verdict/linked.h"

namespace onnxc::lsp {

/// The model, the source map and the errors of a text. Most nodes may come from an older version. All const functions
/// are thread-safe.
class Reading {
 public:
  /// `before` is another version for which IsRight() is true, or null. If `*stop` becomes true, parsing stops, and the
  /// reading must not be used. If `symbols` is kYes and `before` is not worn, `before` must have symbols. `expected`
  /// says whether the text probably has errors, and `same` what both texts are known to have in common. They affect
  /// only the time, not the result.
  Reading(SourceText source, const std::shared_ptr<const Reading>& before, const std::atomic<bool>* stop,
          WithSymbols symbols = WithSymbols::kYes, lower::Expected expected = lower::Expected::kNoErrors,
          CommonEnds same = {});
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  [[nodiscard]] const SourceText& source() const { return source_; }
  [[nodiscard]] const onnx::ModelProto& model() const { return *version_.parsed.model; }
  [[nodiscard]] const SourceMap& places() const { return version_.parsed.places; }
  [[nodiscard]] const Diagnostics& errors() const {
    return link_errors_.ok() ? version_.parsed.diagnostics : link_errors_;
  }

  /// Adds the library functions that the text calls to the model of the text. Errors of linking are added to the errors
  /// of the text. Must be called before the model is shared with other threads.
  void Link(std::shared_ptr<const Libraries> libraries);

  /// The texts of the places of the model, which Link() has extended.
  [[nodiscard]] const verdict::LinkedFiles& linked_files() const { return linked_files_; }

  /// Adds the symbols to a reading without symbols. `before` is another reading for which IsRight() is true and that
  /// has symbols, or null. This affects only the time, not the result.
  void AddSymbols(const Reading* before);

  /// Returns whether the complete text was read without errors and contains a body of a graph or function. The next
  /// version can then reuse its nodes.
  [[nodiscard]] bool IsRight() const { return !version_.bodies.empty(); }

  /// Returns whether the next version must be read completely. A version that reuses nodes keeps the arenas of the
  /// older versions, including messages that it does not need, and adds an arena. So the complete text is read again if
  /// there are many arenas, or if the arenas after the first one use much memory.
  [[nodiscard]] bool IsWorn() const;

  [[nodiscard]] const PartialModel& parsed() const { return version_.parsed; }
  [[nodiscard]] const lower::ReadVersion& version() const { return version_; }
  [[nodiscard]] const RareParts& rare_parts() const { return version_.rare_parts; }

 private:
  SourceText source_;
  std::vector<std::shared_ptr<google::protobuf::Arena>> arenas_;  // own the messages
  lower::ReadVersion version_;
  std::shared_ptr<const Libraries> libraries_;  // own the linked functions, to which the model refers
  verdict::LinkedFiles linked_files_;
  Diagnostics link_errors_;
};

}  // namespace onnxc::lsp
