#include "lsp/spelling.h"

namespace onnxc::lsp {

std::string SnippetText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '$' || c == '}' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string_view Beginning(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return text;
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0u) == 0x80u) --longest;
  return text.substr(0, longest);
}

}  // namespace onnxc::lsp
