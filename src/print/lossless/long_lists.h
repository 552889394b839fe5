// Writes long lists of numbers and strings as text, in portions that several threads can write.
#pragma once

#include <onnxc/proto.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "print/common/numbers.h"
#include "print/lossless/strings.h"
#include "source/portions.h"
#include "wire/wire.h"

namespace onnxc::print {

/// The text of some members of a list. A comma and a space are before each member, and there are no line breaks between
/// members.
struct ListPortion {
  std::string text;
  std::vector<std::size_t> ends;  ///< where each member ends
  bool has_line_breaks = false;   ///< some member contains a line break
};

/// Writes numbers. next(at) writes the next number and returns its end, as WriteNumber() does, or returns null after
/// the last number.
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
    portion->ends.push_back(portion->text.size() + size);
    if (size < kBlock) continue;
    portion->text.append(block.data(), size);
    at = block.data();
  }
  portion->text.append(block.data(), at);
}

/// Writes strings. next(&value) stores the next string in `value`, or returns false after the last string.
template <typename Next>
void WriteStrings(Next next, ListPortion* portion) {
  portion->text.clear();
  portion->ends.clear();
  for (std::string_view value; next(&value);) {
    portion->text += ", ";
    AppendString(value, &portion->text);
    portion->ends.push_back(portion->text.size());
  }
  portion->has_line_breaks = portion->text.find('\n') != std::string::npos;
}

// The following classes divide a list into portions that fit in a core's cache. portions() returns the number of
// portions, and Write(i, portion) writes portion i.

/// A list of `count` numbers in memory. write(i, at) writes number i as WriteNumber() does.
template <typename WriteOne>
class NumbersInMemory {
 public:
  NumbersInMemory(std::size_t count, const WriteOne& write) : count_(count), write_(write) {}

  [[nodiscard]] std::size_t portions() const { return (count_ + kPortion - 1) / kPortion; }
  void Write(std::size_t portion, ListPortion* to) const {
    const std::size_t end = std::min(count_, (portion + 1) * kPortion);
    WriteNumbers([&, i = portion * kPortion](char* at) mutable { return i == end ? nullptr : write_(i++, at); }, to);
  }

 private:
  static constexpr std::size_t kPortion = PortionSize(std::size_t{1} << 13);
  std::size_t count_;
  const WriteOne& write_;
};

/// A list of numbers in protobuf's packed form. write(value, at) writes the value of a varint as WriteNumber() does.
template <typename WriteOne>
class PackedVarints {
 public:
  /// `*is_malformed` is set if the bytes are not varints.
  PackedVarints(std::string_view bytes, const WriteOne& write, std::atomic<bool>* is_malformed)
      : bytes_(bytes), write_(write), is_malformed_(is_malformed) {}

  [[nodiscard]] std::size_t portions() const { return (bytes_.size() + kPortion - 1) / kPortion; }
  void Write(std::size_t portion, ListPortion* to) const {
    std::string_view rest = bytes_.substr(Begin(portion), Begin(portion + 1) - Begin(portion));
    const auto next = [&](char* at) -> char* {
      if (rest.empty()) return nullptr;
      const std::optional<std::uint64_t> value = wire::TakeVarint(&rest);
      if (value) return write_(*value, at);
      *is_malformed_ = true;
      return nullptr;
    };
    WriteNumbers(next, to);
  }

 private:
  static constexpr std::size_t kPortion = PortionSize(std::size_t{1} << 14);

  // Returns the first varint at or after the computed beginning of the portion. A varint that is too long is malformed;
  // Write() finds that at the end of the previous portion.
  [[nodiscard]] std::size_t Begin(std::size_t portion) const {
    std::size_t at = std::min(portion * kPortion, bytes_.size());
    const std::size_t last = std::min(at + wire::kLongestVarint, bytes_.size());
    while (at > 0 && at < last && static_cast<unsigned char>(bytes_[at - 1]) >= 0x80) ++at;
    return at;
  }

  std::string_view bytes_;
  const WriteOne& write_;
  std::atomic<bool>* is_malformed_;
};

class StringsInMemory {
 public:
  using Strings = google::protobuf::RepeatedPtrField<std::string>;
  explicit StringsInMemory(const Strings& strings) : strings_(strings) {}

  [[nodiscard]] std::size_t portions() const {
    return static_cast<std::size_t>(strings_.size() + kPortion - 1) / kPortion;
  }
  void Write(std::size_t portion, ListPortion* to) const {
    int i = static_cast<int>(portion) * kPortion;
    const int end = std::min(strings_.size() - i, kPortion) + i;
    const auto next = [&](std::string_view* value) {
      if (i == end) return false;
      *value = strings_[i++];
      return true;
    };
    WriteStrings(next, to);
  }

 private:
  static constexpr int kPortion = static_cast<int>(PortionSize(1024));
  const Strings& strings_;
};

/// A list of strings in protobuf's wire format: complete fields, one after the other.
class StringFields {
 public:
  explicit StringFields(std::string_view fields) {
    constexpr std::size_t kPortion = PortionSize(std::size_t{1} << 16);
    const char* begin = fields.data();
    for (std::string_view rest = fields; !rest.empty();) {
      (void)wire::TakeField(&rest);
      if (!rest.empty() && static_cast<std::size_t>(rest.data() - begin) < kPortion) continue;
      portions_.emplace_back(begin, rest.data());
      begin = rest.data();
    }
  }

  [[nodiscard]] std::size_t portions() const { return portions_.size(); }
  void Write(std::size_t portion, ListPortion* to) const {
    std::string_view rest = portions_[portion];
    const auto next = [&](std::string_view* value) {
      if (rest.empty()) return false;
      *value = wire::TakeField(&rest).value;
      return true;
    };
    WriteStrings(next, to);
  }

 private:
  std::vector<std::string_view> portions_;
};

}  // namespace onnxc::print
