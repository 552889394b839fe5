// Finds the known name that was probably meant by an unknown one. All stages use these functions.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// Returns the member of `words` that is most similar to `word`, or "" if none is similar. Use it for keywords and
/// other fixed words; for names that an author has chosen, use MeantName(). Of several words at the same edit distance,
/// one that differs by a missing, doubled or swapped letter is preferred to one with a wrong letter.
[[nodiscard]] std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words);

/// Returns whether the author who wrote `word` surely meant the fixed word `meant`. The mistake must be one of these:
/// letters in a different case; two swapped letters; a doubled letter; a missing letter inside a word of four letters;
/// or, in a word of at least five letters, one letter after the first that is wrong, missing or added. Words with
/// different digits are different words.
[[nodiscard]] bool IsSlip(std::string_view word, std::string_view meant);

/// The kinds of differences between a name and the name that was meant, the most certain first. Authors choose similar
/// names for different things (`k_proj` and `q_proj`, `fc1` and `fc2`, `rows` and `cols`, `mean` and `median`), so only
/// few differences are surely typing mistakes.
enum class Slip : std::uint8_t {
  kLookAlike,   ///< letters of another script that look the same
  kCase,        ///< the same letters in a different case
  kSeparators,  ///< the same except for `_`, `-`, `.`, `/`, `:` and spaces inside
  kLetters,     ///< two letters are swapped, or one is lost or doubled: in a long word, or in a documented word that
                ///< the mistake turns into an undocumented one (tables/operator_docs.h)
  kNeighbour,   ///< in a longer word, the letter of a neighbouring key is in place of one letter, or directly before or
                ///< after it
  kPerhaps,     ///< one letter of a word differs: a typing mistake only if nothing else reads the meant value (kSpare)
  kNone,
};
[[nodiscard]] Slip SlipOf(std::string_view word, std::string_view meant);

/// How a name that may be meant is used.
enum class Standing : std::uint8_t {
  kUsual,
  kSpare,  ///< nothing reads the value, so a reader is probably missing
  kTaken,  ///< the node already reads the value, so it is probably not meant again
};
using StandingOf = std::function<Standing(std::string_view name)>;

struct Meant {
  std::string_view name;  ///< "" if no name is similar
  bool is_sure = false;   ///< certain enough for a fix-it
  Slip slip = Slip::kNone;

  [[nodiscard]] bool IsKnown() const { return !name.empty(); }
};

/// Returns the member of `names` that was probably meant by `word`. The author of the model has chosen the names, so
/// similar names may be different. The result is sure if a single typing mistake turns exactly one of the names into
/// `word`, and if the misspelt part is not a word of the other names. Names that differ only in digits are different
/// names. If two names are equally similar, neither is returned. The time is linear in the length of the names. A name
/// of more than 64 bytes is compared only if it has the length of `word`.
[[nodiscard]] Meant MeantName(std::string_view word, const std::vector<std::string_view>& names,
                              const StandingOf& standing = {});

/// Returns the end of a message about the name that `word` may stand for: "; did you mean 'weights'?", or "; there is
/// also 'q_proj'" if the meaning is not sure.
[[nodiscard]] std::string Suggestion(std::string_view word, const Meant& meant);

}  // namespace onnxc
