// A document for requests that must not wait for its analysis: its current text, with the analysis of an older version.
#pragma once

#include <cstddef>
#include <memory>

#include "lsp/workspace.h"

namespace onnxc::lsp {

/// The current version of a document, and the newest analysed version, which is usually the same. Offsets in one
/// version can be converted to offsets in the other, because the two texts have a common beginning and a common end.
class View {
 public:
  View(std::shared_ptr<const Snapshot> current, std::shared_ptr<const Snapshot> known);

  [[nodiscard]] const Snapshot& current() const { return *current_; }
  [[nodiscard]] const Snapshot& known() const { return *known_; }
  [[nodiscard]] const SymbolIndex& symbols() const { return known_->symbols(); }

  /// Returns the offset in the analysed text. An offset in new text becomes the place where that text was inserted.
  [[nodiscard]] std::size_t ToKnown(std::size_t offset) const;
  /// Returns the offset, or the range, in the current text. A range becomes empty if its text was deleted.
  [[nodiscard]] std::size_t ToCurrent(std::size_t offset) const;
  [[nodiscard]] SourceRange ToCurrent(SourceRange range) const;

  /// Returns whether the offset of the current text is in the changed part, which is not analysed.
  [[nodiscard]] bool IsNew(std::size_t offset) const { return begin_ < offset && offset < current_end_; }
  /// Returns whether the range of the analysed text overlaps the changed part.
  [[nodiscard]] bool IsChanged(SourceRange range) const { return range.begin < known_end_ && begin_ < range.end; }

  /// Returns the offset of the first difference, which is the same in both texts.
  [[nodiscard]] std::size_t change() const { return begin_; }
  /// Returns whether the offset of the analysed text is in the changed part.
  [[nodiscard]] bool IsGone(std::size_t offset) const { return begin_ < offset && offset < known_end_; }

  /// Returns a range of the analysed text as a range of the protocol in the current text.
  [[nodiscard]] Json RangeOf(SourceRange range) const { return current_->RangeOf(ToCurrent(range)); }

 private:
  std::shared_ptr<const Snapshot> current_;
  std::shared_ptr<const Snapshot> known_;
  std::size_t begin_ = 0;  // the changed part begins here in both texts
  std::size_t known_end_ = 0;
  std::size_t current_end_ = 0;
};

/// Returns the view of the document of a request.
[[nodiscard]] View ViewOf(const Workspace& workspace, const Json& params);

}  // namespace onnxc::lsp
