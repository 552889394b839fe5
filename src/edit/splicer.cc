#include "edit/splicer.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "format/match_lines.h"

namespace onnxc::edit {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

bool BreaksLine(std::string_view lead) { return lead.find('\n') != std::string_view::npos; }
bool HasComment(std::string_view lead) { return lead.find('#') != std::string_view::npos; }

/// Returns the place in `lead` at which the comments directly above the next element begin: behind the last empty line.
std::size_t FindAttached(std::string_view lead) {
  std::size_t attached = 0;
  for (std::size_t line = lead.find('\n'); line != std::string_view::npos;) {
    const std::size_t next = lead.find('\n', line + 1);
    if (next == std::string_view::npos) break;
    const std::string_view inside = lead.substr(line, next - line);
    if (inside.find_first_not_of(" \t\r\n\v\f") == std::string_view::npos)
      attached = next - (lead[next - 1] == '\r' ? 1 : 0);
    line = next;
  }
  return attached;
}

/// Returns the white space with which a token begins that replaces the one behind `lead`.
std::string WithoutComments(std::string_view lead, std::string_view line_end) {
  if (!HasComment(lead)) return std::string(lead);
  return std::string(line_end).append(IndentationIn(lead));
}

std::string LineEndOf(std::string_view text) {
  const std::size_t line = text.find('\n');
  return line != std::string_view::npos && line > 0 && text[line - 1] == '\r' ? "\r\n" : "\n";
}

}  // namespace

Splicer::Splicer(const Outline& author, const Outline& before, const Outline& after, const Pairs& pairs, Extent extent)
    : author_(author),
      before_(before),
      after_(after),
      pairs_(pairs),
      extent_(extent),
      line_end_(LineEndOf(author.text())),
      out_(line_end_) {
  keys_.reserve(author.size() + after.size());
  for (std::size_t i = 0; i < author.size() + after.size(); ++i) keys_.push_back('\n' + std::to_string(i));
}

std::string Splicer::Run() {
  out_.Reserve(author_.text().size() + author_.text().size() / 8);
  const Mode mode = extent_ == Extent::kAll          ? Mode::kDeep
                    : extent_ == Extent::kSignatures ? Mode::kCoarse
                                                     : Mode::kFine;
  Element(0, 0, mode, author_.GapBefore(0).lead);
  const Outline::Gap end = author_.GapBefore(author_.at(0).last);
  out_.Trail(end.trail);
  return std::string(MarkIn(author_.text())) + out_.Finish(end.lead);
}

// ---- items

bool Splicer::IsUnit(int element, int around, int after) const {
  if (author_.at(element).parent != around || before_.at(element).parent != around) return false;
  const int counterpart = pairs_.after_of[static_cast<std::size_t>(element)];
  return counterpart < 0 || after_.at(counterpart).parent == after;
}

/// Returns the key of an element in the author's text and the printed ones. It is not a token.
std::string_view Splicer::KeyOf(int author_element, int after_element) const {
  const std::size_t number = author_element >= 0 ? static_cast<std::size_t>(author_element)
                                                 : author_.size() + static_cast<std::size_t>(after_element);
  return keys_[number];
}

template <typename Predicate>
Splicer::Items Splicer::ItemsOf(const Outline& outline, int element, const Predicate& is_unit) const {
  Items items;
  const auto add_tokens = [&](std::size_t first, std::size_t last) {
    for (std::size_t token = first; token < last; ++token) items.push_back({outline.Token(token), token, token + 1});
  };
  std::size_t at = outline.at(element).first;
  for (const int inside : outline.at(element).children) {
    if (!is_unit(inside)) continue;
    add_tokens(at, outline.at(inside).first);
    const bool is_new = &outline == &after_;
    const int author_element = is_new ? pairs_.before_of[static_cast<std::size_t>(inside)] : inside;
    items.push_back({KeyOf(author_element, inside), outline.at(inside).first, outline.at(inside).last, inside});
    at = outline.at(inside).last;
  }
  add_tokens(at, outline.at(element).last);
  return items;
}

std::string_view Splicer::TrailOf(std::size_t last) const {
  const Outline::Gap gap = author_.GapBefore(last);
  const bool has_comma = last < author_.at(0).last && author_.Token(last) == "," && !BreaksLine(gap.lead);
  return gap.trail.empty() && has_comma ? author_.GapBefore(last + 1).trail : gap.trail;
}

