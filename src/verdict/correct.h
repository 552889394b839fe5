// Corrects a text by its findings until there is nothing left to correct.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <functional>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// Returns the findings to correct, from all findings in a text.
using Filter = std::function<Diagnostics(const Diagnostics& findings, const SourceText& source)>;

struct Corrected {
  SourceText source;
  std::size_t corrections = 0;  ///< number of findings whose corrections were applied
};

/// Applies the corrections of all wanted findings that the proof lets stand (verdict/proof.h), then those of findings
/// that become visible by this, and so on until no correction is left. A correction that adds syntax errors is not
/// applied.
[[nodiscard]] Corrected CorrectAll(const SourceText& source, const Judge& judge, const Filter& wanted);

}  // namespace onnxc::verdict
