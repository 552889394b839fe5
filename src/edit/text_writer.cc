#include "edit/text_writer.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace onnxc::edit {
namespace {

/// Returns whether a line ends before the first comment.
bool EndsLine(std::string_view lead) { return lead.substr(0, lead.find('#')).find('\n') != std::string_view::npos; }

/// Returns whether two tokens would be read as others if nothing stood between them.
bool NeedBlank(std::string_view before, std::string_view after) {
  const auto is_word = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; };
  if (before.empty() || after.empty()) return false;
  const char last = before.back();
  if (is_word(last) && (is_word(after[0]) || (after[0] == '.' && std::isdigit(static_cast<unsigned char>(last)) != 0) ||
                        (last == 'b' && after[0] == '"')))
    return true;
  return (last == '=' && after[0] == '>') || (last == '@' && after[0] == '{');
}

}  // namespace

std::string_view IndentationIn(std::string_view lead) {
  const std::size_t line = lead.rfind('\n');
  return line == std::string_view::npos ? std::string_view() : lead.substr(line + 1);
}

void TextWriter::Put(std::string_view lead, std::string_view tokens) {
  const bool is_comma = tokens == "," && lead.find_first_of("\n#") == std::string_view::npos;
  if (is_comma && !trail_.empty()) {
    out_ += lead;
    out_ += tokens;
    return;
  }
  FlushTrail();
  const std::string_view indentation = IndentationIn(lead);
  if (!kept_.empty() && (EndsLine(lead) || ends_line_)) {
    for (const std::string& comment : std::exchange(kept_, {})) {
      Break(indentation);
      out_ += comment;
    }
    ends_line_ = true;
  }
  const bool begins_line = out_.empty() || out_.ends_with('\n');
  if ((ends_line_ && !EndsLine(lead)) || (lead.starts_with('#') && !begins_line)) Break({});
  if (lead.empty() && !ends_line_ && NeedBlank(out_, tokens)) out_ += ' ';
  out_ += lead;
  out_ += tokens;
  ends_line_ = tokens.starts_with('#') && tokens.find('\n') == std::string_view::npos;  // a pragma
}

void TextWriter::Trail(std::string_view comment) {
  if (comment.empty()) return;
  if (!trail_.empty() || ends_line_) return Keep(comment);
  trail_ = comment;
}

void TextWriter::Keep(std::string_view gap) {
  for (std::size_t at = 0; (at = gap.find('#', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(gap.find('\n', at), gap.size());
    const std::string_view comment = gap.substr(at, end - at);
    kept_.emplace_back(comment.substr(0, comment.find_last_not_of("\r") + 1));
    at = end;
  }
}

std::string TextWriter::Finish(std::string_view end) {
  FlushTrail();
  for (const std::string& comment : std::exchange(kept_, {})) {
    Break({});
    out_ += comment;
  }
  out_ += end;
  return std::move(out_);
}

void TextWriter::Break(std::string_view indentation) {
  if (!out_.empty() && !out_.ends_with('\n')) out_ += line_end_;
  out_ += indentation;
}

void TextWriter::FlushTrail() {
  if (trail_.empty()) return;
  out_ += std::exchange(trail_, {});
  ends_line_ = true;
}

}  // namespace onnxc::edit
