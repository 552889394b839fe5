#include <onnxc/source.h>

#include <algorithm>
#include <utility>

#include "source/unicode.h"

namespace onnxc {

SourceText::SourceText(std::string name, std::string text) : name_(std::move(name)) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  text_ = *owner;
  owner_ = std::move(owner);
}

SourceText::SourceText(std::string name, std::string_view text, std::shared_ptr<const void> owner)
    : name_(std::move(name)), owner_(std::move(owner)), text_(text) {}

SourcePosition SourceText::PositionAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::string_view before = text_.substr(0, offset);
  const std::size_t line_break = before.rfind('\n');
  const std::size_t line_begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  return {.line = 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          .column = 1 + CountCharacters(before.substr(line_begin))};
}

SourceRange SourceText::LineAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t line_break = text_.substr(0, offset).rfind('\n');
  const std::size_t begin = line_break == std::string_view::npos ? 0 : line_break + 1;
  std::size_t end = std::min(text_.find('\n', offset), text_.size());
  if (end > begin && end < text_.size() && text_[end - 1] == '\r') --end;
  return {begin, end};
}

}  // namespace onnxc
