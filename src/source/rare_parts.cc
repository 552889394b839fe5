#include "source/rare_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace onnxc {

// This does not call find(), which would stop at each first character, such as `o` or `,`, of which texts have many;
// memmem() skips most characters.
bool Contains(std::string_view text, RarePart part) {
  const std::string_view sought = kRareParts[static_cast<std::size_t>(part)];
  return !text.empty() && memmem(text.data(), text.size(), sought.data(), sought.size()) != nullptr;
}

RareParts::RareParts(std::string_view text) {
  for (std::size_t i = 0; i < kRareParts.size(); ++i) may_have_[i] = Contains(text, static_cast<RarePart>(i));
}

RareParts::RareParts(std::string_view text, const RareParts& before, CommonEnds same) {
  for (std::size_t i = 0; i < kRareParts.size(); ++i) {
    const std::size_t beside = before.may_have_[i] ? text.size() : kRareParts[i].size() - 1;
    const std::size_t begin = same.begin - std::min(same.begin, beside);
    const std::size_t end = text.size() - (same.end - std::min(same.end, beside));
    may_have_[i] = Contains(text.substr(begin, end - begin), static_cast<RarePart>(i));
  }
}

}  // namespace onnxc
