// The destination of long texts.
#pragma once

#include <string_view>

namespace onnxc {

/// Receives a long text in chunks, one after the other.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Receives the next chunk, whose memory is reused after the call. Calls may come from different threads, but never
  /// at the same time.
  virtual void Write(std::string_view chunk) = 0;
  /// Discards all chunks received so far, because the text will be written again from its beginning.
  virtual void Restart() = 0;
};

}  // namespace onnxc
