#include "symbols/spelling.h"

#include <algorithm>

#include "syntax/spelling.h"
#include "syntax/words.h"

namespace onnxc {

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

}  // namespace onnxc
