// Checks which corrections work by applying them and checking the text again.
#pragma once

#include <onnxc/diagnostic.h>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// Checks the text with all corrections of `found` applied, and returns the final findings:
/// - A correction that would delete a comment is removed.
/// - A correction is withdrawn if the corrected text has an error in the changed part, an error with a note about
///   that part, or a syntax error on a changed line, or if it imports a domain a second time. A note describes the
///   correction.
/// - Other errors in the corrected text were not visible before, and are added.
/// - Findings that disappear in the corrected text and have no correction were consequences of the same mistakes,
///   and are left out.
/// If there are corrections, the call takes a few times as long as `judge`; otherwise it takes no time.
[[nodiscard]] Diagnostics ProveCorrections(const SourceText& source, Diagnostics found, const Judge& judge);

}  // namespace onnxc::verdict
