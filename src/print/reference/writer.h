// Holds the growing text, and appends the tokens of the language to it.
#pragma once

#include <onnxc/sink.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "print/common/numbers.h"
#include "source/parallel.h"
#include "syntax/spelling.h"

namespace onnxc::print {

class Writer {
 public:
  /// Completed text is passed to the sink, if there is one, before the text becomes large.
  explicit Writer(Sink* sink = nullptr) : sink_(sink) {}

  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  /// Appends the spaces at the beginning of a line.
  void Indent() { text_.append(indent_, ' '); }
  void Indent(int columns) { indent_ += static_cast<std::size_t>(columns); }
  void Outdent(int columns) { indent_ -= static_cast<std::size_t>(columns); }

  template <std::integral Integer>
  void Number(Integer value) {
    std::array<char, kRoomForNumber> buffer;
    text_.append(buffer.data(), WriteNumber(value, buffer.data()));
  }

  /// Appends the shortest decimal that reads back as the same number. Returns false for a NaN whose payload the text
  /// does not show.
  template <std::floating_point Float>
  [[nodiscard]] bool Number(Float value) {
    std::array<char, kRoomForNumber> buffer;
    bool is_exact = true;
    text_.append(buffer.data(), Write(value, buffer.data(), &is_exact));
    return is_exact;
  }

  /// Appends many numbers with a separator of one or two characters between them. Several threads may write them; 0
  /// means one for each core. Returns false like Number().
  template <typename Range>
  [[nodiscard]] bool Numbers(const Range& values, std::string_view separator, unsigned threads) {
    constexpr std::size_t kPortion = PortionSize(std::size_t{1} << 13);
    constexpr std::size_t kTypicalNumber = 8;
    const auto size = static_cast<std::size_t>(values.size());
    if (size <= kPortion) return WriteSome(values, 0, size, separator, &text_);
    std::atomic<bool> is_exact = true;
    InParallelOrdered<std::string>(
        PartsFor(size * kTypicalNumber, threads), (size + kPortion - 1) / kPortion,
        [&](std::size_t i, std::string* text) {
          text->clear();
          const std::size_t end = std::min(size, (i + 1) * kPortion);
          if (!WriteSome(values, i * kPortion, end, separator, text)) is_exact = false;
        },
        [&](const std::string& text) { Append(text); });
    return is_exact;
  }

  void String(std::string_view text) { syntax::AppendQuoted(text, &text_); }

  /// Appends a name where a string is allowed in place of an identifier: in quotes if it is not an identifier.
  void Name(std::string_view name) { syntax::IsIdentifier(name) ? Put(name) : String(name); }

  /// Appends the members of `range`, each written by `write`, with `separator` between them.
  template <typename Range, typename Write>
  void List(const Range& range, std::string_view separator, Write write) {
    bool first = true;
    for (const auto& member : range) {
      if (!std::exchange(first, false)) Put(separator);
      write(member);
    }
  }

  /// Returns an empty text with the same indentation and without a sink.
  [[nodiscard]] Writer Beside() const {
    Writer beside;
    beside.indent_ = indent_;
    return beside;
  }
  /// Appends a text that was created by Beside().
  void Append(const Writer& beside) { Append(beside.text_); }
  void Clear() { text_.clear(); }

  /// Allows the written text to be passed to the sink if it is large.
  void Settle() {
    constexpr std::size_t kChunk = std::size_t{256} << 10;
    if (sink_ != nullptr && text_.size() >= kChunk) PutAway();
  }

  /// Returns the whole text, or, if there is a sink, the part that has not been passed to it.
  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  void PutAway() {
    if (!text_.empty()) sink_->Write(text_);
    text_.clear();
  }

  void Append(std::string_view portion) {
    if (sink_ == nullptr) return Put(portion);
    PutAway();
    sink_->Write(portion);
  }

  // Writes a number as WriteNumber() does. A NaN is written as a word with its sign.
  template <typename Value>
  static char* Write(Value value, char* at, bool* is_exact) {
    if constexpr (std::floating_point<Value>) {
      using Bits = std::conditional_t<sizeof(Value) == sizeof(std::uint32_t), std::uint32_t, std::uint64_t>;
      if (std::isnan(value)) {
        const auto usual = std::bit_cast<Bits>(std::numeric_limits<Value>::quiet_NaN());
        if (std::bit_cast<Bits>(std::fabs(value)) != usual) *is_exact = false;
        *at = '-';
        at += std::signbit(value);
        return std::to_chars(at, at + kLongestNumber, std::numeric_limits<Value>::quiet_NaN()).ptr;
      }
    }
    return WriteNumber(value, at);
  }

  // Writes numbers with a separator before each of them except the first of the range.
  template <typename Range>
  static bool WriteSome(const Range& values, std::size_t begin, std::size_t end, std::string_view separator,
                        std::string* text) {
    constexpr std::size_t kBlock = 2048;
    bool is_exact = true;
    std::array<char, kBlock + 2 + kRoomForNumber> block;
    char* at = block.data();
    for (std::size_t i = begin; i < end; ++i) {
      if (i > 0) {
        at[0] = separator.front();
        at[1] = separator.back();
        at += separator.size();
      }
      at = Write(values[static_cast<int>(i)], at, &is_exact);
      if (at - block.data() < static_cast<std::ptrdiff_t>(kBlock)) continue;
      text->append(block.data(), at);
      at = block.data();
    }
    text->append(block.data(), at);
    return is_exact;
  }

  Sink* sink_;
  std::string text_;  // the part that is not in the sink
  std::size_t indent_ = 3;
};

}  // namespace onnxc::print
