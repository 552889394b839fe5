// Two ways to open a path without following links. This header is only for tests; other code calls OpenBeneath(), which
// selects one of the two ways.
#pragma once

#include "platform/open_beneath.h"

namespace onnxc {

/// Opens the path by a system call.
[[nodiscard]] int OpenByKernel(int folder, const std::string& location, Links links = Links::kRefuse);
/// Opens the path step by step, for kernels without that system call. Accepts no links at all.
[[nodiscard]] int OpenByStep(int folder, const std::string& location);

}  // namespace onnxc
