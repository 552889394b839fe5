// Which of the names at hand was meant by a word that is none of them. All stages ask here.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// The member of `words` that `word` most likely stands for, or "" where none is near. For words of a language: nobody
/// chose two of them to be alike. Of words that are equally near, one with a letter lost, doubled or swapped is meant
/// rather than one with another letter.
[[nodiscard]] std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words);

/// Whether `word` is surely `meant` with a slip of the keyboard, for words of a language: other cases of letters, two
/// letters swapped, one doubled, one missing inside a word of four letters, or one other, missing or added behind the
/// first one in a word of five letters or more. Where digits differ it is another word.
[[nodiscard]] bool IsSlip(std::string_view word, std::string_view meant);

/// How a name that an author chose came from another one, the surest first. Authors choose names that are alike for
/// things that are not the same (`k_proj` and `q_proj`, `fc1` and `fc2`, `rows` and `cols`, `mean` and `median`), so
/// that few differences are surely slips.
enum class Slip : std::uint8_t {
  kLookAlike,   ///< letters of another script that look the same
  kCase,        ///< the same letters in other cases
  kSeparators,  ///< the same but for `_`, `-`, `.`, `/`, `:` and blanks inside
  kLetters,     ///< two letters are swapped, or one is lost or doubled: in a long word, or inside one that people write
                ///< and of which it makes a word that they do not write (tables/operator_docs.h)
  kNeighbour,   ///< in one longer word there is a letter of a neighbouring key
  kPerhaps,     ///< one letter of a word: a slip where nothing else needs the name that was meant
  kNone,
};
[[nodiscard]] Slip SlipOf(std::string_view word, std::string_view meant);

/// What an author has done with a name that may be meant.
enum class Standing : std::uint8_t {
  kUsual,
  kSpare,  ///< nothing reads it, so that it waits for a reader
  kTaken,  ///< the node reads it already, so that it is not meant once more
};
using StandingOf = std::function<Standing(std::string_view name)>;

struct Meant {
  std::string_view name;  ///< "" where none is near
  bool is_sure = false;   ///< a correction may put it there
  Slip slip = Slip::kNone;

  [[nodiscard]] bool IsKnown() const { return !name.empty(); }
};

/// The member of `names`, which authors chose, that `word` stands for. It is sure where one slip makes `word` of that
/// name and of no other, and where the misspelt part is no word of the other names. Names that differ only in digits
/// are others; of two that are equally near neither is meant. Time: that of reading the names some times; of those
/// longer than 64 bytes, only the ones that are as long as `word`.
[[nodiscard]] Meant MeantName(std::string_view word, const std::vector<std::string_view>& names,
                              const StandingOf& standing = {});

/// What a message adds about the name that `word` may stand for: "; did you mean 'weights'?", or where it is not sure
/// "; there is also 'q_proj'".
[[nodiscard]] std::string Suggestion(std::string_view word, const Meant& meant);

}  // namespace onnxc
