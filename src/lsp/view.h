// A document for requests that must not wait for its analysis: the current text, and the analysis of an older one.
#pragma once

#include <cstddef>
#include <memory>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// The current version of a document, and the newest one that was analysed. Most often both are the same. Offsets of
/// the one become those of the other by what the texts have in common at their beginning and their end.
class View {
 public:
  View(std::shared_ptr<const Snapshot> current, std::shared_ptr<const Snapshot> known);

  [[nodiscard]] const Snapshot& current() const { return *current_; }
  [[nodiscard]] const Snapshot& known() const { return *known_; }
  [[nodiscard]] const SymbolIndex& symbols() const { return known_->symbols(); }

  /// The offset in the analysed text. An offset in new text becomes the place where that text was inserted.
  [[nodiscard]] std::size_t ToKnown(std::size_t offset) const;
  /// The offset, or the range, in the current text. A range is empty if its text was deleted.
  [[nodiscard]] std::size_t ToCurrent(std::size_t offset) const;
  [[nodiscard]] SourceRange ToCurrent(SourceRange range) const;

  /// The offset of the current text lies in what was changed: nothing is known of it.
  [[nodiscard]] bool IsNew(std::size_t offset) const { return begin_ < offset && offset < current_end_; }
  /// The range of the analysed text meets what was changed.
  [[nodiscard]] bool IsChanged(SourceRange range) const { return range.begin < known_end_ && begin_ < range.end; }

  /// Where the texts begin to differ; the same in both.
  [[nodiscard]] std::size_t change() const { return begin_; }
  /// The offset of the analysed text lies in what was changed.
  [[nodiscard]] bool IsGone(std::size_t offset) const { return begin_ < offset && offset < known_end_; }

  /// A range of the analysed text, in positions of the current one.
  [[nodiscard]] Json RangeOf(SourceRange range) const { return current_->RangeOf(ToCurrent(range)); }

 private:
  std::shared_ptr<const Snapshot> current_;
  std::shared_ptr<const Snapshot> known_;
  std::size_t begin_ = 0;  // what was changed, in both texts
  std::size_t known_end_ = 0;
  std::size_t current_end_ = 0;
};

/// The document of a request.
[[nodiscard]] View ViewOf(const Workspace& workspace, const Json& params);

}  // namespace onnxc::lsp
