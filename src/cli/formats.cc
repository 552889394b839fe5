#include "cli/formats.h"

#include <unistd.h>

#include <algorithm>

namespace onnxc::cli {

std::vector<std::string_view> Words(std::span<const OutputFormat> formats) {
  std::vector<std::string_view> words;
  for (const OutputFormat& row : formats) words.push_back(row.word);
  return words;
}

const OutputFormat* FindFormat(std::span<const OutputFormat> formats, std::string_view word, std::string_view path) {
  const std::optional<Format> named = FormatOfSuffix(path);
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const OutputFormat& row) {
    return word.empty() ? row.format == named : row.word == word;
  });
  return found == formats.end() ? nullptr : &*found;
}

bool SpoilsTerminal(const OutputFormat& format, std::string_view path) {
  return path == "-" && format.format == Format::kBinary && ::isatty(STDOUT_FILENO) != 0;
}

}  // namespace onnxc::cli
