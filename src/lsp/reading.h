// A text that was read, and linked with the libraries that its settings name.
#pragma once

#include <onnxc/source.h>
#include <onnxc/symbols.h>

#include <memory>

#include "lsp/named_files.h"
#include "verdict/linked.h"

namespace onnxc::lsp {

/// The model, the source map and the errors of a text. All const functions are thread-safe.
class Reading {
 public:
  /// `parsed` is the result of parsing the text of `source`.
  Reading(SourceText source, PartialModel parsed)
      : source_(std::move(source)), parsed_(std::move(parsed)), linked_files_(source_) {}
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  [[nodiscard]] const SourceText& source() const { return source_; }
  [[nodiscard]] const PartialModel& parsed() const { return parsed_; }
  [[nodiscard]] const Diagnostics& errors() const { return link_errors_.ok() ? parsed_.diagnostics : link_errors_; }

  /// Adds the library functions that the text calls to the model of the text. Errors of linking are added to the errors
  /// of the text. Must be called before the model is shared with other threads.
  void Link(std::shared_ptr<const Libraries> libraries);

  /// The texts of the places of the model, which Link() has extended.
  [[nodiscard]] const verdict::LinkedFiles& linked_files() const { return linked_files_; }

 private:
  SourceText source_;
  PartialModel parsed_;
  std::shared_ptr<const Libraries> libraries_;  // own the linked functions, to which the model refers
  verdict::LinkedFiles linked_files_;
  Diagnostics link_errors_;
};

}  // namespace onnxc::lsp
