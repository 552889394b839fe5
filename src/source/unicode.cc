#include "source/unicode.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

#include "source/eight_bytes.h"

namespace onnxc {
namespace {

struct Interval {
  char32_t first;
  char32_t last;
};

constexpr std::array<Interval, 11> kDeceptive = {{
    {0x00, 0x1F},        // C0 controls
    {0x7F, 0x9F},        // DEL and C1 controls
    {0xAD, 0xAD},        // soft hyphen
    {0x061C, 0x061C},    // Arabic letter mark
    {0x180E, 0x180E},    // Mongolian vowel separator
    {0x200B, 0x200F},    // zero-width characters and direction marks
    {0x2028, 0x202E},    // line and paragraph separators, direction embeddings and overrides
    {0x2060, 0x206F},    // invisible operators, direction isolates
    {0xFEFF, 0xFEFF},    // byte-order mark
    {0xFFF9, 0xFFFB},    // interlinear annotation
    {0xE0000, 0xE0FFF},  // tags
}};

constexpr std::array<Interval, 6> kCombining = {{
    {0x0300, 0x036F},
    {0x0483, 0x0489},
    {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF},
    {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F},
}};

constexpr std::array<Interval, 11> kWide = {{
    {0x1100, 0x115F},
    {0x2E80, 0x303E},
    {0x3041, 0xA4CF},
    {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},
    {0x1F300, 0x1FAFF},
    {0x20000, 0x3FFFD},
}};

template <std::size_t N>
bool Contains(const std::array<Interval, N>& intervals, char32_t code) {
  return std::any_of(intervals.begin(), intervals.end(),
                     [code](const Interval& interval) { return interval.first <= code && code <= interval.last; });
}

/// Returns the length of the sequence that a lead byte begins, or 0 if the byte is not a lead byte.
std::size_t SequenceLength(unsigned char lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

bool IsAscii(std::string_view text) {
  if (text.size() < sizeof(std::uint64_t)) {
    unsigned all = 0;
    for (const char c : text) all |= static_cast<unsigned char>(c);
    return all < 0x80;
  }
  const char* const last = text.data() + text.size() - sizeof(std::uint64_t);
  std::uint64_t all = LoadEight(last);
  for (const char* at = text.data(); at < last; at += sizeof(std::uint64_t)) all |= LoadEight(at);
  return (all & kHighBits) == 0;
}

}  // namespace

Character DecodeCharacter(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const Character invalid{.code = lead, .length = 1, .valid = false};
  const std::size_t length = SequenceLength(lead);
  if (length == 1) return {.code = lead};
  if (length == 0 || text.size() - at < length) return invalid;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0) != 0x80) return invalid;
    code = (code << 6) | (byte & 0x3Fu);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) return invalid;
  return {.code = code, .length = length};
}

bool IsUtf8(std::string_view text) {
  if (IsAscii(text)) return true;
  for (std::size_t at = 0; at < text.size();) {
    if (at + sizeof(std::uint64_t) <= text.size() && (LoadEight(text.data() + at) & kHighBits) == 0) {
      at += sizeof(std::uint64_t);
      continue;
    }
    const Character character = DecodeCharacter(text, at);
    if (!character.valid) return false;
    at += character.length;
  }
  return true;
}

std::size_t CountCharacters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    at += static_cast<unsigned char>(text[at]) < 0x80 ? 1 : DecodeCharacter(text, at).length;
  }
  return count;
}

std::size_t DisplayWidth(char32_t code) {
  if (code < 0x300) return 1;
  if (Contains(kCombining, code)) return 0;
  return Contains(kWide, code) ? 2 : 1;
}

