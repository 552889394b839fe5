// Converts Markdown for clients that show it and for clients that do not.
#pragma once

#include <string>
#include <string_view>

#include "lsp/json.h"

namespace onnxc::lsp {

/// Returns a MarkupContent: the Markdown, or its plain text if the client does not accept Markdown.
[[nodiscard]] Json MarkupOf(std::string_view markdown, bool takes_markdown);

/// Removes the markup from Markdown as this server and the documentation of operators write it: fences, backquotes and
/// asterisks are removed, and links are replaced by their titles.
[[nodiscard]] std::string PlainText(std::string_view markdown);

}  // namespace onnxc::lsp
