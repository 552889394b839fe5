// Parses texts with errors, and lowers the parts that are complete. Parses edited texts, and reuses the result of the
// version before.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "lower/read_version.h"
#include "lower/tree.h"

namespace onnxc::lower {

/// Is called for each part of a model after it has been lowered.
class PartObserver {
 public:
  virtual ~PartObserver() = default;
  /// Like PartListener::PartCompleted(). `is_function` says whether the item that contains the part is a function.
  virtual void Observe(const Context* part, bool is_function) = 0;
  /// Nodes of the item whose parts come now are taken over: those that begin in that range of the text before, and
  /// stand `by` further on in this one (which wraps around).
  virtual void TakeOver(SourceRange range, std::size_t by) = 0;
  /// The text is read again from its beginning.
  virtual void Restart() = 0;
};

/// Which mode the text is parsed in first; if there are errors where none are expected, or none where some are, it is
/// parsed again.
enum class Expected : std::uint8_t { kNoErrors, kErrors };

/// Parses a model as Parse() does, but keeps what is whole where there are errors. The nodes that the text has in
/// common with `before`, which has no error, at its beginning and its end are taken from there: `before`, which may be
/// null, must live as long as the result. `arena`, which is empty, gets the messages that are new. `observer` may be
/// null.
[[nodiscard]] ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena,
                                    const ReadVersion* before, PartObserver* observer, const PartialOptions& options,
                                    Expected expected);

}  // namespace onnxc::lower
