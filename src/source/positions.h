// Finds the lines and columns of many places in one pass over the text.
#pragma once

#include <onnxc/diagnostic.h>

#include <vector>

namespace onnxc {

struct TextPosition {
  std::size_t offset = 0;
  SourcePosition position;
  std::size_t line_begin = 0;  ///< offset of the line's first byte
};

/// The positions of all places that a rendering of `diagnostics` mentions. The text is read only once, however many
/// places there are and however long its lines are.
class Positions {
 public:
  Positions(const Diagnostics& diagnostics, std::string_view text);

  /// Returns the position of `offset`, which must be the beginning or the end of a range that a diagnostic, one of its
  /// notes or one of its fix-its contains.
  [[nodiscard]] const TextPosition& At(std::size_t offset) const;

 private:
  std::size_t size_;
  std::vector<TextPosition> places_;
};

}  // namespace onnxc
