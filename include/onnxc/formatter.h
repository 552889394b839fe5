// One layout for texts in the ONNX text syntax: that of the printer, with comments.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>

namespace onnxc {

struct FormatOptions {
  /// What the text holds.
  Kind kind = Kind::kModel;
  /// A line with a list has fewer characters than this. Names, numbers, strings and comments are never broken.
  std::size_t width = 100;
  /// Findings reported in one run; the rest are counted.
  std::size_t max_diagnostics = 100;
  /// As ParseOptions::tell_functions_apart.
  bool tell_functions_apart = false;
  /// As ParseOptions::progress.
  std::atomic<std::size_t>* progress = nullptr;
};

struct [[nodiscard]] FormatResult {
  std::string text;         ///< ends with a line break; empty when !diagnostics.ok()
  Diagnostics diagnostics;  ///< what Parse() finds

  [[nodiscard]] bool ok() const { return diagnostics.ok(); }
};

/// Formats a text as docs/layout.md describes. Tokens keep their spelling; comments keep their text and place. The
/// result compiles to the same bytes. Formatting the result again changes nothing, and so does formatting a text that
/// Print() wrote in the dialect onnxc with PrintOptions::final_line_break.
[[nodiscard]] FormatResult FormatText(std::string_view text, const FormatOptions& options = {});

}  // namespace onnxc
