// Writes tokens one after the other, so that each comment ends its line and no comment is lost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace onnxc::edit {

class TextWriter {
 public:
  explicit TextWriter(std::string_view line_end) : line_end_(line_end) {}

  /// Writes a token, or several, after `lead`: white space and comments.
  void Put(std::string_view lead, std::string_view tokens);
  /// Writes a comment on the line of the last token. A comma that follows is written before it.
  void Trail(std::string_view comment);
  /// Keeps the comments of a text between two tokens that are not written. They are written where the next line begins.
  void Keep(std::string_view gap);

  /// Writes the end of the text, and returns it.
  [[nodiscard]] std::string Finish(std::string_view end);
  void Reserve(std::size_t size) { out_.reserve(size); }

 private:
  void Break(std::string_view indentation);
  void FlushTrail();

  std::string line_end_;
  std::string out_;
  std::string trail_;
  std::vector<std::string> kept_;
  bool ends_line_ = false;  // a comment was written last
};

/// Returns the white space at the beginning of the line of the token behind `lead`.
[[nodiscard]] std::string_view IndentationIn(std::string_view lead);

}  // namespace onnxc::edit
