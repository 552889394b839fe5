#include "source/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <numeric>
#include <tuple>

#include "source/unicode.h"

namespace onnxc {
namespace {

constexpr std::array kInfos = {
#define ONNXC_DIAGNOSTIC(enumerator, name, severity, message, ...) \
  DiagnosticInfo{name, Severity::severity, message, ""},
#define ONNXC_RULE(enumerator, name, severity, authority, sentence, message, ...) \
  DiagnosticInfo{name, Severity::severity, message, sentence},
#include "tables/diagnostics.def"
#undef ONNXC_RULE
#undef ONNXC_DIAGNOSTIC
};

/// Findings about a message, which have no place in a text, keep their order behind the others.
auto Place(const Diagnostic& diagnostic) {
  return diagnostic.path.empty() ? std::tuple(0, diagnostic.range.begin, diagnostic.range.end)
                                 : std::tuple(1, std::size_t{0}, std::size_t{0});
}

bool SameFinding(const Diagnostic& a, const Diagnostic& b) {
  return a.kind == b.kind && a.range == b.range && a.path == b.path && a.message == b.message;
}

std::string LowerCase(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

/// The fewest insertions, removals, replacements and swaps of neighbours that make `b` of `a`.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, row);
  }
  return last[b.size()];
}

/// A message that is not longer than people read, however long the names in it are.
std::string Cut(std::string message) {
  constexpr std::size_t kLongest = 1000;  // bytes
  if (message.size() <= kLongest) return message;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0) == 0x80) --end;
  message.resize(end);
  return message.append("...");
}

}  // namespace

const DiagnosticInfo& Info(DiagnosticKind kind) { return kInfos[static_cast<std::size_t>(kind)]; }

std::string_view Name(DiagnosticKind kind) { return Info(kind).name; }

const std::vector<DiagnosticKind>& AllDiagnosticKinds() {
  static const std::vector<DiagnosticKind> kinds = [] {
    std::vector<DiagnosticKind> all;
    for (std::size_t i = 0; i < kInfos.size(); ++i) all.push_back(static_cast<DiagnosticKind>(i));
    return all;
  }();
  return kinds;
}

void Diagnostics::Add(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ok_ = false;
  items_.push_back(std::move(diagnostic));
}

void Diagnostics::Append(Diagnostics other) {
  std::move(other.items_.begin(), other.items_.end(), std::back_inserter(items_));
  suppressed_ += other.suppressed_;
  suppressed_errors_ += other.suppressed_errors_;
  ok_ = ok_ && other.ok_;
}

void Diagnostics::Suppress(Severity severity) {
  if (severity == Severity::kError) {
    ok_ = false;
    ++suppressed_errors_;
  }
  ++suppressed_;
}

void Diagnostics::Finish(std::size_t limit) {
  std::stable_sort(items_.begin(), items_.end(),
                   [](const Diagnostic& a, const Diagnostic& b) { return Place(a) < Place(b); });
  items_.erase(std::unique(items_.begin(), items_.end(), SameFinding), items_.end());
  if (items_.size() <= limit) return;

  const auto errors = static_cast<std::size_t>(std::count_if(
      items_.begin(), items_.end(), [](const Diagnostic& item) { return item.severity == Severity::kError; }));
  std::size_t errors_left = std::min(errors, limit);
  std::size_t warnings_left = limit - errors_left;
  suppressed_ += items_.size() - limit;
  suppressed_errors_ += errors - errors_left;
  std::erase_if(items_, [&](const Diagnostic& item) {
    std::size_t& left = item.severity == Severity::kError ? errors_left : warnings_left;
    if (left == 0) return true;
    --left;
    return false;
  });
}

Diagnostics Diagnostics::ErrorsOnly() const {
  Diagnostics errors = *this;
  std::erase_if(errors.items_, [](const Diagnostic& item) { return item.severity != Severity::kError; });
  errors.suppressed_ = suppressed_errors_;
  return errors;
}

Diagnostic MakeDiagnostic(DiagnosticKind kind, Severity severity, SourceRange range, std::string message) {
  return {.kind = kind, .severity = severity, .message = Cut(std::move(message)), .range = range};
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  std::string quoted;
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++characters) {
    if (characters == kLongest) return quoted + "...";
    const Character character = DecodeCharacter(text, at);
    quoted += Shown(character, text.substr(at, character.length));
    at += character.length;
  }
  return quoted;
}

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words) {
  constexpr std::size_t kLongest = 64;
  if (word.size() < 2 || word.size() > kLongest) return {};
  const std::string lower = LowerCase(word);
  std::string_view nearest;
  std::size_t least = (word.size() + 2) / 3 + 1;  // about one slip in three letters; more is another word
  for (const std::string_view candidate : words) {
    if (candidate.size() > kLongest) continue;
    const std::size_t distance = EditDistance(lower, LowerCase(candidate));
    if (distance < least && distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace onnxc
