// Like ParsePartial(), for a text that is edited.
#pragma once

#include <onnxc/symbols.h>

#include <cstdint>
#include <string_view>

#include "lower/read_version.h"
#include "source/common_ends.h"

namespace onnxc {

enum class WithSymbols : std::uint8_t { kNo, kYes };

/// Like ParsePartial(), but reuses the nodes that the text has in common with `before`, which may be null. These nodes
/// must live as long as the result. Symbols and messages are filled only if `symbols` is kYes. In that case `before`
/// must have them, too. `expected` says whether errors are expected, and `same` what both texts are known to have in
/// common. They affect only the time, not the result.
[[nodiscard]] lower::ReadVersion ReadVersionOf(std::string_view text, const lower::ReadVersion* before,
                                               const PartialOptions& options, WithSymbols symbols,
                                               lower::Expected expected, CommonEnds same = {});

/// Fills the symbols and messages of a version that was read without them. The text is parsed again, but what it has in
/// common with `before`, which may be null, is copied from the symbols of `before`.
void AddSymbols(lower::ReadVersion* version, const lower::ReadVersion* before, const PartialOptions& options);

}  // namespace onnxc
