// The lines and columns of many places, found in one pass over the text.
#pragma once

#include <onnxc/diagnostic.h>

#include <vector>

namespace onnxc {

struct TextPosition {
  std::size_t offset = 0;
  SourcePosition position;
  std::size_t line_begin = 0;  ///< the offset of the line's first byte
};

/// Every place that a rendering of `diagnostics` mentions. However many there are, and however long the lines, the text
/// is read once.
class Positions {
 public:
  Positions(const Diagnostics& diagnostics, std::string_view text);

  /// `offset` is the begin or end of a range of one of the diagnostics, of its notes or of its fix-its.
  [[nodiscard]] const TextPosition& At(std::size_t offset) const;

 private:
  std::size_t size_;
  std::vector<TextPosition> places_;
};

}  // namespace onnxc
