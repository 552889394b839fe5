// Takes a beginning or an end from a text.
#pragma once

#include <string_view>

namespace onnxc {

/// Removes `prefix` from the beginning of the text. Returns false, and removes nothing, if the text begins otherwise.
inline bool RemovePrefix(std::string_view prefix, std::string_view* text) {
  if (!text->starts_with(prefix)) return false;
  text->remove_prefix(prefix.size());
  return true;
}

/// Removes `suffix` from the end of the text. Returns false, and removes nothing, if the text ends otherwise.
inline bool RemoveSuffix(std::string_view suffix, std::string_view* text) {
  if (!text->ends_with(suffix)) return false;
  text->remove_suffix(suffix.size());
  return true;
}

}  // namespace onnxc
