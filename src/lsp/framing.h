// Reads and writes messages in a stream of bytes. Each message has a header with Content-Length, an empty line, and the
// content.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "lsp/json.h"

namespace onnxc::lsp {

/// Splits a stream into messages. Bytes that are not a message are skipped up to the next header and reported once. The
/// next header may begin inside of a line: if the Content-Length of a message was too small, the next header directly
/// follows the rest of this message.
class FrameReader {
 public:
  enum class Result {
    kMessage,
    kBroken,  ///< `*content` is the error message
    kEnd,
  };

  explicit FrameReader(std::istream& in) : in_(in) {}

  /// Waits for the next message.
  Result Next(std::string* content);

  /// Puts the content of the last message back into the input. Called if the content is not JSON: its Content-Length
  /// may have been too large, so other messages may begin inside of `content`. The search for the next header then
  /// begins in `content`, and no second error is reported.
  void GiveBack(std::string content);

 private:
  Result Lose(std::string* content, std::string why);
  Result ReadContent(std::size_t length, std::string* content);
  [[nodiscard]] int NextByte();
  [[nodiscard]] std::optional<std::string> ReadLine();

  std::istream& in_;
  std::string given_back_;    // bytes that are read again, before the rest of the stream
  std::size_t given_at_ = 0;  // the next offset in `given_back_`
  std::string pending_ = {};  // a line that ReadLine() returns again
  bool has_pending_ = false;
  bool is_lost_ = false;  // the input is not a header, and this was already reported
};

/// Writes a message with its header. Bytes that are not valid UTF-8 are replaced.
void WriteFrame(std::ostream& out, const Json& message);
/// Like WriteFrame(), but for a message that is already JSON text.
void WriteFrameOf(std::ostream& out, std::string_view message);

}  // namespace onnxc::lsp
