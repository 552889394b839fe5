// Where long texts go.
#pragma once

#include <string_view>

namespace onnxc {

/// Takes a long text in chunks, one behind the other.
class Sink {
 public:
  virtual ~Sink() = default;
  /// The next chunk. Its memory is used again after the call, which may come from any thread, one at a time.
  virtual void Write(std::string_view chunk) = 0;
  /// All chunks so far are void: the text begins anew.
  virtual void Restart() = 0;
};

}  // namespace onnxc
