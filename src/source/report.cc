#include "source/report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <iterator>
#include <tuple>

#include "source/unicode.h"
#include "source/words.h"

namespace onnxc {
namespace {

enum class Authority { kReference, kFullCheck, kSpecification, kAdvice, kOptional };

constexpr std::array kInfos = {
#define ONNXC_DIAGNOSTIC(enumerator, name, severity, message, ...) \
  DiagnosticInfo{name, Severity::severity, message, ""},
#define ONNXC_RULE(enumerator, name, severity, authority, sentence, message, ...) \
  DiagnosticInfo{name, Severity::severity, message, sentence, Authority::authority == Authority::kOptional},
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

/// How many insertions, removals, replacements and swaps of neighbours make another word of `word`, at least. For words
/// of up to 64 bytes, of which it looks at all at once: H. Hyyro, "A bit-vector algorithm for computing Levenshtein and
/// Damerau edit distances", 2003.
class EditDistance {
 public:
  static constexpr std::size_t kLongest = 64;

  explicit EditDistance(std::string_view word) : size_(word.size()) {
    for (std::size_t i = 0; i < word.size(); ++i) places_[Lower(word[i])] |= std::uint64_t{1} << i;
  }

  [[nodiscard]] std::size_t To(std::string_view other) const {
    // Bit i is about the first i + 1 bytes of the word: whether their distance is one more, or one less, than that of
    // the first i bytes (down), and than their own to one byte less of the other (across).
    std::uint64_t more_down = ~std::uint64_t{0};
    std::uint64_t less_down = 0;
    std::uint64_t same = 0;  // as the distance of i bytes to one byte less of the other
    std::uint64_t matches_before = 0;
    std::size_t distance = size_;
    for (const char c : other) {
      const std::uint64_t matches = places_[Lower(c)];
      const std::uint64_t swaps = ((~same & matches) << 1) & matches_before;
      same = (((matches & more_down) + more_down) ^ more_down) | matches | less_down | swaps;
      std::uint64_t more_across = less_down | ~(same | more_down);
      std::uint64_t less_across = same & more_down;
      distance += (more_across >> (size_ - 1)) & 1;
      distance -= (less_across >> (size_ - 1)) & 1;
      more_across = more_across << 1 | 1;
      less_across <<= 1;
      more_down = less_across | ~(same | more_across);
      less_down = more_across & same;
      matches_before = matches;
    }
    return distance;
  }

 private:
  static unsigned char Lower(char c) { return static_cast<unsigned char>(std::tolower(static_cast<unsigned char>(c))); }

  std::size_t size_;
  std::array<std::uint64_t, 256> places_ = {};  // of each byte in the word
};

/// The only one of the words that is as wanted, or "".
template <typename IsWanted>
std::string_view OnlyOne(const std::vector<std::string_view>& words, const IsWanted& is_wanted) {
  const auto first = std::ranges::find_if(words, is_wanted);
  if (first == words.end() || std::ranges::find_if(first + 1, words.end(), is_wanted) != words.end()) return {};
  return *first;
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

std::string_view UsualLevel(DiagnosticKind kind) {
  if (Info(kind).is_optional) return "off";
  return Info(kind).severity == Severity::kError ? "error" : "warning";
}

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

namespace {

std::string WithoutDigits(std::string_view word) {
  std::string letters(word);
  std::erase_if(letters, [](char c) { return c >= '0' && c <= '9'; });
  return letters;
}

struct Near {
  std::string_view word = {};
  bool is_only = false;  ///< no other one is as near
};

/// The nearest of the words that are candidates.
template <typename IsCandidate>
Near NearestIf(std::string_view word, const std::vector<std::string_view>& words, const IsCandidate& is_candidate) {
  if (word.empty() || word.size() > EditDistance::kLongest) return {};
  const auto is_same = [&](std::string_view other) { return other != word && IsSameWord(word, other); };
  if (word.size() < 2) return {OnlyOne(words, is_same), true};
  const EditDistance distance_from_word(word);
  Near nearest;
  std::size_t least = (word.size() + 2) / 3;  // about one slip in three letters; more is another word
  for (const std::string_view candidate : words) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter > least) continue;  // each byte more is a slip
    const std::size_t distance = distance_from_word.To(candidate);
    if (distance > least || distance >= candidate.size() || !is_candidate(candidate)) continue;
    if (distance < least || nearest.word.empty()) {
      nearest = {candidate, true};
    } else if (candidate != nearest.word) {
      nearest.is_only = false;
    }
    least = distance;
  }
  constexpr std::size_t kTelling = 3;  // bytes
  if (!nearest.word.empty() || word.size() < kTelling) return nearest;
  return {OnlyOne(words, [&](std::string_view other) { return other.starts_with(word) && other != word; }), true};
}

}  // namespace

std::string_view Nearest(std::string_view word, const std::vector<std::string_view>& words) {
  return NearestIf(word, words, [](std::string_view) { return true; }).word;
}

std::string_view NearestName(std::string_view name, const std::vector<std::string_view>& names) {
  const std::string letters = WithoutDigits(name);
  const Near near = NearestIf(name, names, [&](std::string_view other) { return WithoutDigits(other) != letters; });
  return near.is_only && WithoutDigits(near.word) != letters ? near.word : std::string_view();
}

bool IsSlip(std::string_view word, std::string_view meant) {
  if (IsSameWord(word, meant)) return true;
  const auto digits = [](std::string_view text) {
    std::string found(text);
    std::erase_if(found, [](char c) { return c < '0' || c > '9'; });
    return found;
  };
  if (word.empty() || meant.empty() || word.size() > EditDistance::kLongest || digits(word) != digits(meant))
    return false;
  if (EditDistance(word).To(meant) != 1 || std::tolower(word.front()) != std::tolower(meant.front())) return false;
  constexpr std::size_t kTelling = 5;  // bytes
  if (word.size() >= kTelling && meant.size() >= kTelling) return true;
  if (word.size() == meant.size()) return std::ranges::is_permutation(word, meant);  // swapped
  const std::size_t at = static_cast<std::size_t>(std::ranges::mismatch(word, meant).in1 - word.begin());
  return word.size() > meant.size() && at > 0 && word[at] == word[at - 1];  // doubled
}

}  // namespace onnxc