char LatinLookAlike(char32_t code) {
  constexpr std::u32string_view kOthers =
      // Cyrillic
      U"\u0410\u0412\u0415\u0405\u0406\u0408\u041A\u041C\u041D\u041E\u0420\u0421\u0422\u0423\u0425\u0430\u0435\u0455"
      U"\u0456"
      U"\u0458\u043E\u0440\u0441\u0443\u0445\u04BB\u0501\u0475\u051B\u051D\u050C\u04AE\u04AF\u04C0\u04CF\u0474\u051A"
      U"\u051C"
      // Greek
      U"\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7\u03BF\u03F9\u03F2\u03F3"
      // Armenian
      U"\u0585\u057D\u0570\u0578\u0566\u0581\u054F\u053C\u0555"
      // Cherokee
      U"\u13A0\u13A1\u13A2\u13AA\u13AB\u13AC\u13B3\u13B7\u13BB\u13BD\u13C0\u13C3\u13D9\u13DA\u13DE\u13DF\u13E2\u13E6"
      U"\u13F4"
      // Roman numbers
      U"\u2160\u2164\u2169\u216C\u216D\u216E\u216F\u2170\u2174\u2179\u217C\u217D\u217E\u217F"
      // Latin letters of phonetics
      U"\u0251\u0261\u0131";
  constexpr std::string_view kLatin =
      "ABESIJKMHOPCTYXaesi"
      "jopcyxhdvqwGYyIlVQW"
      "ABEZHIKMNOPTYXoCcj"
      "ouhnqgSLO"
      "DRTAJEWMHYGZVSLCPKB"
      "IVXLCDMivxlcdm"
      "agi";
  static_assert(kOthers.size() == kLatin.size());
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  constexpr char32_t kMathLetters = 0x1D400;  // alphabets of 52 letters: bold, italic and so on
  constexpr char32_t kMathGreek = 0x1D6A4;    // the first code after these alphabets
  constexpr char32_t kMathDigits = 0x1D7CE;   // digits from 0 to 9, five times
  constexpr char32_t kFullWidth = 0xFF01;     // the full-width '!'; the following codes are in the order of ASCII
  if (code >= kMathLetters && code < kMathGreek) return kLetters[(code - kMathLetters) % kLetters.size()];
  if (code >= kMathDigits && code <= 0x1D7FF) return static_cast<char>('0' + (code - kMathDigits) % 10);
  if (code >= kFullWidth && code <= 0xFF5E) {
    const char plain = static_cast<char>(code - kFullWidth + '!');
    return std::isalnum(static_cast<unsigned char>(plain)) != 0 ? plain : '\0';
  }
  const std::size_t found = kOthers.find(code);
  return found == std::u32string_view::npos ? '\0' : kLatin[found];
}

std::string_view ScriptOf(char32_t code) {
  struct Script {
    char32_t first;
    char32_t last;
    std::string_view words;
  };
  constexpr Script kScripts[] = {
      {0x0370, 0x03FF, "a Greek letter"},
      {0x0400, 0x052F, "a Cyrillic letter"},
      {0x0530, 0x058F, "an Armenian letter"},
      {0x13A0, 0x13FF, "a Cherokee letter"},
      {0x2160, 0x217F, "a Roman number"},
      {0xFF01, 0xFF5E, "a full-width character"},
      {0x1D400, 0x1D7FF, "a mathematical character"},
  };
  const auto* const found =
      std::ranges::find_if(kScripts, [code](const Script& one) { return code >= one.first && code <= one.last; });
  return found == std::end(kScripts) ? "another letter" : found->words;
}

bool IsDeceptive(char32_t code) {
  if (code < 0x7F) return code < 0x20;
  if (code > 0xAD && code < 0x061C) return false;  // Latin, Greek and Cyrillic
  return Contains(kDeceptive, code);
}

std::string Shown(const Character& character, std::string_view bytes) {
  if (character.valid && !IsDeceptive(character.code)) return std::string(bytes);
  const auto code = static_cast<unsigned>(character.code);
  switch (code) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: break;
  }
  if (!character.valid || code < 0x80) return fmt::format("\\x{:02x}", code);
  return code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
}

std::string Shown(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    shown += Shown(character, text.substr(at, character.length));
    at += character.length;
  }
  return shown;
}

}  // namespace onnxc
