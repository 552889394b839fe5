// Raw data of tensors as a range of numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string_view>

namespace onnxc {

/// The elements of raw data, which are little-endian. Bytes after the last complete element are ignored.
template <typename Element>
class RawElements {
 public:
  explicit RawElements(std::string_view raw) : raw_(raw.substr(0, raw.size() / sizeof(Element) * sizeof(Element))) {}

  class Iterator {
   public:
    explicit Iterator(const char* at) : at_(at) {}
    Element operator*() const {
      std::array<char, sizeof(Element)> bytes;
      std::memcpy(bytes.data(), at_, sizeof(Element));
      if constexpr (std::endian::native == std::endian::big) std::ranges::reverse(bytes);
      return std::bit_cast<Element>(bytes);
    }
    Iterator& operator++() {
      at_ += sizeof(Element);
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const char* at_;
  };
  [[nodiscard]] std::size_t size() const { return raw_.size() / sizeof(Element); }
  [[nodiscard]] Element operator[](std::size_t i) const { return *Iterator(raw_.data() + i * sizeof(Element)); }
  [[nodiscard]] Iterator begin() const { return Iterator(raw_.data()); }
  [[nodiscard]] Iterator end() const { return Iterator(raw_.data() + raw_.size()); }

 private:
  std::string_view raw_;
};

}  // namespace onnxc
