// Source texts and places in them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace onnxc {

/// Bytes [begin, end) of a text.
struct SourceRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  bool operator==(const SourceRange&) const = default;
};

/// The range of a finding that has no place in the text, because it is about a complete file or about a message.
inline constexpr SourceRange kNowhere = {static_cast<std::size_t>(-1), static_cast<std::size_t>(-1)};

/// A place in a text, as it is shown to people. Lines and columns count from 1. A column is one character: a UTF-8
/// sequence, a TAB, or a byte that is not part of a valid sequence.
struct SourcePosition {
  std::size_t line = 1;
  std::size_t column = 1;

  bool operator==(const SourcePosition&) const = default;
};

/// A named text. Copies share the bytes.
class SourceText {
 public:
  /// `name` is the name of the text in diagnostics: a path, or "<stdin>".
  SourceText(std::string name, std::string text);

  /// A text that refers to bytes stored elsewhere, such as in a mapped file. `owner` keeps the bytes alive; if it is
  /// null, the caller must do so.
  SourceText(std::string name, std::string_view text, std::shared_ptr<const void> owner);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Returns the place of byte `offset`, or the place of the text's end if `offset` is after the end. The first call
  /// reads the text once and stores a place for every few thousand bytes, so later calls take constant time. Copies
  /// share the stored places.
  [[nodiscard]] SourcePosition PositionAt(std::size_t offset) const;

  /// Returns the line that contains byte `offset`, without its line break.
  [[nodiscard]] SourceRange LineAt(std::size_t offset) const;

 private:
  struct Marks;

  std::string name_;
  std::shared_ptr<const void> owner_;
  std::string_view text_;
  std::shared_ptr<Marks> marks_;
};

}  // namespace onnxc
