// Texts with mistakes: what is whole of them is lowered.
#pragma once

#include <onnxc/symbols.h>

#include "lower/tree.h"

namespace onnxc::lower {

/// Hears of the parts of a model after they were lowered.
class PartObserver {
 public:
  virtual ~PartObserver() = default;
  /// As PartListener::PartCompleted(). `is_function`: the item that the part belongs to is a function.
  virtual void Observe(const Context* part, bool is_function) = 0;
  /// The text is read again from its beginning.
  virtual void Restart() = 0;
};

/// Parses a model as Parse() does, but keeps what is whole where there are errors.
[[nodiscard]] Diagnostics ParseWholeParts(std::string_view text, onnx::ModelProto* model, SourceMap* places,
                                          PartObserver* observer, const PartialOptions& options);

}  // namespace onnxc::lower
