// Text with marks, for clients that show it and for those that do not.
#pragma once

#include <string>
#include <string_view>

#include "lsp/json.h"

namespace onnxc::lsp {

/// A MarkupContent: Markdown, or the same as plain text.
[[nodiscard]] Json MarkupOf(std::string_view markdown, bool takes_markdown);

/// Markdown, as this server and the documentation of operators write it, without its marks: code without fences and
/// backquotes, words without asterisks, links as their titles.
[[nodiscard]] std::string PlainText(std::string_view markdown);

}  // namespace onnxc::lsp
