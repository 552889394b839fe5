// Messages in a stream of bytes: a header with Content-Length, an empty line, the message.
#pragma once

#include <istream>
#include <ostream>
#include <string>

#include "lsp/json.h"

namespace onnxc::lsp {

/// Cuts a stream into messages. Bytes that are none are skipped up to the next header, and told once.
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

 private:
  Result Lose(std::string* content, std::string why);
  Result ReadContent(std::size_t length, std::string* content);

  std::istream& in_;
  bool is_lost_ = false;  // what comes is no header, and that was told
};

/// Writes a message with its header. Bytes that are no UTF-8 are replaced.
void WriteFrame(std::ostream& out, const Json& message);

}  // namespace onnxc::lsp
