// Corrections of a text: the fix-its of its findings, applied.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <string>

namespace onnxc {

struct CorrectedText {
  std::string text;
  std::size_t corrections = 0;  ///< how many findings had theirs applied
};

/// Applies the fix-its of the findings: those of one finding together. Of findings whose fix-its meet, the first one's
/// are applied; the others are for another round.
[[nodiscard]] CorrectedText ApplyCorrections(std::string_view text, const Diagnostics& findings);

}  // namespace onnxc
