#include "lsp/lines.h"

#include <algorithm>

namespace onnxc::lsp {
namespace {

constexpr std::size_t kLinePortion = 1024;  // bytes

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u; }

/// Returns the number of UTF-16 code units of the characters that begin in these bytes.
std::size_t CountUnits(std::string_view bytes) {
  std::size_t units = 0;
  for (const char c : bytes) {
    units += static_cast<std::size_t>(!IsContinuation(c)) + static_cast<std::size_t>((c & 0xF8) == 0xF0);
  }
  return units;
}

bool IsAscii(std::string_view text) {
  return std::ranges::none_of(text, [](char c) { return (c & 0x80) != 0; });
}

}  // namespace

Lines::Lines(std::string_view text, Encoding encoding) : text_(text), begins_({0}) {
  const bool has_returns = text.find('\r') != std::string_view::npos;
  const auto next_break = [&](std::size_t at) {
    return has_returns ? text.find_first_of("\r\n", at) : text.find('\n', at);
  };
  for (std::size_t at = next_break(0); at != std::string_view::npos; at = next_break(at)) {
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
    begins_.push_back(at);
  }
  if (encoding == Encoding::kUtf8 || IsAscii(text)) return;
  std::size_t units = 0;
  for (std::size_t at = 0; at < text.size(); at += kLinePortion) {
    units_.push_back(units);
    units += CountUnits(text.substr(at, kLinePortion));
  }
}

std::size_t Lines::UnitsAt(std::size_t offset) const {
  if (units_.empty()) return offset;
  const std::size_t portion = std::min(offset / kLinePortion, units_.size() - 1);
  const std::size_t begin = portion * kLinePortion;
  return units_[portion] + CountUnits(text_.substr(begin, offset - begin));
}

std::size_t Lines::LineOf(std::size_t offset) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) - 1;
}

SourceRange Lines::RangeOf(std::size_t line) const {
  const SourceRange whole = {BeginOf(line), BeginOf(line + 1)};
  std::size_t end = whole.end;
  while (end > whole.begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return {whole.begin, end};
}

std::size_t Lines::OffsetOfUnit(std::size_t unit, std::size_t begin, std::size_t end) const {
  const auto next = std::ranges::upper_bound(units_, unit);
  const auto portion = next == units_.begin() ? 0 : static_cast<std::size_t>(next - units_.begin() - 1);
  std::size_t at = std::max(begin, portion * kLinePortion);
  for (std::size_t units = UnitsAt(at); at < end; ++at) {
    units += CountUnits(text_.substr(at, 1));
    if (units > unit) break;
  }
  return at;
}

std::size_t Lines::OffsetAt(LinePosition position) const {
  if (position.line >= begins_.size()) return text_.size();
  const SourceRange line = RangeOf(position.line);
  std::size_t offset = line.end;
  if (!units_.empty()) {
    offset = OffsetOfUnit(UnitsAt(line.begin) + std::min(position.character, text_.size()), line.begin, line.end);
  } else if (position.character < line.end - line.begin) {
    offset = line.begin + position.character;
  }
  while (offset > line.begin && offset < text_.size() && IsContinuation(text_[offset])) --offset;
  return offset;
}

LinePosition Lines::PositionAt(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t line = LineOf(offset);
  return {line, UnitsAt(offset) - UnitsAt(begins_[line])};
}

}  // namespace onnxc::lsp