/// Adds the comments and the white space between the items.
void Splicer::AddGaps(Items* items) const {
  for (std::size_t i = 1; i < items->size(); ++i) {
    Item& item = (*items)[i];
    Item& one_before = (*items)[i - 1];
    item.lead = author_.GapBefore(item.first).lead;
    const bool is_comma = i > 1 && one_before.key == "," && !BreaksLine(one_before.lead) &&
                          author_.GapBefore(one_before.first).trail.empty();
    if (!is_comma) one_before.trail = TrailOf(one_before.last);
  }
}

std::vector<Splicer::Stable> Splicer::FindStable(const Items& author, const Items& before, const Items& after,
                                                 Mode mode) {
  const auto keys = [](const Items& items) {
    std::vector<std::string_view> made;
    for (const Item& item : items) made.push_back(item.key);
    return made;
  };
  const auto lines = keys(before);
  std::vector<std::size_t> author_of(before.size(), kNone);
  for (const format::Pair& pair : format::MatchLines(keys(author), lines)) author_of[pair.new_line] = pair.old_line;
  std::vector<Stable> stable;
  for (const format::Pair& pair : format::MatchLines(lines, keys(after))) {
    if (author_of[pair.old_line] == kNone || (mode != Mode::kFine && before[pair.old_line].element < 0)) continue;
    stable.push_back({author_of[pair.old_line], pair.old_line, pair.new_line});
  }
  stable.push_back({author.size(), before.size(), after.size()});
  return stable;
}

// ---- elements

void Splicer::Element(int element, int after, Mode mode, std::string_view lead) {
  if (lead_) {  // the enclosing element begins with this one
    out_.Keep(lead);
  } else {
    lead_ = lead;
  }
  const auto is_unit = [&](int inside) { return IsUnit(inside, element, after); };
  const auto is_new_unit = [&](int inside) {
    const int old = pairs_.before_of[static_cast<std::size_t>(inside)];
    return old < 0 || is_unit(old);
  };
  Items own = ItemsOf(author_, element, is_unit);
  AddGaps(&own);
  const Items old_items = ItemsOf(before_, element, is_unit);
  const Items new_items = ItemsOf(after_, after, is_new_unit);
  const std::vector<Stable> stable = FindStable(own, old_items, new_items, mode);
  const auto outer_layout = std::tuple(printed_indentation_, own_indentation_, std::exchange(member_lead_, {}));
  const auto indent_like = [&](const Stable& at) {
    if (at.author == 0 || at.author == own.size() || !BreaksLine(own[at.author].lead)) return false;
    const std::string_view printed = after_.GapBefore(new_items[at.after].first).lead;
    if (!BreaksLine(printed)) return false;
    printed_indentation_ = IndentationIn(printed);
    own_indentation_ = IndentationIn(own[at.author].lead);
    return true;
  };
  (void)std::ranges::find_if(stable, indent_like);  // until there is an element beside an added one
  Stable done{0, 0, 0};
  for (const Stable& at : stable) {
    if (at.author < own.size() && own[at.author].element >= 0) (void)indent_like(at);
    const Part authors = Part(own).subspan(done.author, at.author - done.author);
    const Part added = Part(new_items).subspan(done.after, at.after - done.after);
    const bool is_kept = Chunk(authors, Part(old_items).subspan(done.before, at.before - done.before), added, mode);
    if (at.author == own.size()) break;
    const Item& item = own[at.author];
    // A token behind removed items, or before added ones, stands as it is printed. It does not begin a line if the
    // removed items did not.
    std::string own_lead(item.lead);
    if (!is_kept && authors.empty() != added.empty() && !BreaksLine(own_lead)) {
      own_lead = LeadOf(new_items[at.after].first);
      if (added.empty() && BreaksLine(own_lead)) own_lead = WithoutComments(authors.front().lead, line_end_);
    }
    Keep(item, own_lead, mode);
    done = {at.author + 1, at.before + 1, at.after + 1};
  }
  std::tie(printed_indentation_, own_indentation_, member_lead_) = outer_layout;
}

bool Splicer::Chunk(Part author, Part before, Part after, Mode mode) {
  const auto are_equal = [](const Item& one, const Item& other) { return one.key == other.key; };
  const bool is_kept = mode == Mode::kFine && std::ranges::equal(before, after, are_equal);
  if (!is_kept) Replace(author, after, mode);
  for (const Item& item : is_kept ? author : Part()) Keep(item, item.lead, mode);
  return is_kept;
}

