#include "source/meant.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <limits>

#include "source/misspelt.h"
#include "source/report.h"
#include "source/unicode.h"
#include "source/words.h"
#include "tables/operator_docs.h"

namespace onnxc {
namespace {

unsigned char Byte(char c) { return static_cast<unsigned char>(c); }
char Lower(char c) { return static_cast<char>(std::tolower(Byte(c))); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsSeparator(char c) { return std::string_view("_-./: ").find(c) != std::string_view::npos; }
bool IsVowel(char c) { return std::string_view("aeiou").find(Lower(c)) != std::string_view::npos; }

/// Computes the smallest number of insertions, deletions, replacements and swaps of neighbouring letters that turn
/// `word` into another word. All bytes of a word, at most 64, are processed in parallel as bits: H. Hyyro, "A
/// bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003.
class EditDistance {
 public:
  static constexpr std::size_t kLongest = 64;

  explicit EditDistance(std::string_view word) : size_(word.size()) {
    for (std::size_t i = 0; i < word.size(); ++i) places_[Byte(Lower(word[i]))] |= std::uint64_t{1} << i;
  }

  [[nodiscard]] std::size_t To(std::string_view other) const {
    // Let d(i) be the distance between the first i bytes of the word and the part of the other word that was read so
    // far. Bit i of `..._down` says whether d(i + 1) is one more, or one less, than d(i). Bit i of `..._across`
    // compares d(i + 1) with its value before the last byte of the other word was read.
    std::uint64_t more_down = ~std::uint64_t{0};
    std::uint64_t less_down = 0;
    std::uint64_t same = 0;  // bit i: d(i + 1) equals d(i) before the last byte of the other word was read
    std::uint64_t matches_before = 0;
    std::size_t distance = size_;
    for (const char c : other) {
      const std::uint64_t matches = places_[Byte(Lower(c))];
      const std::uint64_t swaps = ((~same & matches) << 1) & matches_before;
      same = (((matches & more_down) + more_down) ^ more_down) | matches | less_down | swaps;
      std::uint64_t more_across = less_down | ~(same | more_down);
      std::uint64_t less_across = same & more_down;
      distance += (more_across >> (size_ - 1)) & 1;
      distance -= (less_across >> (size_ - 1)) & 1;
      more_across = more_across << 1 | 1;
      less_across <<= 1;
      more_down = less_across | ~(same | more_across);
      less_down = more_across & same;
      matches_before = matches;
    }
    return distance;
  }

 private:
  std::size_t size_;
  std::array<std::uint64_t, 256> places_ = {};  // for each byte value: its positions in the word
};

/// Returns the only word for which `is_wanted` returns true. Returns "" if there are none or several.
template <typename IsWanted>
std::string_view OnlyOne(const std::vector<std::string_view>& words, const IsWanted& is_wanted) {
  const auto first = std::ranges::find_if(words, is_wanted);
  if (first == words.end() || std::ranges::find_if(first + 1, words.end(), is_wanted) != words.end()) return {};
  return *first;
}

// ---- a single typing mistake

/// The parts in which two words differ, without the common beginning and the common end.
struct Difference {
  std::size_t begin = 0;
  std::size_t word_end = 0;
  std::size_t meant_end = 0;
};

Difference Compare(std::string_view word, std::string_view meant) {
  const std::size_t shorter = std::min(word.size(), meant.size());
  Difference found;
  while (found.begin < shorter && word[found.begin] == meant[found.begin]) ++found.begin;
  std::size_t same = 0;
  while (same < shorter - found.begin && word[word.size() - 1 - same] == meant[meant.size() - 1 - same]) ++same;
  found.word_end = word.size() - same;
  found.meant_end = meant.size() - same;
  return found;
}

enum class Change { kSwapped, kLost, kDoubled, kAdded, kOther, kMore };

Change ChangeOf(std::string_view word, std::string_view meant, const Difference& at) {
  const std::string_view there = word.substr(at.begin, at.word_end - at.begin);
  const std::string_view wanted = meant.substr(at.begin, at.meant_end - at.begin);
  if (there.size() == 2 && wanted.size() == 2 && there[0] == wanted[1] && there[1] == wanted[0]) {
    return Change::kSwapped;
  }
  if (there.empty() && wanted.size() == 1) return Change::kLost;
  if (there.size() == 1 && wanted.size() == 1) return Change::kOther;
  if (there.size() != 1 || !wanted.empty()) return Change::kMore;
  return at.begin > 0 && word[at.begin - 1] == there[0] ? Change::kDoubled : Change::kAdded;
}

/// Returns whether a word begins or ends before byte `at`: next to a character that is not a letter, and between a
/// lower-case and an upper-case letter.
bool IsEdge(std::string_view text, std::size_t at) {
  if (at == 0 || at == text.size() || !IsLetter(text[at - 1]) || !IsLetter(text[at])) return true;
  return text[at - 1] >= 'a' && text[at] <= 'Z';
}

/// Returns the word that contains the given part of the text.
std::string_view WordAround(std::string_view text, std::size_t begin, std::size_t end) {
  while (begin > 0 && IsLetter(text[begin - 1]) && (begin == end || !IsEdge(text, begin))) --begin;
  while (end < text.size() && IsLetter(text[end]) && (begin == end || !IsEdge(text, end))) ++end;
  return text.substr(begin, end - begin);
}

bool AreNeighbours(char a, char b) {
  constexpr std::array<std::string_view, 3> kRows = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  const auto place = [&](char c) {
    for (int row = 0; row < 3; ++row) {
      if (const std::size_t at = kRows[static_cast<std::size_t>(row)].find(Lower(c)); at != std::string_view::npos) {
        return std::array{row, static_cast<int>(at)};
      }
    }
    return std::array{9, 9};
  };
  auto above = place(a);
  auto below = place(b);
  if (above > below) std::swap(above, below);
  const int right = below[1] - above[1];
  if (below[0] == above[0]) return right == 1;
  return below[0] == above[0] + 1 && (right == 0 || right == -1);
}

/// The word that contains the difference between two spellings of a name, taken from the longer spelling, and the
/// letters that differ.
struct Part {
  std::string_view word;
  std::size_t at = 0;  ///< offset of the first letter that changed
  std::size_t changed = 0;

  [[nodiscard]] bool IsFirst() const { return at == 0; }
  [[nodiscard]] bool IsLast() const { return at + changed == word.size(); }
  [[nodiscard]] bool HasVowelElsewhere() const {
    return std::ranges::any_of(word.substr(0, at), IsVowel) || std::ranges::any_of(word.substr(at + changed), IsVowel);
  }
};

// Classifies a difference by the length of the word. Two short words that differ in one letter are often different
// words: `path` and `patch`, `from` and `form`. A letter at the beginning or end of a word may be a prefix or a suffix:
// `symmetric` and `asymmetric`, `mask` and `masks`.
Slip Judge(const Part& part, Change change) {
  const std::size_t letters = part.word.size();  // the length of the longer spelling
  const char letter = Lower(part.word[part.at]);
  const bool is_inside = !part.IsFirst() && !part.IsLast();
  const bool is_ending = part.IsLast() && std::string_view("sdry").find(letter) != std::string_view::npos;
  const auto if_long = [&](bool is_long, Slip slip, bool is_telling) {
    return is_long ? slip : is_telling ? Slip::kPerhaps : Slip::kNone;
  };
  switch (change) {
    case Change::kSwapped: {
      // A word without a vowel consists of initials, such as the layouts `bshd` and `bhsd`, or `xywh` and `xyhw`.
      const bool has_vowel = std::ranges::any_of(part.word, IsVowel);
      const bool is_long = letters >= 5 ? has_vowel : letters == 4 && !part.IsFirst() && part.HasVowelElsewhere();
      return if_long(is_long, Slip::kLetters, letters >= 3 && has_vowel);
    }
    case Change::kLost: {
      const bool is_twice = part.at > 0 && Lower(part.word[part.at - 1]) == letter;
      const bool is_long = is_inside ? letters >= 6 : part.IsLast() && letters >= (is_twice ? 6 : 8);
      return if_long(is_long && (!is_ending || is_twice), Slip::kLetters, letters >= (is_inside ? 4 : 6));
    }
    case Change::kDoubled: return if_long(letters >= 5, Slip::kLetters, letters >= 4);
    case Change::kAdded: {
      const bool is_near =
          is_inside && (AreNeighbours(letter, part.word[part.at - 1]) || AreNeighbours(letter, part.word[part.at + 1]));
      return if_long(is_near && letters >= 8, Slip::kNeighbour, letters >= 6);
    }
    default: return Slip::kNone;
  }
}

Slip JudgeOther(const Part& part, char there) {
  const bool is_near = AreNeighbours(there, part.word[part.at]);
  const bool is_inside = !part.IsFirst() && !part.IsLast();
  if (!is_inside || part.word.size() < (is_near ? 5 : 7)) return Slip::kNone;
  return is_near && part.word.size() >= 7 ? Slip::kNeighbour : Slip::kPerhaps;
}

/// Returns the word of the name that contains the difference. Returns "" if the difference is not within one word.
std::string_view PartOf(std::string_view name, std::size_t begin, std::size_t end) {
  if (!std::ranges::all_of(name.substr(begin, end - begin), IsLetter)) return {};
  return WordAround(name, begin, end);
}

/// Returns whether two names have the same letters and digits. A separator at an end or between digits makes a
/// different name: `x_` and `x`, `conv1_1` and `conv11`.
bool AreSameWithoutSeparators(std::string_view a, std::string_view b) {
  const auto skip = [](std::string_view text, std::size_t at) {
    std::size_t next = at;
    while (next < text.size() && IsSeparator(text[next])) ++next;
    const bool counts = at == 0 || next == text.size() || (IsDigit(text[at - 1]) && IsDigit(text[next]));
    return counts ? at : next;
  };
  std::size_t i = 0;
  std::size_t j = 0;
  while (true) {
    i = skip(a, i);
    j = skip(b, j);
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    const bool are_both = IsSeparator(a[i]) && IsSeparator(b[j]);
    if (!are_both && Lower(a[i]) != Lower(b[j])) return false;
    ++i;
    ++j;
  }
}

/// A name after letters that look like ASCII letters were replaced by these ASCII letters, and the first letter that
/// was replaced.
struct Plain {
  std::string name;
  Character first = {};
};
Plain PlainOf(std::string_view name) {
  Plain plain;
  for (std::size_t at = 0; at < name.size();) {
    const Character character = DecodeCharacter(name, at);
    const char latin = character.valid ? LatinLookAlike(character.code) : '\0';
    if (latin != '\0' && plain.first.code == 0) plain.first = character;
    plain.name += latin != '\0' ? std::string(1, latin) : std::string(name.substr(at, character.length));
    at += character.length;
  }
  return plain;
}

bool LooksTheSame(std::string_view word, std::string_view meant) {
  const auto is_ascii = [](std::string_view name) {
    return std::ranges::all_of(name, [](char c) { return Byte(c) < 0x80; });
  };
  if (word.size() > EditDistance::kLongest || meant.size() > EditDistance::kLongest) return false;
  return (!is_ascii(word) || !is_ascii(meant)) && PlainOf(word).name == PlainOf(meant).name;
}

std::string WithoutDigits(std::string_view word) {
  std::string letters(word);
  std::erase_if(letters, IsDigit);
  return letters;
}

/// Ranks words with equal distances: a lost, doubled or swapped letter is more likely than a wrong letter.
int RankOf(std::string_view word, std::string_view meant) {
  switch (ChangeOf(word, meant, Compare(word, meant))) {
    case Change::kSwapped:
    case Change::kLost:
    case Change::kDoubled: return 0;
    case Change::kAdded: return 1;
    default: return 2;
  }
}

// ---- comparison with many words

struct Near {
  std::string_view word = {};
  bool is_only = false;  ///< no other word has the same distance
};

/// Returns the nearest of the words for which `is_candidate` returns true.
template <typename IsCandidate>
Near NearestIf(std::string_view word, const std::vector<std::string_view>& words, const IsCandidate& is_candidate) {
  if (word.empty() || word.size() > EditDistance::kLongest) return {};
  const auto is_same = [&](std::string_view other) { return other != word && IsSameWord(word, other); };
  if (word.size() < 2) return {OnlyOne(words, is_same), true};
  const EditDistance distance_from_word(word);
  Near nearest;
  std::size_t least = (word.size() + 2) / 3;  // about one mistake in three letters; with more, it is a different word
  int rank = 0;
  for (const std::string_view candidate : words) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter > least) continue;  // each additional byte counts as a mistake
    const std::size_t distance = distance_from_word.To(candidate);
    if (distance > least || distance >= candidate.size() || !is_candidate(candidate)) continue;
    const int its_rank = distance > 0 ? RankOf(word, candidate) : 0;
    if (nearest.word.empty() || distance < least || its_rank < rank) {
      nearest = {candidate, true};
      rank = its_rank;
    } else if (its_rank == rank && candidate != nearest.word) {
      nearest.is_only = false;
    }
    least = distance;
  }
  constexpr std::size_t kTelling = 3;  // bytes
  if (!nearest.word.empty() || word.size() < kTelling) return nearest;
  return {OnlyOne(words, [&](std::string_view other) { return other.starts_with(word) && other != word; }), true};
}

/// The name for which `word` is probably a typing mistake.
struct Found {
  std::string_view name;
  Slip slip = Slip::kNone;
  bool is_only = true;
};

/// Returns the name with the most certain kind of slip according to `slip_of`, if there is exactly one such name.
template <typename SlipOfName>
Found FindSlip(const std::vector<std::string_view>& names, const SlipOfName& slip_of) {
  Found best;
  for (const std::string_view name : names) {
    const Slip slip = slip_of(name);
    if (slip == Slip::kNone || slip > best.slip) continue;
    if (slip < best.slip) {
      best = {name, slip};
    } else if (name != best.name) {
      best.is_only = false;
    }
  }
  return best;
}

/// Returns whether the word in which `name` differs from `meant` is also a word of another name. Such a word is not a
/// typing mistake.
bool IsWordOfOthers(std::string_view name, std::string_view meant, const std::vector<std::string_view>& names) {
  constexpr std::size_t kLongest = 256;  // bytes of the other names that are read
  const Difference at = Compare(name, meant);
  const std::string_view part = WordAround(name, at.begin, at.word_end);
  const auto has_it = [&](std::string_view other) {
    if (other.size() > kLongest || other == name) return false;
    for (std::size_t i = other.find(part); i != std::string_view::npos; i = other.find(part, i + part.size())) {
      if (IsEdge(other, i) && IsEdge(other, i + part.size())) return true;
    }
    return false;
  };
  return !part.empty() && std::ranges::any_of(names, has_it);
}

}  // namespace

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words) {
  return NearestIf(word, words, [](std::string_view) { return true; }).word;
}

