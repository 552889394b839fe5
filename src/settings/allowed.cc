#include "settings/allowed.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "settings/filtered.h"
#include "settings/levels.h"
#include "source/names.h"
#include "source/report.h"

namespace onnxc {
namespace {

constexpr std::string_view kMark = "onnxc-allow:";
constexpr std::string_view kBlanks = " \t\r";

// This does not call find(), which would stop at each `o`, of which texts have many; memmem() skips most characters.
bool HasMark(std::string_view text) {
  return !text.empty() && memmem(text.data(), text.size(), kMark.data(), kMark.size()) != nullptr;
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(begin);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

/// Returns the kinds that a comment allows. `comment` has no leading `#`.
std::vector<std::string_view> KindsIn(std::string_view comment) {
  std::string_view list = Trimmed(comment);
  std::vector<std::string_view> kinds;
  if (!list.starts_with(kMark)) return kinds;
  list.remove_prefix(kMark.size());
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    kinds.push_back(Trimmed(list.substr(0, end)));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return kinds;
}

/// The ranges in which a text allows warnings. They are found in one pass over its characters.
class AllowedPlaces {
 public:
  explicit AllowedPlaces(std::string_view text) : text_(text) {
    for (const DiagnosticKind kind : AllDiagnosticKinds()) kinds_.insert(Name(kind));
    while (at_ < text_.size()) Step();
    EndLine();
    for (auto& [kind, places] : of_kinds_) {
      if (places.open > 0) places.ranges.push_back({places.begin, text_.size() + 1});
    }
  }

  [[nodiscard]] bool Allow(std::string_view kind, std::size_t offset) const {
    const auto places = of_kinds_.find(kind);
    if (places == of_kinds_.end()) return false;
    const auto& ranges = places->second.ranges;
    const auto next = std::ranges::upper_bound(ranges, offset, {}, &SourceRange::begin);
    return next != ranges.begin() && offset < std::prev(next)->end;
  }

  [[nodiscard]] const std::vector<std::string_view>& unknown() const { return unknown_; }

 private:
  struct Places {
    std::vector<SourceRange> ranges;  // in order, without overlaps
    std::size_t begin = 0;            // beginning of the open range
    int open = 0;                     // number of comments in force here
  };
  /// A comment on its own line. It applies up to the end of the first line at whose end no more brackets are open than
  /// at the comment.
  struct Holding {
    int depth;
    std::string_view kind;
  };

  void Step() {
    const char c = text_[at_++];
    if (c == '\n') return EndLine();
    if (c == '#') return Comment();
    if (kBlanks.find(c) == std::string_view::npos) line_has_tokens_ = true;
    if (c == '"') return SkipString();
    if (c == '=' && text_.substr(at_).starts_with('>')) ++at_;  // the `>` of an arrow is not a bracket
    if (std::string_view("([{<").find(c) != std::string_view::npos) ++depth_;
    if (std::string_view(")]}>").find(c) != std::string_view::npos) --depth_;
  }

  void SkipString() {
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  // A comment at the end of a line applies to that line. A comment on its own line applies to the construct that begins
  // on the next line with tokens.
  void Comment() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    for (const std::string_view kind : KindsIn(text_.substr(at_, end - at_))) {
      if (!kind.empty() && !kinds_.contains(kind)) unknown_.push_back(kind);
      if (line_has_tokens_) {
        of_line_.push_back(kind);
      } else {
        Open(kind, line_);
        holding_.push_back({depth_, kind});
      }
    }
    at_ = end;
  }

  void EndLine() {
    for (const std::string_view kind : of_line_) {
      Open(kind, line_);
      Close(kind);
    }
    of_line_.clear();
    while (line_has_tokens_ && !holding_.empty() && depth_ <= holding_.back().depth) {
      Close(holding_.back().kind);
      holding_.pop_back();
    }
    line_has_tokens_ = false;
    line_ = at_;
  }

  void Open(std::string_view kind, std::size_t begin) {
    Places& places = of_kinds_[kind];
    if (places.open++ == 0) places.begin = begin;
  }
  void Close(std::string_view kind) {
    Places& places = of_kinds_[kind];
    if (--places.open == 0) places.ranges.push_back({places.begin, at_});
  }

  std::string_view text_;
  NameSet kinds_;                          // existing kinds
  std::vector<std::string_view> unknown_;  // kinds that do not exist, as parts of the text
  std::size_t at_ = 0;
  std::size_t line_ = 0;  // where the line begins
  int depth_ = 0;
  bool line_has_tokens_ = false;
  std::vector<std::string_view> of_line_;
  std::vector<Holding> holding_;
  std::map<std::string_view, Places> of_kinds_;
};

}  // namespace

Allows AllowedIn(const SourceText& source) {
  if (!HasMark(source.text())) return {};
  const auto places = std::make_shared<const AllowedPlaces>(source.text());
  // The copy of the source keeps its bytes: the places refer to them.
  return [source, places](DiagnosticKind kind, std::size_t offset) { return places->Allow(Name(kind), offset); };
}

Diagnostics WithoutAllowed(const Diagnostics& diagnostics, const SourceText& source) {
  const auto may_be_allowed = [](const Diagnostic& item) {
    return item.severity != Severity::kError && item.path.empty() && item.range != kNowhere;
  };
  // The file is not searched for comments if no finding is about one of its places: it may be large, and no text.
  const Allows allows = std::ranges::any_of(diagnostics.items(), may_be_allowed) ? AllowedIn(source) : Allows();
  if (!allows) return diagnostics;
  return Filtered(diagnostics,
                  [&](Diagnostic* item) { return !may_be_allowed(*item) || !allows(item->kind, item->range.begin); });
}

Diagnostics FindUnknownAllowed(std::string_view text) {
  Diagnostics found;
  if (!HasMark(text)) return found;
  std::vector<std::string_view> names;
  for (const DiagnosticKind kind : AllDiagnosticKinds()) names.push_back(Name(kind));
  constexpr std::size_t kMostCompared = 1000;  // each takes time linear in the number of kinds
  std::size_t compared = 0;
  const AllowedPlaces places(text);
  for (const std::string_view kind : places.unknown()) {
    const auto begin = static_cast<std::size_t>(kind.data() - text.data());
    const SourceRange range{begin, begin + kind.size()};
    const std::string_view near = compared++ < kMostCompared ? Nearest(kind, names) : "";
    Diagnostic finding = MakeDiagnostic(diag::kUnknownAllowedKind, range, Quoted(kind), MeantKind(near));
    if (!near.empty() && IsSlip(kind, near)) finding.fix_its = {{range, std::string(near)}};
    found.Add(std::move(finding));
  }
  return found;
}

}  // namespace onnxc
