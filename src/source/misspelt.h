// Names that are misspelt where they are defined.
#pragma once

#include <string_view>
#include <vector>

#include "source/meant.h"

namespace onnxc {

/// MeantName() the other way round: the member of `names` that was meant to be `word`. Only one that nothing reads is.
[[nodiscard]] Meant MisspeltName(std::string_view word, const std::vector<std::string_view>& names,
                                 const StandingOf& standing);

/// The words of two names in which they differ, as letters; empty where that is not one word of each.
struct DifferingWords {
  std::string_view one;
  std::string_view other;
};
[[nodiscard]] DifferingWords WordsThatDiffer(std::string_view one, std::string_view other);

/// Whether the one name is the other with a character lost. Of a pair of equal ones, it may be that the other has one
/// too many.
[[nodiscard]] bool HasLostOne(std::string_view one, std::string_view other);

}  // namespace onnxc
