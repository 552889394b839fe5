// Guesses about words with letters that are not those of ASCII.
#pragma once

#include <optional>

#include "syntax/guess.h"

namespace onnxc::syntax {

[[nodiscard]] std::optional<Guess> LettersOfOtherScripts(const Situation& s);
[[nodiscard]] std::optional<Guess> TimesSign(const Situation& s);

}  // namespace onnxc::syntax
