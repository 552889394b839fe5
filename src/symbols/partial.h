// ParsePartial() for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <string_view>

#include "lower/read_version.h"

namespace onnxc {

/// As ParsePartial(), but what `before` has in common with the text is not read again; it may be null, and must live as
/// long as the result. Symbols and messages are there where `has_symbols` is true.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options);

/// Fills in the symbols and messages that are missing.
void FindSymbols(const PartialOptions& options, lower::ReadVersion* version);

}  // namespace onnxc
