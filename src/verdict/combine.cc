#include "verdict/combine.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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

/// Returns whether the edits change the same byte, or begin at the same offset, so that their order is uncertain.
bool Meet(const FixIt& a, const FixIt& b) {
  return a.range.begin == b.range.begin || (a.range.begin < b.range.end && b.range.begin < a.range.end);
}

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
  for (std::size_t i = 0; i < more.size(); ++i) {
    if ((i > 0 && Meet(more[i - 1], more[i])) || !combination.Add(more[i])) return std::nullopt;
  }
  return combination.FixIts();
}

void AddCorrection(const Diagnostic& error, Addition* addition) {
  const bool is_first = addition->errors.empty();
  if (!is_first && addition->fix_its.size() + error.fix_its.size() > kMostEdits) return;
  for (const FixIt& edit : error.fix_its) {
    const auto meets = [&](const FixIt& other) { return Meet(edit, other); };
    if (std::ranges::any_of(addition->fix_its, meets)) return;
  }
  addition->fix_its.insert(addition->fix_its.end(), error.fix_its.begin(), error.fix_its.end());
  addition->errors.push_back(error.message);
}

bool Combinations::Add(std::size_t finding, Addition addition, std::string_view text, Diagnostic* item) {
  Single& single = singles_.try_emplace(finding, Single{item->fix_its}).first->second;
  if (++single.times > kMostCombined) return false;
  std::ranges::move(addition.errors, std::back_inserter(single.errors));
  item->fix_its = std::move(addition.fix_its);
  KeepComments(text, {item, 1});
  return !item->fix_its.empty();
}

void Combinations::Restore(std::size_t finding, Diagnostic* item) {
  const auto single = singles_.find(finding);
  if (single == singles_.end()) return;
  item->fix_its = std::move(single->second.fix_its);
  singles_.erase(single);
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
