// Names in records and annotations, which the index of a text does not know.
#pragma once

#include <onnxc/symbols.h>

#include <span>
#include <string_view>
#include <vector>

#include "symbols/tokens.h"

namespace onnxc::edit {

/// Finds the strings of records that name symbols of a kind: `tensor_name: "x"`. The index does not know these, nor
/// what stands in the parentheses of an annotation: `@type (float[N])`.
class RecordReader {
 public:
  RecordReader(std::string_view text, SymbolKind kind);

  /// Whether the token, the next one of the text, may be such a name.
  [[nodiscard]] bool Read(const TextToken& token);

 private:
  void ReadMark(std::string_view mark);

  std::string_view text_;
  std::span<const std::string_view> names_;      // fields that hold what is looked for
  bool is_behind_at_ = false;                    // a word of an annotation's path comes next
  bool is_path_ = false;                         // such a word is the last token
  std::string_view word_;                        // the last token, where it is a name
  std::vector<std::string_view> fields_ = {{}};  // around the token, innermost last; empty where it is none
};

}  // namespace onnxc::edit
