// Like ParsePartial(), for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <cstdint>
#include <string_view>

#include "lower/read_version.h"

namespace onnxc {

enum class WithSymbols : std::uint8_t { kNo, kYes };

/// Like ParsePartial(), but reuses the nodes that the text has in common with `before`, which may be null. These nodes
/// must live as long as the result. Symbols and messages are filled only if `symbols` says so; then `before` must have
/// them. `expected` saves time if it is true, and does not change the result.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options, WithSymbols symbols,
                                               lower::Expected expected);

}  // namespace onnxc
