// Finds names that are misspelt at their definitions.
#pragma once

#include <string_view>
#include <vector>

#include "source/meant.h"

namespace onnxc {

/// The reverse of MeantName(): returns the member of `names` whose author probably meant to write `word`. Only names
/// that nothing reads are considered.
[[nodiscard]] Meant MisspeltName(std::string_view word, const std::vector<std::string_view>& names,
                                 const StandingOf& standing);

/// The words in which two names differ. They consist of letters; both are empty if the difference is not within one
/// word of each name.
struct DifferingWords {
  std::string_view one;
  std::string_view other;
};
[[nodiscard]] DifferingWords WordsThatDiffer(std::string_view one, std::string_view other);

/// Returns whether removing one character of `other` gives `one`. If that character is next to an equal one, `other`
/// may as well have one too many.
[[nodiscard]] bool HasLostOne(std::string_view one, std::string_view other);

}  // namespace onnxc
