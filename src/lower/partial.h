// Parses texts that may have errors, and lowers the parts without errors.
#pragma once

#include <onnxc/symbols.h>

#include <string_view>

#include "lower/tree.h"

namespace onnxc::lower {

/// Is called for each part of a model after it has been lowered.
class PartObserver {
 public:
  virtual ~PartObserver() = default;
  /// Like PartListener::PartCompleted(). `is_function` says whether the item that contains the part is a function.
  virtual void Observe(const Context* part, bool is_function) = 0;
  /// Called when the text is parsed again from its beginning.
  virtual void Restart() = 0;
};

/// Like ParsePartial(), without the symbols. `observer` may be null.
[[nodiscard]] PartialModel ReadParts(std::string_view text, PartObserver* observer, const PartialOptions& options);

}  // namespace onnxc::lower
