// Lists of numbers as text, in portions that several threads can write.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/wire.h"
#include "print/lossless/numbers.h"

namespace onnxc {

/// Some members of a list, each behind a comma and a blank, as if they were all on one line.
struct ListPortion {
  std::string text;
  std::vector<std::uint32_t> ends;  ///< where each member ends
};

/// Writes a portion. next(at) writes the next number as WriteNumber() does, or returns null.
template <typename Next>
void WriteNumbers(Next next, ListPortion* portion) {
  constexpr std::size_t kBlock = 4096;
  std::array<char, kBlock + 2 + kRoomForNumber> block;
  portion->text.clear();
  portion->ends.clear();
  char* at = block.data();
  for (char* end; at[0] = ',', at[1] = ' ', (end = next(at + 2)) != nullptr;) {
    at = end;
    const auto size = static_cast<std::size_t>(at - block.data());
    portion->ends.push_back(static_cast<std::uint32_t>(portion->text.size() + size));
    if (size < kBlock) continue;
    portion->text.append(block.data(), size);
    at = block.data();
  }
  portion->text.append(block.data(), at);
}

// Lists of numbers, in portions that fit a core's cache: portions() says how many, Reader(i) gives what WriteNumbers()
// takes for portion i.

/// `count` numbers: write(i, at) writes number i as WriteNumber() does.
template <typename Write>
class NumbersInMemory {
 public:
  NumbersInMemory(std::size_t count, const Write& write) : count_(count), write_(write) {}

  [[nodiscard]] std::size_t portions() const { return (count_ + kPortion - 1) / kPortion; }
  [[nodiscard]] auto Reader(std::size_t portion) const {
    return [&write = write_, i = portion * kPortion, end = std::min(count_, (portion + 1) * kPortion)](
               char* at) mutable -> char* { return i == end ? nullptr : write(i++, at); };
  }

 private:
  static constexpr std::size_t kPortion = std::size_t{1} << 14;
  std::size_t count_;
  const Write& write_;
};

/// Numbers in protobuf's packed form: write(value, at) writes a varint's value as WriteNumber() does.
template <typename Write>
class PackedVarints {
 public:
  /// `*is_malformed` is set where the bytes are no varints.
  PackedVarints(std::string_view bytes, const Write& write, std::atomic<bool>* is_malformed)
      : bytes_(bytes), write_(write), is_malformed_(is_malformed) {}

  [[nodiscard]] std::size_t portions() const { return (bytes_.size() + kPortion - 1) / kPortion; }
  [[nodiscard]] auto Reader(std::size_t portion) const {
    return
        [this, rest = bytes_.substr(Begin(portion), Begin(portion + 1) - Begin(portion))](char* at) mutable -> char* {
          if (rest.empty()) return nullptr;
          const std::optional<std::uint64_t> value = TakeVarint(&rest);
          if (value) return write_(*value, at);
          *is_malformed_ = true;
          return nullptr;
        };
  }

 private:
  static constexpr std::size_t kPortion = std::size_t{1} << 15;

  // The first varint at or behind where the portion would begin.
  [[nodiscard]] std::size_t Begin(std::size_t portion) const {
    std::size_t at = std::min(portion * kPortion, bytes_.size());
    while (at > 0 && at < bytes_.size() && static_cast<unsigned char>(bytes_[at - 1]) >= 0x80) ++at;
    return at;
  }

  std::string_view bytes_;
  const Write& write_;
  std::atomic<bool>* is_malformed_;
};

}  // namespace onnxc
