// Reads the settings that a client sends.
#pragma once

#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// Returns `options` with the values from the client's settings. Options that the settings do not contain keep their
/// values. Unknown settings are ignored, because newer servers may know them.
[[nodiscard]] Options OptionsOf(const Json& settings, Options options);

}  // namespace onnxc::lsp
