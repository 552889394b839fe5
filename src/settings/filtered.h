// Removes or changes findings.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <utility>

namespace onnxc {

/// Calls keep(&finding) for each finding, and returns the findings for which the result is true. `keep` may change the
/// finding. Suppressed findings stay counted.
template <typename Keep>
[[nodiscard]] Diagnostics Filtered(const Diagnostics& diagnostics, const Keep& keep) {
  Diagnostics kept;
  for (Diagnostic item : diagnostics.items()) {
    if (keep(&item)) kept.Add(std::move(item));
  }
  const std::size_t errors = diagnostics.ErrorsOnly().suppressed();
  for (std::size_t i = 0; i < diagnostics.suppressed(); ++i) {
    Suppress(i < errors ? Severity::kError : Severity::kWarning, &kept);
  }
  return kept;
}

}  // namespace onnxc
