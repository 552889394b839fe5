// A sink that joins its pieces.
#pragma once

#include <onnxc/printer.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc::testing {

class Joined final : public Sink {
 public:
  void Write(std::string_view piece) override {
    text += piece;
    ++pieces;
    longest = std::max(longest, piece.size());
  }
  void Restart() override {
    text.clear();
    pieces = 0;
    longest = 0;
    ++restarts;
  }

  std::string text;
  std::size_t pieces = 0;
  std::size_t longest = 0;  ///< of the pieces, in bytes
  std::size_t restarts = 0;
};

}  // namespace onnxc::testing
