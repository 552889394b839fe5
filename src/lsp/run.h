// The language server, from its input to its output.
#pragma once

#include <chrono>
#include <istream>
#include <ostream>

namespace onnxc::lsp {

struct RunOptions {
  /// Diagnostics are computed in a thread of their own. Without it they follow each message, in a fixed order.
  bool threads = true;
  /// How long no change must come, after changes in quick succession, before the document is analysed.
  std::chrono::milliseconds debounce{10};
};

/// Answers messages until the client ends the session or the input ends. Returns whether the client ended it as the
/// protocol asks for.
[[nodiscard]] bool Run(std::istream& in, std::ostream& out, const RunOptions& options = {});

}  // namespace onnxc::lsp
