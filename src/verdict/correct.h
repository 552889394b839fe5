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

/// Applies the corrections of all wanted findings, then those of the findings that this uncovers, until none is left.
/// A correction that adds syntax errors is not applied.
[[nodiscard]] Corrected CorrectAll(const SourceText& source, const Judge& judge, const Filter& wanted);

}  // namespace onnxc::verdict
