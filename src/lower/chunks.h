// Bytes in chunks. A chunk has all its memory from the beginning, so that no byte is ever moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "source/large_pages.h"

namespace onnxc::lower {

using Chunks = std::vector<std::string>;

/// The lists of a message that are serialised already, by field number.
using FieldChunks = std::map<int, Chunks>;

[[nodiscard]] inline std::size_t SizeOf(const Chunks& chunks) {
  std::size_t size = 0;
  for (const std::string& chunk : chunks) size += chunk.size();
  return size;
}

/// The last chunk, with room for `size` more bytes: a new one where there is none left, seven times as large as the one
/// before it, within limits.
[[nodiscard]] inline std::string& RoomFor(std::size_t size, Chunks* chunks) {
  constexpr std::size_t kGrowth = 7;
  constexpr std::size_t kSmallestChunk = std::size_t{4} << 10;  // as small as most texts need
  constexpr std::size_t kLargestChunk = 4 * kLargePage;
  if (chunks->empty() || chunks->back().capacity() - chunks->back().size() < size) {
    const std::size_t last = chunks->empty() ? 0 : chunks->back().size();
    const std::size_t usual = std::clamp(kGrowth * last, kSmallestChunk, kLargestChunk);
    std::string& chunk = chunks->emplace_back();
    chunk.reserve(std::max(usual, size));
    AdviseLargePages(chunk.data(), chunk.capacity());
  }
  return chunks->back();
}

/// Appends chunks to others. Small chunks are copied, so that their number stays low.
inline void Append(Chunks from, Chunks* to) {
  constexpr std::size_t kSmall = std::size_t{256} << 10;
  for (std::string& chunk : from) {
    if (chunk.size() > kSmall) {
      to->push_back(std::move(chunk));
    } else {
      RoomFor(chunk.size(), to) += chunk;
    }
  }
}

}  // namespace onnxc::lower
