// A sink that joins its chunks.
#pragma once

#include <onnxc/printer.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::testing {

class Joined final : public Sink {
 public:
  void Write(std::string_view chunk) override {
    text += chunk;
    ++chunks;
    longest = std::max(longest, chunk.size());
  }
  void Restart() override {
    text.clear();
    chunks = 0;
    longest = 0;
    ++restarts;
  }

  std::string text;
  std::size_t chunks = 0;
  std::size_t longest = 0;  ///< of the chunks, in bytes
  std::size_t restarts = 0;
};

}  // namespace onnxc::testing
