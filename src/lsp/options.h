// The settings that a client sends.
#pragma once

#include "lsp/json.h"
#include "lsp/snapshot.h"

namespace onnxc::lsp {

/// The options with what the settings say; those that they do not name stay. What is unknown is left to newer servers.
[[nodiscard]] Options OptionsOf(const Json& settings, Options options);

}  // namespace onnxc::lsp
