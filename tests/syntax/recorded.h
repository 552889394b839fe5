// Writes findings for records, on one line: for each finding its range, its message, its edits in braces, and its notes
// in brackets.
#pragma once

#include <fmt/format.h>
#include <onnxc/diagnostic.h>

#include <string>
#include <string_view>
#include <vector>

#include "source/unicode.h"

namespace onnxc::testing {

/// Returns the text on one line, in ASCII.
inline std::string Escaped(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    const bool is_plain = character.valid && character.code >= 0x20 && character.code < 0x7F;
    shown += is_plain ? std::string(1, text[at]) : fmt::format("\\u{{{:X}}}", static_cast<unsigned>(character.code));
    at += character.length;
  }
  return shown;
}

inline std::string Shown(SourceRange range, const SourceText& source) {
  if (range == kNowhere) return "nowhere";
  const SourcePosition begin = source.PositionAt(range.begin);
  const SourcePosition end = source.PositionAt(range.end);
  if (begin.line == end.line) return fmt::format("{}:{}-{}", begin.line, begin.column, end.column);
  return fmt::format("{}:{}-{}:{}", begin.line, begin.column, end.line, end.column);
}

inline std::string Shown(const std::vector<FixIt>& edits, const SourceText& source, std::string_view separator) {
  std::vector<std::string> shown;
  for (const FixIt& edit : edits)
    shown.push_back(fmt::format("{} \"{}\"", Shown(edit.range, source), Escaped(edit.replacement)));
  return fmt::format("{}", fmt::join(shown, separator));
}

inline std::string Shown(const Diagnostic& finding, const SourceText& source) {
  std::string shown = fmt::format(" {} {}", Shown(finding.range, source), Escaped(finding.message));
  if (!finding.fix_its.empty()) shown += fmt::format(" {{{}}}", Shown(finding.fix_its, source, ", "));
  for (const Note& note : finding.notes)
    shown += fmt::format(" [{} {}]", Shown(note.range, source), Escaped(note.message));
  return shown + ";";
}

}  // namespace onnxc::testing
