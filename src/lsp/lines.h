// Positions of the protocol: a line and a character in that line, both from 0.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace onnxc::lsp {

/// The units in which the protocol counts characters (LSP 3.17, "PositionEncodingKind").
enum class Encoding : std::uint8_t { kUtf8, kUtf16 };

struct LinePosition {
  std::size_t line = 0;
  std::size_t character = 0;
  bool operator==(const LinePosition&) const = default;
};

/// Converts between offsets in a text and lines. A line ends with LF, CR LF or CR. The time of a query does not depend
/// on the length of a line.
class Lines {
 public:
  Lines() : Lines(std::string_view(), Encoding::kUtf16) {}
  /// `text` must outlive this object.
  Lines(std::string_view text, Encoding encoding);

  /// Returns the offset of a position. A position after the end of its line is moved to the end of the line, a position
  /// after the end of the text to the end of the text, and a position inside of a character to the beginning of the
  /// character.
  [[nodiscard]] std::size_t OffsetAt(LinePosition position) const;
  [[nodiscard]] LinePosition PositionAt(std::size_t offset) const;
  /// Returns whether a position is inside of a character.
  [[nodiscard]] bool IsInside(LinePosition position) const {
    const std::size_t offset = OffsetAt(position);
    return offset < RangeOf(position.line).end && PositionAt(offset) != position;
  }

  [[nodiscard]] std::size_t count() const { return begins_.size(); }
  /// Returns the offset where a line begins, or the end of the text if there is no such line.
  [[nodiscard]] std::size_t BeginOf(std::size_t line) const {
    return line < begins_.size() ? begins_[line] : text_.size();
  }
  /// Returns the line that contains the offset.
  [[nodiscard]] std::size_t LineOf(std::size_t offset) const;
  /// Returns the range of a line without its line break.
  [[nodiscard]] SourceRange RangeOf(std::size_t line) const;

  /// Returns the length of a part of the text in units of the encoding.
  [[nodiscard]] std::size_t LengthOf(SourceRange range) const { return UnitsAt(range.end) - UnitsAt(range.begin); }

 private:
  [[nodiscard]] std::size_t UnitsAt(std::size_t offset) const;
  [[nodiscard]] std::size_t OffsetOfUnit(std::size_t unit, std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> units_;  // UTF-16 units before each portion of the text; empty if the units are bytes
};

}  // namespace onnxc::lsp
