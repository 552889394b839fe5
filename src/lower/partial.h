// Parses texts that may have errors, and lowers the parts without errors. After an edit, the nodes of the previous
// version are reused.
#pragma once

#include <memory>
#include <string_view>

#include "lower/read_version.h"
#include "lower/tree.h"
#include "source/common_ends.h"

namespace onnxc::lower {

/// Is called for each part of a model after it has been lowered.
class PartObserver {
 public:
  virtual ~PartObserver() = default;
  /// Like PartListener::PartCompleted(). `is_function` says whether the item that contains the part is a function.
  virtual void Observe(const Context* part, bool is_function) = 0;
  /// Called when nodes of the current item are reused: those that begin in `range` of the previous text. Their
  /// positions in the new text are those in the previous text plus `by`. The addition wraps around, so `by` can also
  /// stand for a negative number.
  virtual void TakeOver(SourceRange range, std::size_t by) = 0;
  /// Called when the text is parsed again from its beginning.
  virtual void Restart() = 0;
};

/// Parses a model like Parse(), but keeps the complete parts if there are errors. Nodes in the common beginning and in
/// the common end of this text and the text of `before` are reused. `before` may be null; otherwise it must have no
/// errors and live as long as the result. `same` is what both texts are known to have in common. New messages are
/// created in `arena`, which must be empty. `observer` may be null.
[[nodiscard]] ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena,
                                    const ReadVersion* before, PartObserver* observer, const PartialOptions& options,
                                    Expected expected, CommonEnds same = {});

}  // namespace onnxc::lower
