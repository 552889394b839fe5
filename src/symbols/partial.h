// Like ParsePartial(), for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <cstdint>
#include <string_view>

#include "lower/partial.h"
#include "lower/read_version.h"

namespace onnxc {

enum class WithSymbols : std::uint8_t { kNo, kYes };

/// As ParsePartial(), but what `before`, which may be null, has in common with the text is not read again. The nodes
/// that are taken over must live as long as the result. Symbols and messages are there where they are asked for; then
/// `before` must have them. What is expected saves time where it is true, and changes no result.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options, WithSymbols symbols,
                                               lower::Expected expected);

}  // namespace onnxc
