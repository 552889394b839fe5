// Like ParsePartial(), for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <cstdint>
#include <string_view>

#include "lower/read_version.h"

namespace onnxc {

enum class WithSymbols : std::uint8_t { kNo, kYes };

/// Like ParsePartial(), but reuses the nodes that the text has in common with `before`, which may be null. These nodes
/// must live as long as the result. Symbols and messages are filled only if `symbols` is kYes. In that case `before`
/// must have them, too. `expected` says whether errors are expected. It affects only the time, not the result.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options, WithSymbols symbols,
                                               lower::Expected expected);

}  // namespace onnxc
