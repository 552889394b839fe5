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
  /// Lists that would reach past this column are wrapped. Names, numbers, strings and comments are never broken.
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
};

/// Lays a text out anew (docs/layout.md says how). The tokens stay as they are spelled, and so do comments, where they
/// stand; what the text compiles to stays the same, byte for byte. Formatting the result again changes nothing, nor
/// does formatting what Print() gives in the dialect onnxc.
[[nodiscard]] FormatResult FormatText(std::string_view text, const FormatOptions& options = {});

}  // namespace onnxc
