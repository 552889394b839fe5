// Describes words that are not names, for hover: element types, header keys, pragmas.
#pragma once

#include <string>

#include "lsp/view.h"

namespace onnxc::lsp {

struct AboutWord {
  SourceRange range;  ///< in the current text
  std::string text;   ///< empty if the word is not known
};
[[nodiscard]] AboutWord AboutWordAt(const View& view, std::size_t offset);

/// Returns the description of a header key, or "" if there is no such key.
[[nodiscard]] std::string_view MeaningOfHeaderKey(std::string_view key);

}  // namespace onnxc::lsp