/// Writes an item of the author's text.
void Splicer::Keep(const Item& item, std::string_view lead, Mode mode) {
  if (item.element >= 0) {
    member_lead_ = WithoutComments(item.lead, line_end_);
  } else if (item.key != ",") {
    member_lead_.clear();
  }
  if (item.element < 0) {
    Put(lead, author_.Token(item.first));
  } else if (pairs_.after_of[static_cast<std::size_t>(item.element)] >= 0) {
    Unit(item.element, lead, mode);
  }
  out_.Trail(item.trail);
}

void Splicer::Replace(Part author, Part after, Mode mode) {
  Drop(author, !after.empty());
  for (const Item& item : after) {
    const bool is_first = &item == after.data() && !author.empty() && item.key != ",";
    Insert(item, is_first ? WithoutComments(author.front().lead, line_end_) : LeadOf(item.first), mode);
  }
  const bool has_trail = !author.empty() && !after.empty() && author.back().element < 0;
  if (has_trail) out_.Trail(author.back().trail);
}

/// Keeps the comments of items that are removed or replaced, but for those that belong to removed or moved elements.
void Splicer::Drop(Part author, bool is_replaced) {
  for (const Item& item : author) {
    const bool is_last = &item == &author.back();
    if (item.element >= 0) {
      out_.Keep(item.lead.substr(0, FindAttached(item.lead)));
      continue;
    }
    out_.Keep(item.lead);
    if (is_last && is_replaced) continue;
    if (&item == author.data() && !is_replaced) {
      out_.Trail(item.trail);
    } else {
      out_.Keep(item.trail);
    }
  }
}

/// Writes an item of the new printed text. A member of a list begins a line if the one before it does.
void Splicer::Insert(const Item& item, std::string_view lead, Mode mode) {
  const std::string member_lead = member_lead_;
  if (item.element >= 0 && !BreaksLine(lead) && BreaksLine(member_lead)) lead = member_lead;
  const int old = item.element < 0 ? -1 : pairs_.before_of[static_cast<std::size_t>(item.element)];
  if (old >= 0) {
    const Outline::Element& moved = author_.at(old);
    std::string_view own = author_.GapBefore(moved.first).lead;
    own.remove_prefix(FindAttached(own));
    Unit(old, HasComment(own) || (BreaksLine(own) && BreaksLine(lead)) ? own : lead, mode);
    return out_.Trail(TrailOf(moved.last));
  }
  if (item.element < 0 && item.key != ",") member_lead_.clear();
  Put(lead, NewToken(item.first));
  for (std::size_t token = item.first + 1; token < item.last; ++token) {
    Put(LeadOf(token), NewToken(token));
  }
}

/// Writes an element that both versions have.
void Splicer::Unit(int element, std::string_view lead, Mode around) {
  const Mode mode = ModeOf(element, around);
  const auto index = static_cast<std::size_t>(element);
  if (pairs_.is_equal[index] && mode == Mode::kFine) {
    Put(lead, author_.Slice(author_.at(element).first, author_.at(element).last));
  } else {
    Element(element, pairs_.after_of[index], mode, lead);
  }
}

Splicer::Mode Splicer::ModeOf(int element, Mode around) const {
  if (around == Mode::kDeep) return Mode::kDeep;
  const bool is_equal = pairs_.is_equal[static_cast<std::size_t>(element)];
  return is_equal || extent_ == Extent::kTokens ? Mode::kFine : Mode::kDeep;
}

void Splicer::Put(std::string_view lead, std::string_view tokens) {
  const std::optional<std::string> outer = std::exchange(lead_, std::nullopt);
  if (outer) out_.Keep(lead);
  out_.Put(outer ? std::string_view(*outer) : lead, tokens);
}

std::string Splicer::NewToken(std::size_t token) const {
  std::string text(after_.Token(token));
  if (text.ends_with('"') || line_end_.size() == 1) return text;
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += line_end_.size()) {
    text.replace(at, 1, line_end_);
  }
  return text;
}

std::string Splicer::LeadOf(std::size_t token) const {
  const std::string_view printed = after_.GapBefore(token).lead;
  const std::size_t line = printed.rfind('\n');
  if (line == std::string_view::npos) return std::string(printed);
  std::string lead;
  for (auto breaks = std::ranges::count(printed, '\n'); breaks > 0; --breaks) lead += line_end_;
  std::string_view indentation = printed.substr(line + 1);
  if (indentation.starts_with(printed_indentation_)) {
    lead += own_indentation_;
    indentation.remove_prefix(printed_indentation_.size());
  }
  return lead.append(indentation);
}

}  // namespace onnxc::edit
