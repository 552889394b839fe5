// Like ParsePartial(), for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <string_view>

#include "lower/read_version.h"

namespace onnxc {

/// Like ParsePartial(), but reuses the parts that the text has in common with `before`, which may be null and must live
/// as long as the result. Symbols and messages are filled only if `has_symbols` is true in the result.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options);

/// Fills the symbols and messages if they are missing.
void FindSymbols(const PartialOptions& options, lower::ReadVersion* version);

}  // namespace onnxc
