// Recognizes typical mistakes, such as syntax of other languages. Each mistake is a row of tables/mistakes.def.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "source/report.h"
#include "syntax/guess.h"

namespace onnxc::syntax {

/// The part of a text in which a mistake may occur.
enum class MistakePlace {
  kModel,  ///< a header with its brackets
  kItem,   ///< the name of a graph or function
  kNode,
  kCall,    ///< an operator with its attributes and inputs
  kBranch,  ///< after the attributes of a node
  kInput,
  kAttribute,
  kFormal,
  kAnnotation,
  kBehindNode,
  kValue,
  kType,
  kShape,
  kHeader,  ///< an entry of a header
  kImport,
};

/// A row of the table: a pattern of the wrong text and a pattern of the right text. The right pattern is empty if the
/// meaning of the wrong text is uncertain.
struct Mistake {
  MistakePlace place;
  DiagnosticKind kind;
  std::string_view wrong;
  std::string_view right;
  std::string_view words;  ///< the message, which may contain the placeholders of `wrong`
};
[[nodiscard]] std::span<const Mistake> Mistakes();

/// Returns a guess for each row that matches the tokens around the current token, in the order of the table.
[[nodiscard]] std::vector<Guess> FindMistakes(const Situation& s);

}  // namespace onnxc::syntax
