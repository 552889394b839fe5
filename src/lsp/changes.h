// Applies the changes of the notification textDocument/didChange.
#pragma once

#include <string>

#include "lsp/json.h"
#include "lsp/snapshot.h"
#include "source/common_ends.h"

namespace onnxc::lsp {

struct Edited {
  std::string text;
  CommonEnds same;  ///< what both texts have in common outside of the changes
};

/// Returns the text of the document with the changes applied in order. Each change refers to the text after the changes
/// before it.
[[nodiscard]] Edited Changed(const Snapshot& before, const Json& changes);

}  // namespace onnxc::lsp
