// What was read of one version of a text, for itself and for the next version.
#pragma once

#include <onnxc/source.h>
#include <onnxc/symbols.h>

#include <atomic>
#include <memory>
#include <vector>

#include "lower/read_version.h"
#include "lsp/named_files.h"

namespace onnxc::lsp {

/// A text's model, places and errors; most nodes may be those of another version. Any number of threads may ask.
class Reading {
 public:
  /// `before`: another version that IsRight(), or null. Where `*stop` becomes true, the result is of no use.
  Reading(SourceText source, const std::shared_ptr<const Reading>& before, const std::atomic<bool>* stop);
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  [[nodiscard]] const SourceText& source() const { return source_; }
  [[nodiscard]] const onnx::ModelProto& model() const { return *version_.parsed.model; }
  [[nodiscard]] const SourceMap& places() const { return version_.parsed.places; }
  [[nodiscard]] const Diagnostics& errors() const {
    return link_errors_.ok() ? version_.parsed.diagnostics : link_errors_;
  }

  /// Adds the functions of libraries that the text calls to its model; what is wrong with that joins the errors. To be
  /// called before others see the model.
  void Link(const Libraries& libraries);

  /// The text was read to its end without an error, and has bodies: the next version can begin here.
  [[nodiscard]] bool IsRight() const { return !version_.bodies.empty(); }

  /// Finds the symbols where they are missing, and returns all. To be called once.
  const PartialModel& WithSymbols(const std::atomic<bool>* stop);

 private:
  SourceText source_;
  std::vector<std::shared_ptr<google::protobuf::Arena>> arenas_;  // own the messages
  lower::ReadVersion version_;
  Diagnostics link_errors_;
};

}  // namespace onnxc::lsp
