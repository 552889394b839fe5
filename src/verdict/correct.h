// Corrects a text as its findings say, until there is nothing left to correct.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <functional>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// The findings that count, of all findings in a text.
using Filter = std::function<Diagnostics(const Diagnostics& findings, const SourceText& source)>;

struct Corrected {
  SourceText source;
  std::size_t corrections = 0;  ///< how many findings had theirs applied
};

/// The text with the corrections of its findings made, those of what the first ones uncover too. None is made that
/// makes the syntax worse.
[[nodiscard]] Corrected CorrectAll(const SourceText& source, const Judge& judge, const Filter& wanted);

}  // namespace onnxc::verdict
