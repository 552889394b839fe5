// Formats texts in the ONNX text syntax in the style of the printer, and keeps comments.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc {

struct FormatOptions {
  /// The kind of message in the text.
  Kind kind = Kind::kModel;
  /// Lists are broken into lines of fewer characters than this number. Names, numbers, strings and comments are never
  /// split.
  std::size_t width = 100;
  /// The maximum number of findings that are reported in one run; further findings are only counted.
  std::size_t max_diagnostics = 100;
  /// Like ParseOptions::tell_functions_apart.
  bool tell_functions_apart = false;
  /// Like ParseOptions::progress.
  std::atomic<std::size_t>* progress = nullptr;
};

struct [[nodiscard]] FormatResult {
  std::string text;         ///< ends with a line break; empty if !diagnostics.ok()
  Diagnostics diagnostics;  ///< the findings of Parse()

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Formats a text as docs/layout.md describes. Tokens keep their spelling; comments keep their text and place. The
/// result compiles to the same bytes. Formatting does not change a formatted text, nor a text that Print() wrote in the
/// onnxc dialect with PrintOptions::final_line_break.
[[nodiscard]] FormatResult FormatText(std::string_view text, const FormatOptions& options = {});

}  // namespace onnxc
