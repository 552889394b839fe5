#include "syntax/words.h"

#include <array>
#include <cstdint>
#include <vector>

#include "source/report.h"
#include "syntax/OnnxTextParser.h"
#include "tables/element_types.h"
#include "tables/foreign_words.h"

namespace onnxc::syntax {
namespace {

using T = OnnxTextParser;

struct Word {
  std::string_view text;
  std::size_t type = 0;
};

constexpr std::array<Word, 5> kConstructors = {{{"seq", T::SEQ},
                                                {"optional", T::OPTIONAL},
                                                {"map", T::MAP},
                                                {"sparse_tensor", T::SPARSE_TENSOR},
                                                {"opaque", T::OPAQUE}}};

// A hash table with open addressing, filled at compile time.
constexpr std::size_t kSlots = 256;
constexpr std::size_t Slot(std::string_view word) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(word[i]); };
  return (word.size() * 37 + at(0) * 5u + at(word.size() - 1) * 17u + at(word.size() / 2) * 3u) % kSlots;
}

constexpr std::array<Word, kSlots> MakeTable() {
  std::array<Word, kSlots> table{};
  const auto insert = [&](std::string_view text, std::size_t type) {
    std::size_t slot = Slot(text);
    while (!table[slot].text.empty()) slot = (slot + 1) % kSlots;
    table[slot] = {text, type};
  };
  for (const ElementType& type : kElementTypes) {
    if (type.code != 0) insert(type.keyword, T::ELEMENT);
  }
  for (const Word& word : kConstructors) insert(word.text, word.type);
  return table;
}
constexpr std::array<Word, kSlots> kTable = MakeTable();

}  // namespace

bool IsSpecialFloat(std::string_view word) {
  const auto is = [&](std::string_view lower) {
    if (word.size() != lower.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if ((word[i] | 0x20) != lower[i]) return false;
    }
    return true;
  };
  return is("nan") || is("inf") || is("infinity");
}

namespace {

// Returns the token type of a word that begins a type, or 0.
std::size_t TypeWord(std::string_view word) {
  for (std::size_t slot = Slot(word); !kTable[slot].text.empty(); slot = (slot + 1) % kSlots) {
    if (kTable[slot].text == word) return kTable[slot].type;
  }
  return 0;
}

constexpr std::array<std::uint32_t, 256> MakeLengths() {
  std::array<std::uint32_t, 256> lengths{};
  const auto insert = [&](std::string_view text) {
    lengths[static_cast<unsigned char>(text.front())] |= std::uint32_t{1} << text.size();
  };
  for (const Word& word : kTable) {
    if (!word.text.empty()) insert(word.text);
  }
  for (const std::string_view special : {"nan", "inf", "infinity", "Nan", "Inf", "Infinity"}) insert(special);
  return lengths;
}
}  // namespace

constexpr std::array<std::uint32_t, 256> kKeywordLengths = MakeLengths();

std::size_t WordType(std::string_view word) {
  if (!MayBeKeyword(word)) return T::ID;
  if (const std::size_t type = TypeWord(word); type != 0) return type;
  return IsSpecialFloat(word) ? T::SPECIAL : T::ID;
}

bool IsTypeWord(std::string_view word) { return !word.empty() && TypeWord(word) != 0; }

std::string_view NearestType(std::string_view word) {
  if (const std::string_view alias = ElementTypeOf(word); !alias.empty()) return alias;
  const bool is_signed = word.find_first_of("uU") == std::string_view::npos;
  std::vector<std::string_view> words;
  for (const Word& entry : kTable) {
    const bool loses_sign = is_signed && entry.text.starts_with("uint");
    if (!entry.text.empty() && !loses_sign) words.push_back(entry.text);
  }
  return Nearest(word, words);
}

}  // namespace onnxc::syntax
