#include "lsp/view.h"

#include <algorithm>
#include <utility>

namespace onnxc::lsp {

View::View(std::shared_ptr<const Snapshot> current, std::shared_ptr<const Snapshot> known)
    : current_(std::move(current)), known_(std::move(known)) {
  if (current_ == known_) return;
  const std::string_view now = current_->text();
  const std::string_view before = known_->text();
  begin_ = static_cast<std::size_t>(std::ranges::mismatch(now, before).in1 - now.begin());
  // The common beginning is excluded, so that no byte belongs to both the common beginning and the common end.
  const std::string_view a = now.substr(begin_);
  const std::string_view b = before.substr(begin_);
  const auto same =
      static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
  known_end_ = before.size() - same;
  current_end_ = now.size() - same;
}

std::size_t View::ToKnown(std::size_t offset) const {
  if (offset <= begin_) return offset;
  return offset >= current_end_ ? offset - current_end_ + known_end_ : begin_;
}

std::size_t View::ToCurrent(std::size_t offset) const {
  if (offset <= begin_) return offset;
  return offset >= known_end_ ? offset - known_end_ + current_end_ : begin_;
}

// The result does not include text that was inserted directly before the range.
SourceRange View::ToCurrent(SourceRange range) const {
  if (range == kNowhere) return range;
  const std::size_t end = ToCurrent(range.end);
  const bool is_behind = range.begin >= known_end_ && range.begin < range.end;
  const std::size_t begin = is_behind ? range.begin - known_end_ + current_end_ : ToCurrent(range.begin);
  return {std::min(begin, end), end};
}

View ViewOf(const Workspace& workspace, const Json& params) {
  auto current = workspace.DocumentOf(params);
  auto known = current->IsKnown() ? current : workspace.FindKnown(current->uri());
  if (known == nullptr) known = current;
  return {std::move(current), std::move(known)};
}

}  // namespace onnxc::lsp
