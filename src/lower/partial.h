// Texts with mistakes: what is whole of them is lowered. And texts that are edited: what was read of the version before
// is not read again.
#pragma once

#include <memory>
#include <string_view>

#include "lower/read_version.h"
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

/// Parses a model as Parse() does, but keeps what is whole where there are errors. The nodes that the text has in
/// common with `before`, which has no error, at its beginning and its end are taken from there: `before`, which may be
/// null, must live as long as the result. `arena`, which is empty, gets the messages that are new. `observer` hears of
/// all parts where `has_symbols` is true afterwards.
[[nodiscard]] ReadVersion ReadParts(std::string_view text, std::unique_ptr<google::protobuf::Arena> arena,
                                    const ReadVersion* before, PartObserver* observer, const PartialOptions& options);

/// Parses the text again for its observer alone.
void ObserveParts(const ReadVersion& version, PartObserver* observer, const PartialOptions& options);

}  // namespace onnxc::lower
