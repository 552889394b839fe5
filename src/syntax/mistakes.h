// Mistakes of people who come from other languages, one row each in tables/mistakes.def, and the matcher that reads it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "source/report.h"
#include "syntax/guess.h"

namespace onnxc::syntax {

/// The part of the text in which a mistake is looked for.
enum class MistakePlace {
  kModel,  ///< a header with its brackets
  kItem,   ///< the name of a graph or function
  kNode,
  kCall,    ///< an operator with its attributes and inputs
  kBranch,  ///< behind the attributes of a node
  kInput,
  kAttribute,
  kFormal,
  kAnnotation,
  kBehindNode,
  kValue,
  kType,
  kShape,
  kHeader,  ///< an entry of it
  kImport,
};

/// A row: tokens with holes that are wrong, and the tokens that are meant; none where that is not sure.
struct Mistake {
  MistakePlace place;
  DiagnosticKind kind;
  std::string_view wrong;
  std::string_view right;
  std::string_view words;  ///< the message, with the holes of `wrong`
};
[[nodiscard]] std::span<const Mistake> Mistakes();

/// The rows that fit the tokens around the place, in the order of the table, each with its correction.
[[nodiscard]] std::vector<Guess> FindMistakes(const Situation& s);

}  // namespace onnxc::syntax
