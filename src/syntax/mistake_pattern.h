// The patterns of tables/mistakes.def: tokens with holes, and where a text fits them.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/tree.h"

namespace onnxc::syntax {

/// A token that is alone: lists of numbers are none.
struct Lexeme {
  std::size_t type;
  std::string_view text;
  std::size_t begin;
  [[nodiscard]] std::size_t end() const { return begin + text.size(); }
};
using Lexemes = std::span<const Lexeme>;

/// What a hole may hold. Those up to kStop hold nothing, and say what follows.
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
  kName,
  kWord,
  kString,
  kInt,
  kFloat,
  kNumber,
  kDim,
  kElement,
  kConstant,
  kFloating,
  kIntegral,
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

/// A kind of hole, by the name that it has in patterns.
struct HoleKind {
  std::string_view name;
  Holds holds;
};
inline constexpr HoleKind kHoles[] = {{"call", Holds::kNothing},      {"value", Holds::kNothing},
                                      {"graph", Holds::kNothing},     {"rest", Holds::kNothing},
                                      {"end", Holds::kEnd},           {"stop", Holds::kStop},
                                      {"name", Holds::kName},         {"field", Holds::kName},
                                      {"word", Holds::kWord},         {"key", Holds::kWord},
                                      {"string", Holds::kString},     {"int", Holds::kInt},
                                      {"float", Holds::kFloat},       {"number", Holds::kNumber},
                                      {"dim", Holds::kDim},           {"element", Holds::kElement},
                                      {"type", Holds::kType},         {"names", Holds::kNames},
                                      {"path", Holds::kPath},         {"ints", Holds::kInts},
                                      {"numbers", Holds::kNumbers},   {"inputs", Holds::kPart},
                                      {"data", Holds::kPart},         {"lists", Holds::kPart},
                                      {"holds", Holds::kPart},        {"attributes", Holds::kAttributes},
                                      {"floating", Holds::kFloating}, {"integral", Holds::kIntegral},
                                      {"maker", Holds::kMaker},       {"plain", Holds::kPlain},
                                      {"begin", Holds::kBegin},       {"open", Holds::kOpen},
                                      {"constant", Holds::kConstant}, {"text", Holds::kText},
                                      {"any", Holds::kAny},           {"entries", Holds::kEntries},
                                      {"slice", Holds::kSlice},       {"equation", Holds::kEquation},
                                      {"mlir", Holds::kMlir},         {"code", Holds::kNothing},
                                      {"count", Holds::kNothing}};

/// Returns the name of the hole that begins at `at`, where `$` stands, with its number; "" if it begins none.
[[nodiscard]] constexpr std::string_view HoleAt(std::string_view pattern, std::size_t at) {
  std::size_t end = at + 1;
  const auto is_part = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  while (pattern[at] == '$' && end < pattern.size() && is_part(pattern[end])) ++end;
  return pattern.substr(at + 1, end - at - 1);
}

/// Returns the kind of a hole, or null if there is none of this name.
[[nodiscard]] constexpr const HoleKind* FindHole(std::string_view hole) {
  const std::string_view name = hole.substr(0, hole.find_first_of("123456789"));
  for (const HoleKind& kind : kHoles) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

/// Returns whether all holes of a pattern are of a kind that there is.
[[nodiscard]] constexpr bool HasKnownHoles(std::string_view pattern) {
  for (std::size_t at = pattern.find('$'); at < pattern.size(); at = pattern.find('$', at + 1)) {
    const std::string_view hole = HoleAt(pattern, at);
    if (!hole.empty() && FindHole(hole) == nullptr) return false;
  }
  return true;
}

/// A token of a pattern, or a hole `$name`, `$name2`, `$word(a|b)`.
struct PatternPart {
  std::string_view hole;  // its name; "" for a token
  Holds holds = Holds::kNothing;
  std::string_view choices;  // of the hole, with '|' around each
  Lexeme token = {};
  std::size_t begin = 0;  // in the pattern
  std::size_t end = 0;
  bool is_joined = false;  // no blank may stand before it
};

/// The parts of a pattern, and its holes alone.
[[nodiscard]] std::vector<PatternPart> PartsOf(std::string_view pattern);
[[nodiscard]] std::vector<PatternPart> HolesOf(std::string_view pattern);

/// The tokens from `begin` to `end`, each alone: a list of numbers is no token of its own, and is read to its end. The
/// last token is the end of the text, unless that is farther away.
[[nodiscard]] std::vector<Lexeme> LexemesOf(std::string_view text, std::size_t begin, std::size_t end);
/// The text from the first token to the last.
[[nodiscard]] std::string_view TextOf(Lexemes tokens);

/// The ranges of the text for the parts of a pattern; none where it does not fit there.
[[nodiscard]] std::vector<SourceRange> Match(const std::vector<PatternPart>& parts, Lexemes tokens,
                                             std::string_view text, bool may_end_line);
/// What is in a hole; other words for element types become ours.
[[nodiscard]] std::string Filled(const PatternPart& hole, std::string_view text);

}  // namespace onnxc::syntax
