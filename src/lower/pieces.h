// Bytes in pieces, which are filled but never grow, so that no byte is moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "source/large_pages.h"

namespace onnxc {

using Pieces = std::vector<std::string>;

/// Lists of a message that are bytes already, by the numbers of their fields.
using FieldPieces = std::map<int, Pieces>;

[[nodiscard]] inline std::size_t SizeOf(const Pieces& pieces) {
  std::size_t size = 0;
  for (const std::string& piece : pieces) size += piece.size();
  return size;
}

/// The last piece, with room for `size` more bytes: a new one where there is none left, seven times as large as the one
/// before it, within limits.
[[nodiscard]] inline std::string& RoomFor(std::size_t size, Pieces* pieces) {
  constexpr std::size_t kGrowth = 7;
  constexpr std::size_t kSmallestPiece = std::size_t{64} << 10;
  constexpr std::size_t kLargestPiece = 4 * kLargePage;
  if (pieces->empty() || pieces->back().capacity() - pieces->back().size() < size) {
    const std::size_t last = pieces->empty() ? 0 : pieces->back().size();
    const std::size_t usual = std::clamp(kGrowth * last, kSmallestPiece, kLargestPiece);
    std::string& piece = pieces->emplace_back();
    piece.reserve(std::max(usual, size));
    AdviseLargePages(piece.data(), piece.capacity());
  }
  return pieces->back();
}

/// Puts pieces behind others: small ones are copied, so that there are not too many.
inline void Append(Pieces from, Pieces* to) {
  constexpr std::size_t kSmall = std::size_t{256} << 10;
  for (std::string& piece : from) {
    if (piece.size() > kSmall) {
      to->push_back(std::move(piece));
    } else {
      RoomFor(piece.size(), to) += piece;
    }
  }
}

}  // namespace onnxc