bool IsSlip(std::string_view word, std::string_view meant) {
  if (IsSameWord(word, meant)) return true;
  const auto digits = [](std::string_view text) {
    std::string found(text);
    std::erase_if(found, [](char c) { return !IsDigit(c); });
    return found;
  };
  if (word.empty() || meant.empty() || word.size() > EditDistance::kLongest || digits(word) != digits(meant))
    return false;
  if (EditDistance(word).To(meant) != 1 || Lower(word.front()) != Lower(meant.front())) return false;
  constexpr std::size_t kTelling = 5;  // bytes
  if (word.size() >= kTelling && meant.size() >= kTelling) return true;
  const Difference at = Compare(word, meant);
  const Change change = ChangeOf(word, meant, at);
  const bool is_lost = change == Change::kLost && meant.size() >= 4;
  const bool is_twice = is_lost && at.begin > 0 && meant[at.begin - 1] == meant[at.begin];
  const bool is_lost_inside = is_lost && (at.meant_end < meant.size() || is_twice);
  return change == Change::kSwapped || change == Change::kDoubled || is_lost_inside;
}

namespace {

/// Returns whether `meant` contains a documented word where `word` contains an undocumented one. Then the difference is
/// a typing mistake even if the word is short. Letters without a vowel do not count as a word, although documentation
/// contains some, such as the layout `nchw`.
bool IsOfOneWord(std::string_view word, std::string_view meant, const Difference& at) {
  const std::string_view part = PartOf(meant, at.begin, at.meant_end);
  return std::ranges::any_of(part, IsVowel) && IsDocumentedWord(part) &&
         !IsDocumentedWord(PartOf(word, at.begin, at.word_end));
}

}  // namespace

