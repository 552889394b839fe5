// Patterns of tables/mistakes.def, which consist of tokens and placeholders, and their matching with a text.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// A token for patterns. Unlike a token of the scanner, it is never a whole list of numbers.
struct Lexeme {
  std::size_t type;
  std::string_view text;
  std::size_t begin;
  std::size_t closing = 0;  // how many tokens after this opening bracket its closing one comes; 0 if there is none
  [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};
using Lexemes = std::span<const Lexeme>;

/// What a placeholder matches. The kinds up to kStop match no token; they are conditions on the tokens around the
/// place.
enum class Holds {
  kNothing,
  kBegin,
  kOpen,
  kEnd,
  kStop,
  kText,
  kAny,
  kEntries,
  kSlice,
  kEquation,
  kMlir,
  kFormula,
  kName,
  kWord,
  kString,
  kInt,
  kFloat,
  kNumber,
  kDim,
  kElement,
  kConstant,
  kFloatWord,
  kIntWord,
  kMaker,
  kPlain,
  kType,
  kNames,
  kPath,
  kInts,
  kNumbers,
  kPart,
  kAttributes,
};

/// A kind of placeholder, and its name in patterns.
struct HoleKind {
  std::string_view name;
  Holds holds;
};
inline constexpr HoleKind kHoles[] = {{"call", Holds::kNothing},
                                      {"value", Holds::kNothing},
                                      {"graph", Holds::kNothing},
                                      {"rest", Holds::kNothing},
                                      {"end", Holds::kEnd},
                                      {"stop", Holds::kStop},
                                      {"name", Holds::kName},
                                      {"field", Holds::kName},
                                      {"word", Holds::kWord},
                                      {"key", Holds::kWord},
                                      {"string", Holds::kString},
                                      {"int", Holds::kInt},
                                      {"float", Holds::kFloat},
                                      {"number", Holds::kNumber},
                                      {"dim", Holds::kDim},
                                      {"element", Holds::kElement},
                                      {"type", Holds::kType},
                                      {"names", Holds::kNames},
                                      {"path", Holds::kPath},
                                      {"ints", Holds::kInts},
                                      {"numbers", Holds::kNumbers},
                                      {"inputs", Holds::kPart},
                                      {"data", Holds::kPart},
                                      {"lists", Holds::kPart},
                                      {"holds", Holds::kPart},
                                      {"attributes", Holds::kAttributes},
                                      {"floatword", Holds::kFloatWord},
                                      {"intword", Holds::kIntWord},
                                      {"maker", Holds::kMaker},
                                      {"plain", Holds::kPlain},
                                      {"begin", Holds::kBegin},
                                      {"open", Holds::kOpen},
                                      {"constant", Holds::kConstant},
                                      {"text", Holds::kText},
                                      {"any", Holds::kAny},
                                      {"entries", Holds::kEntries},
                                      {"slice", Holds::kSlice},
                                      {"equation", Holds::kEquation},
                                      {"mlir", Holds::kMlir},
                                      {"formula", Holds::kFormula},
                                      {"code", Holds::kNothing},
                                      {"count", Holds::kNothing}};

/// Returns the name of the placeholder that begins with the `$` at `at`, including its number; "" if none begins there.
[[nodiscard]] constexpr std::string_view HoleAt(std::string_view pattern, std::size_t at) {
  std::size_t end = at + 1;
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  while (pattern[at] == '$' && end < pattern.size() && is_part(pattern[end])) ++end;
  return pattern.substr(at + 1, end - at - 1);
}

/// Returns the kind of a placeholder, or null if the name is unknown.
[[nodiscard]] constexpr const HoleKind* FindHole(std::string_view hole) {
  const std::string_view name = hole.substr(0, hole.find_first_of("123456789"));
  for (const HoleKind& kind : kHoles) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

/// Returns whether the kinds of all placeholders of a pattern are known.
[[nodiscard]] constexpr bool HasKnownHoles(std::string_view pattern) {
  for (std::size_t at = pattern.find('$'); at < pattern.size(); at = pattern.find('$', at + 1)) {
    const std::string_view hole = HoleAt(pattern, at);
    if (!hole.empty() && FindHole(hole) == nullptr) return false;
  }
  return true;
}

/// A token of a pattern, or a placeholder such as `$name`, `$name2` or `$word(a|b)`.
struct PatternPart {
  std::string_view hole;  // the name of the placeholder; "" for a token
  Holds holds = Holds::kNothing;
  std::string_view choices;  // for example "(a|b)"; "" if any word matches
  Lexeme token = {};
  std::size_t begin = 0;  // the range in the pattern
  std::size_t end = 0;
  bool is_joined = false;  // no blank may come before it
};

/// PartsOf() returns all parts of a pattern, HolesOf() only its placeholders.
[[nodiscard]] std::vector<PatternPart> PartsOf(std::string_view pattern);
[[nodiscard]] std::vector<PatternPart> HolesOf(std::string_view pattern);

/// Returns the tokens from `begin` to `end`. Each number of a list is a separate token, and a list is read to its end.
/// The last token is EOF if `end` is after the end of the text. If `line_of` is given, reading ends earlier: some
/// tokens after the line of this offset and of the brackets that are open there.
[[nodiscard]] std::vector<Lexeme> LexemesOf(std::string_view text, std::size_t begin, std::size_t end,
                                            std::optional<std::size_t> line_of = {});
/// Returns the text from the first token to the last.
[[nodiscard]] std::string_view TextOf(Lexemes tokens);

/// Returns the range of the text that each part of the pattern matches; an empty list if the pattern does not match.
/// The match begins at the first token. Outside of brackets, it may extend beyond the line only if `may_end_line` is
/// true.
[[nodiscard]] std::vector<SourceRange> Match(const std::vector<PatternPart>& parts, Lexemes tokens,
                                             std::string_view text, bool may_end_line);
/// Returns the text that a placeholder matched. Names of element types from other languages become those of ONNX.
[[nodiscard]] std::string Filled(const PatternPart& hole, std::string_view text);

}  // namespace onnxc::syntax
