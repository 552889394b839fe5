// Finds corrections that would delete a comment.
#pragma once

#include <onnxc/diagnostic.h>

#include <span>
#include <string_view>

namespace onnxc::verdict {

/// Removes each correction that would delete a comment: only the author knows where the comment belongs in the
/// corrected text.
void KeepComments(std::string_view text, std::span<Diagnostic> findings);

}  // namespace onnxc::verdict
