// Findings about files.
#pragma once

#include <fmt/format.h>
#include <onnxc/diagnostic.h>

#include <string_view>

#include "source/report.h"

namespace onnxc {

[[nodiscard]] inline Diagnostics CannotRead(std::string_view reason) {
  return Only(MakeDiagnostic(diag::kCannotRead, kNowhere, reason));
}

[[nodiscard]] inline Diagnostics CannotWrite(std::string_view reason) {
  return Only(MakeDiagnostic(diag::kCannotWrite, kNowhere, reason));
}

/// Like CannotWrite(), but for a file that is not the requested output: the message contains the name of the file.
[[nodiscard]] inline Diagnostics CannotWriteTo(std::string_view name, std::string_view reason) {
  return CannotWrite(fmt::format("'{}' {}", Quoted(name), reason));
}

}  // namespace onnxc