Slip SlipOf(std::string_view word, std::string_view meant) {
  constexpr std::size_t kMostSeparators = 8;
  const std::size_t longer = std::max(word.size(), meant.size());
  if (word == meant) return Slip::kNone;
  if (LooksTheSame(word, meant)) return Slip::kLookAlike;
  if (longer - std::min(word.size(), meant.size()) > kMostSeparators) return Slip::kNone;
  if (IsSameWord(word, meant)) return Slip::kCase;
  if (AreSameWithoutSeparators(word, meant)) return Slip::kSeparators;
  const Difference at = Compare(word, meant);
  const Change change = ChangeOf(word, meant, at);
  if (change == Change::kMore) return Slip::kNone;
  const bool is_of_word = change == Change::kDoubled || change == Change::kAdded;
  const std::string_view name = is_of_word ? word : meant;
  const std::size_t end = is_of_word ? at.word_end : at.meant_end;
  const std::string_view part = PartOf(name, at.begin, end);
  if (part.empty()) return Slip::kNone;
  const std::size_t before = at.begin - static_cast<std::size_t>(part.data() - name.data());
  const Part changed{part, before, end - at.begin};
  if (change == Change::kOther) return IsLetter(word[at.begin]) ? JudgeOther(changed, word[at.begin]) : Slip::kNone;
  const Slip slip = Judge(changed, change);
  const std::size_t kTelling = change == Change::kDoubled ? 3 : 4;  // letters
  const bool is_twice = !changed.IsFirst() && part[before - 1] == part[before];
  const bool is_inside = !changed.IsFirst() && !changed.IsLast();
  const bool may_be_slip = slip > Slip::kLetters && change != Change::kAdded && part.size() >= kTelling;
  return may_be_slip && (is_inside || is_twice) && IsOfOneWord(word, meant, at) ? Slip::kLetters : slip;
}

