// What holds for the findings of every run.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>

#include "testing/roundtrip.h"

namespace onnxc::fuzz {

/// Findings are whole: each has a message, ranges lie in the text, fix-its do not overlap, and every rendering is made,
/// those for programs as valid JSON.
[[nodiscard]] std::optional<testing::Fault> CheckFindings(const Diagnostics& found, const SourceText& source);

}  // namespace onnxc::fuzz
