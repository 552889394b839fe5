// Finds names in records and annotations, which are not in the symbol index.
#pragma once

#include <onnxc/symbols.h>

#include <span>
#include <string_view>
#include <vector>

#include "symbols/tokens.h"

namespace onnxc::edit {

/// Finds the strings in records that may name symbols of a kind, such as "x" in `tensor_name: "x"`, and the names in
/// the parentheses of an annotation, such as `N` in `@type (float[N])`. The symbol index contains neither.
class RecordReader {
 public:
  RecordReader(std::string_view text, SymbolKind kind);

  /// Reads the next token of the text. Returns whether it may be such a name.
  [[nodiscard]] bool Read(const TextToken& token);

 private:
  void ReadMark(std::string_view mark);

  std::string_view text_;
  std::span<const std::string_view> names_;      // fields whose values may be such names
  bool is_behind_at_ = false;                    // the next token is a word of an annotation's path
  bool is_path_ = false;                         // the last token is such a word
  std::string_view word_;                        // the last token, if it is a name
  std::vector<std::string_view> fields_ = {{}};  // the fields that enclose the token, the innermost last; "" for none
};

}  // namespace onnxc::edit
