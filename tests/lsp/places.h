// Finds positions in texts for tests, and converts them to the form of the protocol.
#pragma once

#include <string_view>

#include "lsp/json.h"
#include "lsp/lines.h"

namespace onnxc::lsp {

inline Json PositionIn(std::string_view text, std::size_t offset) {
  const LinePosition position = Lines(text, Encoding::kUtf16).PositionAt(offset);
  return {{"line", position.line}, {"character", position.character}};
}

/// Returns a random position between two characters. It is not inside of a line break, because the protocol has no such
/// positions.
inline std::size_t PlaceNear(std::string_view text, std::size_t offset) {
  const auto is_inside = [&](std::size_t at) {
    if (at == 0 || at >= text.size()) return false;
    return (static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u || text.substr(at - 1, 2) == "\r\n";
  };
  while (is_inside(offset)) --offset;
  return offset;
}

}  // namespace onnxc::lsp
