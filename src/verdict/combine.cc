#include "verdict/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "verdict/comments.h"

namespace onnxc::verdict {
namespace {

constexpr std::size_t kMostEdits = 64;
constexpr std::size_t kLongest = 4096;  // bytes between two edits that are joined

/// An edit of the original text.
struct Piece {
  SourceRange before;  ///< what it replaces, in the original text
  SourceRange made;    ///< what the first correction wrote there, in the corrected text
  std::string text;    ///< what it writes now
};

/// Returns whether the ranges overlap, or one begins where the other one ends.
bool Touch(SourceRange a, SourceRange b) { return a.begin <= b.end && b.begin <= a.end; }

class Combination {
 public:
  Combination(const Written& written, std::span<const std::size_t> edits) : written_(written), edits_(edits) {
    for (const std::size_t edit : edits) {
      const SourceRange made = written.made[edit];
      pieces_.push_back({written.text.edits[edit].range, made, std::string(Text(made))});
    }
  }

  /// Adds an edit of the corrected text. It must come before all edits that were added earlier.
  bool Add(const FixIt& more) {
    const auto touches = [&](const Piece& piece) { return Touch(piece.made, more.range); };
    const auto first = std::ranges::find_if(pieces_, touches);
    const auto last = std::find_if_not(first, pieces_.end(), touches);
    SourceRange made = more.range;
    SourceRange before{Before(made.begin), Before(made.end)};
    if (first != last && first->made.begin <= made.begin) {
      made.begin = first->made.begin;
      before.begin = first->before.begin;
    }
    if (first != last && std::prev(last)->made.end >= made.end) {
      made.end = std::prev(last)->made.end;
      before.end = std::prev(last)->before.end;
    }
    // What another correction has written directly before or after this correction stays there.
    const bool begins_there = first != last && first->made.begin == made.begin;
    const bool ends_there = first != last && std::prev(last)->made.end == made.end;
    if (made.end - made.begin > kLongest || MeetsOthers(made, begins_there, ends_there)) return false;
    Piece joined{before, made, {}};
    std::size_t at = made.begin;
    for (auto piece = first; piece != last; ++piece) {
      joined.text.append(Text({at, piece->made.begin})).append(piece->text);
      at = piece->made.end;
    }
    joined.text.append(Text({at, made.end}));
    // The text before the edit and the text that it replaces are unchanged, because the later edits came first.
    joined.text.replace(more.range.begin - made.begin, more.range.end - more.range.begin, more.replacement);
    pieces_.erase(first, last);
    const auto is_behind = [&](const Piece& piece) { return piece.made.begin > made.begin; };
    pieces_.insert(std::ranges::find_if(pieces_, is_behind), std::move(joined));
    return true;
  }

  [[nodiscard]] std::vector<FixIt> FixIts() const {
    std::vector<FixIt> fix_its;
    for (const Piece& piece : pieces_) fix_its.push_back({piece.before, piece.text});
    return fix_its;
  }

 private:
  [[nodiscard]] std::string_view Text(SourceRange range) const {
    return std::string_view(written_.text.text).substr(range.begin, range.end - range.begin);
  }

  /// Returns whether another correction has written something in the range, or beside it unless that is allowed.
  [[nodiscard]] bool MeetsOthers(SourceRange range, bool may_end_before, bool may_begin_behind) const {
    auto next = std::ranges::lower_bound(written_.made, range.begin, {}, &SourceRange::end);
    for (; next != written_.made.end() && next->begin <= range.end; ++next) {
      const auto edit = static_cast<std::size_t>(next - written_.made.begin());
      const bool is_before = may_end_before && next->end == range.begin && next->begin < range.begin;
      const bool is_behind = may_begin_behind && next->begin == range.end && next->end > range.end;
      if (!is_before && !is_behind && !std::ranges::binary_search(edits_, edit)) return true;
    }
    return false;
  }

  /// Returns the place in the original text. If an edit touches the place, the result is not exact; Add() then replaces
  /// it by the place of that edit, or refuses.
  [[nodiscard]] std::size_t Before(std::size_t at) const {
    const auto next = std::ranges::lower_bound(written_.made, at, {}, &SourceRange::end);
    if (next == written_.made.begin()) return at;
    const auto index = static_cast<std::size_t>(next - written_.made.begin()) - 1;
    return at - written_.made[index].end + written_.text.edits[index].range.end;
  }

  const Written& written_;
  std::span<const std::size_t> edits_;
  std::vector<Piece> pieces_;  // in the order of the text
};

}  // namespace

std::optional<std::vector<FixIt>> Combined(const Written& written, std::span<const std::size_t> edits,
                                           std::vector<FixIt> more) {
  if (edits.size() > kMostEdits || more.size() > kMostEdits) return std::nullopt;
  std::ranges::sort(more, std::ranges::greater(), [](const FixIt& edit) { return edit.range.begin; });
  Combination combination(written, edits);
  std::size_t end = std::string::npos;
  for (const FixIt& edit : more) {
    if (edit.range.end > end || !combination.Add(edit)) return std::nullopt;
    end = edit.range.begin;
  }
  return combination.FixIts();
}

bool Combinations::Add(std::size_t finding, Addition addition, std::string_view text, Diagnostic* item) {
  Single& single = singles_[finding];
  if (single.errors.size() == kMostCombined) return false;
  if (single.errors.empty()) single.fix_its = item->fix_its;
  single.errors.push_back(std::move(addition.error));
  item->fix_its = std::move(addition.fix_its);
  KeepComments(text, {item, 1});
  return !item->fix_its.empty();
}

std::string Combinations::Restore(std::size_t finding, const std::string& error, Diagnostic* item) {
  const auto single = singles_.find(finding);
  if (single == singles_.end()) return error;
  item->fix_its = std::move(single->second.fix_its);
  std::string first = std::move(single->second.errors.front());
  singles_.erase(single);
  return first;
}

void Combinations::Tell(std::vector<Diagnostic>* items) const {
  for (const auto& [finding, single] : singles_) {
    Diagnostic& item = (*items)[finding];
    if (item.fix_its.empty()) continue;
    for (const std::string& error : single.errors) {
      item.notes.push_back({item.range, fmt::format("{}{}", kAlsoCorrected, error)});
    }
  }
}

}  // namespace onnxc::verdict
