// Where the printed text grows: one string, and how the tokens of the language are put into it.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "syntax/spelling.h"

namespace onnxc::print {

class Writer {
 public:
  void Put(char c) { text_.push_back(c); }
  void Put(std::string_view text) { text_.append(text); }

  /// Blanks at the start of a line.
  void Indent() { text_.append(indent_, ' '); }
  void Indent(int columns) { indent_ += static_cast<std::size_t>(columns); }
  void Outdent(int columns) { indent_ -= static_cast<std::size_t>(columns); }

  template <std::integral Integer>
  void Number(Integer value) {
    Convert(value);
  }

  /// The shortest decimal that reads back as the same number. False: a NaN whose payload the text does not tell.
  [[nodiscard]] bool Number(float value) {
    Convert(value);
    return value == value || (std::bit_cast<std::uint32_t>(value) & 0x7fffffffu) == 0x7fc00000u;
  }
  [[nodiscard]] bool Number(double value) {
    Convert(value);
    return value == value || (std::bit_cast<std::uint64_t>(value) & 0x7fffffffffffffffu) == 0x7ff8000000000000u;
  }

  void String(std::string_view text) { syntax::AppendQuoted(text, &text_); }

  /// A name where a string may stand for an identifier: quoted when it is none.
  void Name(std::string_view name) { syntax::IsIdentifier(name) ? Put(name) : String(name); }

  /// The members of `range`, each written by `write`, with `separator` between them.
  template <typename Range, typename Write>
  void List(const Range& range, std::string_view separator, Write write) {
    bool first = true;
    for (const auto& member : range) {
      if (!std::exchange(first, false)) Put(separator);
      write(member);
    }
  }

  [[nodiscard]] std::string Take() { return std::move(text_); }

 private:
  template <typename Value>
  void Convert(Value value) {
    std::array<char, 32> buffer;  // the longest double has 24 characters
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    text_.append(buffer.data(), end);
  }

  std::string text_;
  std::size_t indent_ = 3;
};

}  // namespace onnxc::print
