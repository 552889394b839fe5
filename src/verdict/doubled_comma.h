// Finds superfluous commas: the model has errors with them and none without them.
#pragma once

#include <onnxc/diagnostic.h>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// Reports `Op (x,, y)`, which omits an input, usually by mistake. If some errors disappear when the second comma is
/// removed, and no new error appears, the comma is reported instead of these errors. Checks the text at most a few
/// times, and not at all if it has no such commas.
[[nodiscard]] Diagnostics TellDoubledCommas(const SourceText& source, Diagnostics found, const Judge& judge);

}  // namespace onnxc::verdict
