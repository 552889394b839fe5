// Corrections of a text: the fix-its of its findings, applied.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

/// One replacement that was made.
struct AppliedEdit {
  SourceRange range;    ///< in the text before
  std::size_t size;     ///< of what stands there now
  std::size_t finding;  ///< whose it is: its position among the findings
};

struct CorrectedText {
  std::string text;
  std::size_t corrections = 0;     ///< how many findings had theirs applied
  std::vector<AppliedEdit> edits;  ///< in the order of the text
};

/// Applies the fix-its of the findings: those of one finding together. Of findings whose fix-its meet, the first one's
/// are applied; the others are for another round.
[[nodiscard]] CorrectedText ApplyCorrections(std::string_view text, std::span<const Diagnostic> findings);

}  // namespace onnxc
