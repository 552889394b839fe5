#include "print/lossless/layout.h"

#include <onnxc/printer.h>

#include "print/lossless/strings.h"
#include "source/large_pages.h"
#include "syntax/spelling.h"

namespace onnxc::print {

void Layout::String(std::string_view text) {
  const std::size_t begin = text_.size();
  AppendString(text, &text_);
  if (text_.find('\n', begin) != std::string::npos) StartLine(text_.rfind('\n') + 1);
}

void Layout::Name(std::string_view name) {
  if (syntax::IsIdentifier(name)) return Put(name);
  String(name);
}

void Layout::Wrap(const Mark& comma) {
  const bool is_broken = IsBroken(comma);
  const std::size_t end = is_broken ? text_.find('\n', comma.size) : text_.size();
  if (static_cast<std::ptrdiff_t>(end) - comma.line < static_cast<std::ptrdiff_t>(columns_)) return;
  const std::string next = NewLineInList();
  text_.replace(comma.size + 1, 1, next);
  StartLine(is_broken ? static_cast<std::size_t>(line_) + next.size() - 1 : comma.size + 2);
}

void Layout::MakeRoom(std::size_t size) {
  if (IsFull() && IsSettled()) PutAway();
  onnxc::MakeRoom(size, &text_);
}

void Layout::PutAway(std::string_view more) {
  if (!text_.empty()) sink_->Write(text_);
  if (!more.empty()) sink_->Write(more);
  line_ -= static_cast<std::ptrdiff_t>(text_.size() + more.size());
  text_.clear();
}

void Layout::Append(const Layout& beside) {
  const std::size_t column = beside.Column();
  if (IsSettled()) {
    PutAway(beside.text_);
  } else {
    MakeRoom(beside.text_.size());
    Put(beside.text_);
  }
  SetColumn(column);
}

void Layout::Append(const ListPortion& portion, bool is_first) {
  constexpr std::string_view kBlank = ", ";
  if (portion.has_line_breaks) {
    MakeRoom(portion.text.size());
    std::size_t begin = 0;
    for (const std::size_t end : portion.ends) {
      const std::string_view member = std::string_view(portion.text).substr(begin, end - begin);
      ListMember(&is_first, [&] { PutLines(member.substr(kBlank.size())); });
      begin = end;
    }
    return;
  }
  const std::string break_line = ',' + NewLineInList();
  MakeRoom(portion.text.size() + portion.text.size() / 4);
  bool stays = is_first;  // the next member stays on the current line
  std::size_t column = Column();
  std::size_t begin = is_first ? kBlank.size() : 0;
  for (std::size_t i = 0; i < portion.ends.size();) {
    std::size_t stop = stays ? i + 1 : i;  // the first member that is not on this line
    while (stop < portion.ends.size() && column + portion.ends[stop] - begin < columns_) ++stop;
    if (stop > i) {
      const std::size_t end = portion.ends[stop - 1];
      text_.append(portion.text, begin, end - begin);
      column += end - begin;
      begin = end;
    }
    i = stop;
    if (i == portion.ends.size()) break;
    text_.append(break_line);
    column = break_line.size() - kBlank.size();
    begin += kBlank.size();
    stays = true;
  }
  SetColumn(column);
}

}  // namespace onnxc::print