Meant MeantName(std::string_view word, const std::vector<std::string_view>& names, const StandingOf& standing) {
  const auto standing_of = [&](std::string_view name) { return standing ? standing(name) : Standing::kUsual; };
  const Found found = FindSlip(names, [&](std::string_view name) { return SlipOf(word, name); });
  if (!found.name.empty() && found.is_only) {
    const Standing its = standing_of(found.name);
    const bool is_same = found.slip <= Slip::kSeparators;
    const bool is_slip = found.slip < Slip::kPerhaps || its == Standing::kSpare;
    const bool is_sure = is_slip && its != Standing::kTaken && (is_same || !IsWordOfOthers(word, found.name, names));
    return {found.name, is_sure, found.slip};
  }
  const std::string letters = WithoutDigits(word);
  const Near near = NearestIf(word, names, [&](std::string_view other) { return WithoutDigits(other) != letters; });
  if (!near.is_only || WithoutDigits(near.word) == letters || standing_of(near.word) == Standing::kTaken) return {};
  return {near.word};
}

namespace {

/// Returns whether the only difference is that two neighbouring characters are swapped, or one letter is missing or
/// doubled.
bool IsSmallSlip(std::string_view word, std::string_view meant) {
  constexpr std::size_t kTelling = 3;  // bytes
  if (std::min(word.size(), meant.size()) < kTelling) return false;
  const Difference at = Compare(word, meant);
  const Change change = ChangeOf(word, meant, at);
  const std::string_view changed = change == Change::kDoubled ? word.substr(at.begin, at.word_end - at.begin)
                                                              : meant.substr(at.begin, at.meant_end - at.begin);
  const bool is_slip = change == Change::kSwapped || change == Change::kLost || change == Change::kDoubled;
  if (!is_slip || std::ranges::any_of(changed, IsDigit)) return false;
  // Swapped letters are a mistake in `ni`, because `in` is a documented word, but not in `hw` or `ba`: `wh` and `ab`
  // may be other names.
  if (change == Change::kSwapped && std::ranges::all_of(changed, IsLetter)) return IsOfOneWord(word, meant, at);
  return std::ranges::all_of(changed, IsLetter) ||
         (change == Change::kSwapped && !std::ranges::all_of(changed, IsSeparator));
}

}  // namespace

