// Numbers as text, many at a time.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "source/parallel.h"

namespace onnxc {

/// No number that is written here is longer: the longest double has 24 bytes.
inline constexpr std::size_t kLongestNumber = 32;
/// What has to be free where a number is written; bytes behind its end may be written to.
inline constexpr std::size_t kRoomForNumber = 40;

// Each writes a number at `at`, where kRoomForNumber bytes are free, and returns its end.

/// 0000 to 9999, and as many bytes as may be copied from the last.
extern const std::array<char, 4 * 10'000 + 4> kFourDigits;

/// Most integers have few digits: these are copied from a table.
template <std::integral Integer>
char* WriteNumber(Integer value, char* at) {
  using Unsigned = std::make_unsigned_t<Integer>;
  auto size = static_cast<Unsigned>(value);
  if (std::is_signed_v<Integer> && value < 0) {
    size = static_cast<Unsigned>(Unsigned{0} - size);
    *at++ = '-';
  }
  if (size >= 100'000) return std::to_chars(at, at + kLongestNumber, size).ptr;
  const auto number = static_cast<std::uint32_t>(size);
  if (number >= 10'000) {
    *at++ = static_cast<char>('0' + number / 10'000);
    std::memcpy(at, &kFourDigits[4 * (number % 10'000)], 4);
    return at + 4;
  }
  const int digits = 1 + int{number >= 10} + int{number >= 100} + int{number >= 1000};
  std::memcpy(at, &kFourDigits[4 * number + 4 - static_cast<std::uint32_t>(digits)], 4);
  return at + digits;
}

/// The shortest decimal that reads back as the same number, or `nan0x` and its bits.
char* WriteNumber(float value, char* at);
char* WriteNumber(double value, char* at);

/// Numbers one behind the other, with kLongestNumber bytes behind the last one, and the length of each.
struct NumberTexts {
  std::string text;
  std::vector<std::uint8_t> lengths;
};

/// Writes the numbers from `begin` to `end`: write(i, at) writes number i as WriteNumber() does.
template <typename Write>
void WriteNumbers(std::size_t begin, std::size_t end, const Write& write, NumberTexts* texts) {
  constexpr std::size_t kBlock = 256;
  std::array<char, kBlock * kLongestNumber + kRoomForNumber> block;
  texts->text.clear();
  texts->lengths.clear();
  while (begin < end) {
    char* at = block.data();
    for (const std::size_t stop = std::min(end, begin + kBlock); begin < stop; ++begin) {
      char* const number_end = write(begin, at);
      texts->lengths.push_back(static_cast<std::uint8_t>(number_end - at));
      at = number_end;
    }
    texts->text.append(block.data(), at);
  }
  texts->text.append(kLongestNumber, ' ');
}

/// Writes `count` numbers, and hands them in their order to take(NumberTexts) in portions that fit a core's cache; long
/// lists by several threads, 0 for one for each core.
template <typename Write, typename Take>
void WriteNumbers(std::size_t count, unsigned threads, const Write& write, const Take& take) {
  constexpr std::size_t kTypicalNumber = 8;
  constexpr std::size_t kPortion = std::size_t{1} << 14;
  const std::size_t portions = (count + kPortion - 1) / kPortion;
  InTurns<NumberTexts>(
      PartsFor(count * kTypicalNumber, threads), portions,
      [&](std::size_t i, NumberTexts* texts) {
        WriteNumbers(i * kPortion, std::min(count, (i + 1) * kPortion), write, texts);
      },
      take);
}

}  // namespace onnxc
