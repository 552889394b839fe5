// The pages of docs/explain, one for each kind of finding, and docs/card.onnxtxt. cmake/Explain.cmake generates them.
#pragma once

#include <string_view>
#include <vector>

namespace onnxc::cli {

struct Page {
  std::string_view kind;
  std::string_view text;  ///< in Markdown
};

/// Returns all pages, sorted by kind.
[[nodiscard]] const std::vector<Page>& ExplainPages();

/// Returns the page of `onnxc help syntax`: a model whose comments explain the syntax.
[[nodiscard]] std::string_view SyntaxCard();

}  // namespace onnxc::cli
