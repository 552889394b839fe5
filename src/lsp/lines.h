// Positions of the protocol: a line and a character in it, both from 0.
#pragma once

#include <onnxc/source.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace onnxc::lsp {

/// What characters are counted in (LSP 3.17, "PositionEncodingKind").
enum class Encoding : std::uint8_t { kUtf8, kUtf16 };

struct LinePosition {
  std::size_t line = 0;
  std::size_t character = 0;
  bool operator==(const LinePosition&) const = default;
};

/// The lines of a text. A line ends with LF, CR LF or CR. Each question takes time that depends on no length.
class Lines {
 public:
  Lines() : Lines(std::string_view(), Encoding::kUtf16) {}
  /// The text must outlive it. `before`: the lines of another text, which must still be there; most of them are the
  /// same where the text is a version of that one. It changes how long this takes, and no result.
  Lines(std::string_view text, Encoding encoding, const Lines* before = nullptr);

  /// The offset of a position; of the line's or the text's end where it is beyond that. Inside of a character it is the
  /// one where that begins.
  [[nodiscard]] std::size_t OffsetAt(LinePosition position) const;
  [[nodiscard]] LinePosition PositionAt(std::size_t offset) const;

  [[nodiscard]] std::size_t count() const { return begins_.size(); }
  /// The offset where a line begins; the text's end for one behind the last.
  [[nodiscard]] std::size_t BeginOf(std::size_t line) const {
    return line < begins_.size() ? begins_[line] : text_.size();
  }
  /// The line that holds the offset.
  [[nodiscard]] std::size_t LineOf(std::size_t offset) const;
  /// The line without its break.
  [[nodiscard]] SourceRange RangeOf(std::size_t line) const;

  /// The length of a part of the text, in what characters are counted in.
  [[nodiscard]] std::size_t LengthOf(SourceRange range) const { return UnitsAt(range.end) - UnitsAt(range.begin); }

 private:
  /// Adds the lines that begin in the text from `from`, which is no part of a break, to `end`.
  void AddLines(std::size_t from, std::size_t end);
  void CountUnitsFrom(std::size_t offset);
  [[nodiscard]] std::size_t UnitsAt(std::size_t offset) const;
  [[nodiscard]] std::size_t OffsetOfUnit(std::size_t unit, std::size_t begin, std::size_t end) const;

  std::string_view text_;
  std::vector<std::size_t> begins_;
  std::vector<std::size_t> units_;  // before each portion of the text; empty where units are bytes
};

}  // namespace onnxc::lsp
