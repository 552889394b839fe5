// The pages of docs/explain, one for each kind of finding. cmake/Explain.cmake generates the table.
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

}  // namespace onnxc::cli
