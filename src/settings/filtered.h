// Findings of which some are left out or changed.
#pragma once

#include <onnxc/diagnostic.h>

#include <cstddef>
#include <utility>

namespace onnxc {

/// The findings for which keep(&finding) is true, as it has changed them. Those that were counted only still are.
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
