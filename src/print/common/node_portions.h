// Writes many nodes as text, in portions that several threads write.
#pragma once

#include <cstddef>
#include <vector>

#include "print/common/elements.h"
#include "source/parallel.h"

namespace onnxc::print {

/// The approximate size of a node's text.
inline constexpr std::size_t kTypicalNode = 96;

/// Returns how many threads to use, so that each has enough nodes to write. `threads` is the limit, as in PrintOptions.
[[nodiscard]] inline std::size_t ThreadsFor(const Elements<onnx::NodeProto>& nodes, unsigned threads) {
  return PartsFor(nodes.size() * kTypicalNode, threads);
}

/// Divides the nodes from `begin` to `end` into portions. Returns the index of the first node of each portion, followed
/// by `end`. The portions are small, because the texts of several portions must fit in memory.
[[nodiscard]] inline std::vector<std::size_t> BeginsOfPortions(const Elements<onnx::NodeProto>& nodes,
                                                               std::size_t begin, std::size_t end) {
  constexpr std::size_t kNodes = 1024;
  constexpr std::size_t kBytes = std::size_t{128} << 10;
  std::vector<std::size_t> begins = {begin};
  std::size_t size = 0;
  for (std::size_t i = begin; i < end; ++i) {
    if (i - begins.back() == kNodes || size > kBytes) {
      begins.push_back(i);
      size = 0;
    }
    size += nodes.SizeOf(i);
  }
  begins.push_back(end);
  return begins;
}

/// Writes all nodes: with write(begin, end), or in several threads with make(begin, end, &portion). Each portion that
/// was made is passed to take(portion), in the order of the nodes, one call at a time. Portion objects are reused. A
/// large node is written with write() while no other thread works: then all threads can write the lists of this node,
/// and no second copy of its text is needed.
template <typename Portion, typename Write, typename Make, typename Take>
void WriteInPortions(const Elements<onnx::NodeProto>& nodes, std::size_t threads, const Write& write, const Make& make,
                     const Take& take) {
  constexpr std::size_t kLarge = PortionSize(std::size_t{1} << 20);
  if (threads == 1) return write(0, nodes.size());
  for (std::size_t begin = 0; begin < nodes.size();) {
    std::size_t end = begin;
    while (end < nodes.size() && nodes.SizeOf(end) < kLarge) ++end;
    const std::vector<std::size_t> begins = BeginsOfPortions(nodes, begin, end);
    InParallelOrdered<Portion>(
        threads, begins.size() - 1, [&](std::size_t i, Portion* portion) { make(begins[i], begins[i + 1], portion); },
        take);
    if (end < nodes.size()) write(end, end + 1);
    begin = end + 1;
  }
}

}  // namespace onnxc::print
