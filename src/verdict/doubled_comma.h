// Commas that are one too many, where the text is right without them and the model with them is not.
#pragma once

#include <onnxc/diagnostic.h>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// `Op (x,, y)` leaves an input out, which is seldom what was meant. Where errors are gone without the second comma,
/// and no other one comes, it is told in their place. Judges the text a few times at most, and not at all where it has
/// no such commas.
[[nodiscard]] Diagnostics TellDoubledCommas(const SourceText& source, Diagnostics found, const Judge& judge);

}  // namespace onnxc::verdict
