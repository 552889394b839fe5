// Bytes in chunks. A chunk allocates all of its memory when it is created, so its bytes are never moved.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "source/large_pages.h"

namespace onnxc::lower {

using Chunks = std::vector<std::string>;

/// The lists of a message that are already serialized, by field number.
using FieldChunks = std::map<int, Chunks>;

[[nodiscard]] inline std::size_t SizeOf(const Chunks& chunks) {
  std::size_t size = 0;
  for (const std::string& chunk : chunks) size += chunk.size();
  return size;
}

/// Returns the last chunk if it has room for `size` more bytes. Otherwise adds a new chunk, seven times as large as the
/// last one, within limits.
[[nodiscard]] inline std::string& RoomFor(std::size_t size, Chunks* chunks) {
  constexpr std::size_t kGrowth = 7;
  constexpr std::size_t kSmallestChunk = std::size_t{4} << 10;  // enough for most texts
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

/// Appends the chunks of `from` to `*to`. Small chunks are copied into the last chunk of `*to`, so that there are few
/// chunks.
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