Meant MisspeltName(std::string_view word, const std::vector<std::string_view>& names, const StandingOf& standing) {
  const Found found = FindSlip(names, [&](std::string_view name) {
    const Slip slip = SlipOf(name, word);
    return slip == Slip::kNone || standing(name) != Standing::kUsual ? slip : Slip::kNone;
  });
  if (found.name.empty()) {
    // A missing, doubled or swapped letter counts as a typing mistake even in a short word if, of the values with such
    // similar names, exactly one has no reader.
    const std::string_view only = OnlyOne(names, [&](std::string_view name) {
      return (IsSmallSlip(name, word) || IsSmallSlip(word, name)) && standing(name) == Standing::kSpare;
    });
    return only.empty() ? Meant{} : Meant{only, true, Slip::kPerhaps};
  }
  if (!found.is_only) return {};
  const bool is_sure = found.slip <= Slip::kSeparators || !IsWordOfOthers(found.name, word, names);
  return is_sure ? Meant{found.name, true, found.slip} : Meant{};
}

DifferingWords WordsThatDiffer(std::string_view one, std::string_view other) {
  const Difference at = Compare(one, other);
  return {PartOf(one, at.begin, at.word_end), PartOf(other, at.begin, at.meant_end)};
}

bool HasLostOne(std::string_view one, std::string_view other) {
  const Difference at = Compare(one, other);
  if (at.word_end != at.begin || at.meant_end != at.begin + 1) return false;
  return at.begin == 0 || other[at.begin - 1] != other[at.begin];
}

std::string Suggestion(std::string_view word, const Meant& meant) {
  if (!meant.IsKnown()) return "";
  const std::string name = Quoted(meant.name);
  if (!meant.is_sure) return fmt::format("; there is also '{}'", name);
  if (meant.slip != Slip::kLookAlike) return fmt::format("; did you mean '{}'?", name);
  Character odd = PlainOf(word).first;
  if (odd.code == 0) odd = PlainOf(meant.name).first;
  return fmt::format("; did you mean '{}'? U+{:04X} looks like '{}'", name, static_cast<unsigned>(odd.code),
                     LatinLookAlike(odd.code));
}

}  // namespace onnxc
