#include "lsp/markup.h"

#include <algorithm>

namespace onnxc::lsp {
namespace {

/// Appends a line without its Markdown markup. Characters between backquotes are kept.
void AppendProse(std::string_view line, std::string* plain) {
  bool is_code = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const std::string_view rest = line.substr(at);
    if (rest.front() == '`') {
      is_code = !is_code;
      continue;
    }
    if (!is_code && rest.starts_with("**")) {
      ++at;
      continue;
    }
    if (!is_code && rest.front() == '[') {
      const std::size_t end = rest.find("](");
      const std::size_t behind = end == std::string_view::npos ? end : rest.find(')', end);
      if (behind != std::string_view::npos && rest.find(']') == end) {
        plain->append(rest.substr(1, end - 1));
        at += behind;
        continue;
      }
    }
    plain->push_back(rest.front());
  }
}

}  // namespace

std::string PlainText(std::string_view markdown) {
  std::string plain;
  bool is_code = false;  // between the lines of a code fence
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    const bool has_break = end < markdown.size();
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with("```")) {
      is_code = !is_code;
      continue;
    }
    if (is_code) {
      plain.append(line);
    } else {
      AppendProse(line, &plain);
    }
    if (has_break) plain += '\n';
  }
  return plain;
}

Json MarkupOf(std::string_view markdown, bool takes_markdown) {
  if (takes_markdown) return {{"kind", "markdown"}, {"value", markdown}};
  return {{"kind", "plaintext"}, {"value", PlainText(markdown)}};
}

}  // namespace onnxc::lsp
