// Finds out which corrections are needed when all others are made.
#pragma once

#include <onnxc/diagnostic.h>

#include <vector>

#include "verdict/judge.h"

namespace onnxc::verdict {

/// Removes corrections without which the text, with all other corrections, has no other findings than with them: for
/// example, a domain need not be imported if another correction gives its only node another domain. `left` are the
/// findings in the text with all corrections; the function returns those in the text with the corrections that stay.
/// Only a few versions of a long text are checked. If there are many corrections, those of one kind are left out
/// together.
[[nodiscard]] Diagnostics DropNeedless(const SourceText& source, const Judge& judge, Diagnostics left,
                                       std::vector<Diagnostic>* found);

}  // namespace onnxc::verdict
