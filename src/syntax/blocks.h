// A list that grows in blocks.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace onnxc::syntax {

/// A list of elements that keep their addresses. Elements are added at the end and cut off from the end. The elements
/// of a block are created together; an element that was cut off is not destroyed, and is added again as it was left.
///
/// The first block has `kFirst` elements and is a part of this object, because allocating memory takes longer than
/// parsing a short text. Each further block is twice as large as the one before, up to `kMost` elements.
template <typename Element, std::size_t kFirst, std::size_t kMost>
class Blocks {
 public:
  Blocks() = default;
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  Element* Add() {
    if (free_ == end_) NextBlock();
    return free_++;
  }

  /// Cuts off `first` and all elements that were added after it. Add() then returns `first`.
  void CutOff(Element* first) {
    constexpr std::less<> is_before;  // unlike `<`, it compares elements of different blocks, too
    while (is_before(first, begin_) || !is_before(first, end_)) Use(block_ - 1);  // rarely more than once
    free_ = first;
  }

 private:
  [[nodiscard]] static constexpr std::size_t SizeOf(std::size_t block) {
    constexpr std::size_t kDoublings = std::bit_width(kMost / kFirst) - 1;
    return kFirst << std::min(block, kDoublings);
  }

  [[gnu::noinline]] void NextBlock() {
    if (block_ == others_.size()) others_.push_back(std::make_unique_for_overwrite<Element[]>(SizeOf(block_ + 1)));
    Use(block_ + 1);
    free_ = begin_;
  }

  void Use(std::size_t block) {
    block_ = block;
    begin_ = block == 0 ? first_ : others_[block - 1].get();
    end_ = begin_ + SizeOf(block);
  }

  Element first_[kFirst];
  std::vector<std::unique_ptr<Element[]>> others_ = {};  // the blocks after the first one
  std::size_t block_ = 0;                                // the index of the current block
  Element* begin_ = first_;                              // the beginning and the end of the current block
  Element* end_ = first_ + kFirst;
  Element* free_ = first_;  // the first free element of the current block
};

}  // namespace onnxc::syntax
