// What hover says about words that are no names: element types, keys of headers, pragmas.
#pragma once

#include <string>

#include "lsp/view.h"

namespace onnxc::lsp {

struct AboutWord {
  SourceRange range;  ///< of the current text
  std::string text;   ///< empty: nothing is known
};
[[nodiscard]] AboutWord AboutWordAt(const View& view, std::size_t offset);

/// The meaning of a key of headers; empty: there is none.
[[nodiscard]] std::string_view MeaningOfHeaderKey(std::string_view key);

}  // namespace onnxc::lsp
