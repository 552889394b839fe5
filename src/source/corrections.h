// Applies the fix-its of findings to a text.
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
  SourceRange range;    ///< in the original text
  std::size_t size;     ///< size of the replacement
  std::size_t finding;  ///< index of its finding
};

struct CorrectedText {
  std::string text;
  std::size_t corrections = 0;     ///< number of findings whose fix-its were applied
  std::vector<AppliedEdit> edits;  ///< in the order of the text
};

/// The text of a note about an error that the correction of another error corrects, too, begins with these words.
inline constexpr std::string_view kAlsoCorrected = "this is corrected, too: ";

/// Applies the fix-its of the findings. The fix-its of one finding are applied together or not at all. If fix-its of
/// several findings conflict, those of the first finding are applied; the others need another run.
[[nodiscard]] CorrectedText ApplyCorrections(std::string_view text, std::span<const Diagnostic> findings);

}  // namespace onnxc
