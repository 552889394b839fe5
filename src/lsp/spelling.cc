#include "lsp/spelling.h"

#include <algorithm>

#include "syntax/spelling.h"
#include "syntax/words.h"

namespace onnxc::lsp {

std::string Spelled(std::string_view name) {
  if (syntax::IsIdentifier(name) && !syntax::IsTypeWord(name)) return std::string(name);
  std::string quoted;
  syntax::AppendQuoted(name, &quoted);
  return quoted;
}

std::string SpelledDomain(std::string_view domain) {
  for (std::size_t begin = 0; begin <= domain.size();) {
    const std::size_t end = std::min(domain.find('.', begin), domain.size());
    if (!syntax::IsIdentifier(domain.substr(begin, end - begin))) return Spelled(domain);
    begin = end + 1;
  }
  return std::string(domain);
}

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
