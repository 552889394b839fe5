// Finds names that are misspelt at their definitions.
#pragma once

#include <string_view>
#include <vector>

#include "source/meant.h"

namespace onnxc {

/// The reverse of MeantName(): `word` is correct, and the result is the member of `names` that is probably a
/// misspelling of it. Only names of values that nothing reads are considered.
[[nodiscard]] Meant MisspeltName(std::string_view word, const std::vector<std::string_view>& names,
                                 const StandingOf& standing);

/// The words in which two names differ. They consist of letters; both are empty if the difference is not within one
/// word of each name.
struct DifferingWords {
  std::string_view one;
  std::string_view other;
};
[[nodiscard]] DifferingWords WordsThatDiffer(std::string_view one, std::string_view other);

/// Returns whether `one` is `other` without one character. If that character has an equal neighbour, it is also
/// possible that `other` has one such character too many.
[[nodiscard]] bool HasLostOne(std::string_view one, std::string_view other);

}  // namespace onnxc
