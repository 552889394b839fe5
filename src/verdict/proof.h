// Which corrections hold: the text is judged once more with them made.
#pragma once

#include <onnxc/diagnostic.h>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// Judges the text with all corrections of `found` made, and returns what is to be said:
/// - A correction is withdrawn where the corrected text has an error in what it changed, or one whose note points
///   there, or an error of the syntax on a line that it changed; a note tells of it.
/// - Other errors in the corrected text could not be seen until now: they are added.
/// - Findings that are gone in the corrected text, and have no correction of their own, came from the same mistakes:
///   they are left out.
/// Takes a few times as long as `judge` where there are corrections, and no time where there are none.
[[nodiscard]] Diagnostics ProveCorrections(const SourceText& source, Diagnostics found, const Judge& judge);

}  // namespace onnxc::verdict
