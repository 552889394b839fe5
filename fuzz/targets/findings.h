// Checks that hold for the findings of all targets.
#pragma once

#include <onnxc/diagnostic.h>

#include <optional>

#include "testing/roundtrip.h"

namespace onnxc::fuzz {

/// Checks the findings: each must have a message, ranges must be inside of the text, fix-its must not overlap, and all
/// output formats must work. JSON and SARIF must be valid.
[[nodiscard]] std::optional<testing::Fault> CheckFindings(const Diagnostics& found, const SourceText& source);

}  // namespace onnxc::fuzz
