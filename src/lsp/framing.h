// Messages in a stream of bytes: a header with Content-Length, an empty line, the message.
#pragma once

#include <cstddef>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "lsp/json.h"

namespace onnxc::lsp {

/// Cuts a stream into messages. Bytes that are none are skipped up to the next header, and told once. That may begin
/// inside of a line: where Content-Length was too small, it comes after the rest of a message.
class FrameReader {
 public:
  enum class Result {
    kMessage,
    kBroken,  ///< `*content` says what is wrong
    kEnd,
  };

  explicit FrameReader(std::istream& in) : in_(in) {}

  /// Waits for the next message.
  Result Next(std::string* content);

  /// The last message was none: its Content-Length was too large, and other messages may begin in it. The search for
  /// the next header begins in `content`, and nothing is told.
  void GiveBack(std::string content);

 private:
  Result Lose(std::string* content, std::string why);
  Result ReadContent(std::size_t length, std::string* content);
  [[nodiscard]] int NextByte();
  [[nodiscard]] std::optional<std::string> ReadLine();

  std::istream& in_;
  std::string given_back_;    // what is read before the stream
  std::size_t given_at_ = 0;  // in it
  std::string pending_ = {};  // a line that is read again
  bool has_pending_ = false;
  bool is_lost_ = false;  // what comes is no header, and that was told
};

/// Writes a message with its header. Bytes that are no UTF-8 are replaced.
void WriteFrame(std::ostream& out, const Json& message);
/// The same of a message that is JSON already.
void WriteFrameOf(std::ostream& out, std::string_view message);

}  // namespace onnxc::lsp
