// Properties of the findings of every run.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>

#include "testing/roundtrip.h"

namespace onnxc::fuzz {

/// Checks that findings are complete: each has a message, ranges are inside of the text, fix-its do not overlap, and
/// every rendering works; JSON and SARIF must be valid.
[[nodiscard]] std::optional<testing::Fault> CheckFindings(const Diagnostics& found, const SourceText& source);

}  // namespace onnxc::fuzz
