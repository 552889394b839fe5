// Where long texts go.
#pragma once

#include <string_view>

namespace onnxc {

/// Takes a long text in chunks, one behind the other.
class Sink {
 public:
  virtual ~Sink() = default;
  /// Takes the next chunk. Its memory is used again after the call. Calls may come from different threads, but never at
  /// the same time.
  virtual void Write(std::string_view chunk) = 0;
  /// Drops all chunks so far: the text begins again.
  virtual void Restart() = 0;
};

}  // namespace onnxc
