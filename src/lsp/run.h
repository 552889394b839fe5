// Runs the language server on an input and an output stream.
#pragma once

#include <chrono>
#include <istream>
#include <ostream>

#include "platform/helper_thread.h"

namespace onnxc::lsp {

struct RunOptions {
  /// If true, diagnostics are computed in a separate thread. If false, they are sent directly after each message, so
  /// that the order of the output is fixed.
  bool threads = HasThreads();
  /// After several changes in quick succession, a document is analysed when there was no change for this time.
  std::chrono::milliseconds debounce{10};
};

/// Answers messages until the client ends the session or the input ends. Returns true if the client ended the session
/// as the protocol requires.
[[nodiscard]] bool Run(std::istream& in, std::ostream& out, const RunOptions& options = {});

}  // namespace onnxc::lsp
