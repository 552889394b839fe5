#include "fuzz/mutate/text.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "fuzz/mutate/words.h"
#include "testing/random_values.h"

namespace onnxc::fuzz {
namespace {

using testing::RandomValues;

constexpr std::size_t kLongest = 1 << 16;     // the maximum size of a text in bytes
constexpr std::size_t kMostTokens = 1 << 14;  // the maximum number of tokens that one change adds
constexpr std::string_view kOpening = "([{<";
constexpr std::string_view kClosing = ")]}>";

bool IsWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsSpace(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

/// Returns the length of the first token of `text`.
std::size_t TokenSize(std::string_view text) {
  const auto while_true = [&](auto predicate, std::size_t from) {
    while (from < text.size() && predicate(text[from])) ++from;
    return from;
  };
  const char c = text.front();
  if (c == '"') {
    std::size_t end = 1;
    while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (c == '#') return std::min(text.find('\n'), text.size());
  if (IsSpace(c)) return while_true(IsSpace, 1);
  if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-') {
    return while_true([](char d) { return IsWordCharacter(d) || d == '.'; }, 1);
  }
  if (IsWordCharacter(c)) return while_true(IsWordCharacter, 1);
  return text.starts_with("=>") || text.starts_with("@{") ? 2 : 1;
}

/// Tokens [begin, end).
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class TextMutator {
 public:
  TextMutator(std::string_view text, std::uint64_t seed) : random_(seed) {
    for (const std::string_view token : SplitTokens(text)) tokens_.emplace_back(token);
  }

  void Change() {
    if (tokens_.empty()) tokens_.push_back(AnyWord());
    switch (random_.Below(12)) {
      case 0: return Erase(AnyPart());
      case 1: return Insert(AnyPlace(), Copy(AnyPart()));
      case 2: return Replace(AnyPart(), Copy(AnyPart()));
      case 3: return std::swap(AnyToken(), AnyToken());
      case 4: return Insert(AnyPlace(), {AnyWord()});
      case 5: return void(AnyToken() = AnyWord());
      case 6: return void(AnyToken() = AnyNumber());
      case 7: return Nest();
      case 8: return Replace(AnyGroup(), Copy(AnyGroup()));
      case 9: return ChangeBytes(&AnyToken());
      case 10: return Repeat();
      default: return Insert(AnyPlace(), {"\"" + random_.String() + "\""});
    }
  }

  void Take(const TextMutator& other) {
    if (tokens_.empty() || other.tokens_.empty()) return;
    const bool whole_groups = random_.OneIn(2);
    const Part from = other.tokens_.size() == 1 ? Part{0, 1} : PartOf(other.tokens_, whole_groups);
    std::vector<std::string> taken(other.tokens_.begin() + Offset(from.begin),
                                   other.tokens_.begin() + Offset(from.end));
    if (random_.OneIn(2)) return Insert(AnyPlace(), std::move(taken));
    Replace(PartOf(tokens_, whole_groups), std::move(taken));
  }

  [[nodiscard]] std::string Text() const {
    std::string text;
    for (const std::string& token : tokens_) text += token;
    return text;
  }

 private:
  using Tokens = std::vector<std::string>;

  static std::ptrdiff_t Offset(std::size_t index) { return static_cast<std::ptrdiff_t>(index); }
  std::size_t AnyPlace() { return random_.Below(tokens_.size() + 1); }
  std::string& AnyToken() { return tokens_[random_.Below(tokens_.size())]; }
  std::string AnyWord() { return random_.Pick(Words()); }

  std::string AnyNumber() {
    switch (random_.Below(4)) {
      case 0: return std::to_string(random_.Int<std::int64_t>());
      case 1: return std::to_string(random_.Int<std::uint64_t>());
      case 2: return std::to_string(random_.Double());
      default:
        return std::to_string(random_.Int<std::int32_t>()) + (random_.OneIn(2) ? "e" : ".") +
               std::to_string(random_.Below(50));
    }
  }

  /// Returns the tokens from an opening bracket to its closing bracket, or a single token if there is no bracket at
  /// `begin`.
  Part GroupAt(const Tokens& tokens, std::size_t begin) {
    int depth = 0;
    for (std::size_t at = begin; at < tokens.size(); ++at) {
      const std::string& token = tokens[at];
      if (token == "@{" || (token.size() == 1 && kOpening.find(token[0]) != std::string_view::npos)) ++depth;
      if (token.size() == 1 && kClosing.find(token[0]) != std::string_view::npos && --depth == 0)
        return {begin, at + 1};
      if (depth == 0) break;
    }
    return {begin, begin + 1};
  }

  Part PartOf(const Tokens& tokens, bool whole_group) {
    const std::size_t begin = random_.Below(tokens.size());
    if (!whole_group) return {begin, std::min(tokens.size(), begin + 1 + random_.Below(random_.OneIn(4) ? 30 : 4))};
    for (std::size_t tries = 0; tries < tokens.size(); ++tries) {  // searches for the next group, from a random place
      const Part group = GroupAt(tokens, (begin + tries) % tokens.size());
      if (group.end - group.begin > 1) return group;
    }
    return {begin, begin + 1};
  }
  Part AnyPart() { return PartOf(tokens_, random_.OneIn(3)); }
  Part AnyGroup() { return PartOf(tokens_, true); }

  [[nodiscard]] Tokens Copy(Part part) const {
    return {tokens_.begin() + Offset(part.begin), tokens_.begin() + Offset(part.end)};
  }
  void Erase(Part part) { tokens_.erase(tokens_.begin() + Offset(part.begin), tokens_.begin() + Offset(part.end)); }
  void Insert(std::size_t place, Tokens tokens) {
    tokens_.insert(tokens_.begin() + Offset(place), tokens.begin(), tokens.end());
  }
  void Replace(Part part, Tokens tokens) {
    Erase(part);
    Insert(part.begin, std::move(tokens));
  }

  /// Turns `a ( b )` into `a ( a ( a ( b ) ) )`: finds a group inside of a larger group, and repeats the tokens of the
  /// larger group that are before and after the inner group.
  void Nest() {
    const Part outer = AnyGroup();
    const std::size_t lead = std::min(outer.begin, random_.Below(8));
    const Part whole = {outer.begin - lead, outer.end};
    const Part inner = PartOf(tokens_, true);
    const bool inside = inner.begin > whole.begin && inner.end < whole.end;
    const Part hole = inside ? inner : Part{outer.begin + 1, std::max(outer.begin + 1, outer.end - 1)};
    const Tokens before = Copy({whole.begin, hole.begin});
    const Tokens behind = Copy({hole.end, whole.end});
    const std::size_t times = random_.OneIn(8) ? 120 : 1 + random_.Below(5);
    if ((before.size() + behind.size()) * times > kMostTokens) return;
    for (std::size_t i = 0; i < times; ++i) Insert(hole.end + i * behind.size(), behind);
    for (std::size_t i = 0; i < times; ++i) Insert(hole.begin, before);
  }

  /// Repeats one part many times, which makes long lists.
  void Repeat() {
    const Part part = AnyPart();
    const Tokens copy = Copy(part);
    std::size_t times = 1 + random_.Below(random_.OneIn(10) ? 200 : 10);
    for (times = std::min(times, kMostTokens / copy.size()); times > 0; --times) Insert(part.end, copy);
  }

  void ChangeBytes(std::string* token) {
    const std::size_t at = random_.Below(token->size() + 1);
    switch (random_.Below(4)) {
      case 0: return void(token->insert(at, random_.String()));
      case 1: return void(token->erase(at, 1 + random_.Below(3)));
      case 2: return void(token->insert(at, 1, static_cast<char>(random_.Bits())));
      default:
        if (at < token->size()) (*token)[at] = static_cast<char>((*token)[at] ^ (1 << random_.Below(8)));
    }
  }

  Tokens tokens_;
  RandomValues random_;
};

}  // namespace

std::vector<std::string_view> SplitTokens(std::string_view text) {
  std::vector<std::string_view> tokens;
  while (!text.empty()) {
    const std::size_t size = TokenSize(text);
    tokens.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return tokens;
}

std::string MutateText(std::string_view input, std::uint64_t seed) {
  RandomValues random(seed);
  std::string changed = ChangeText(input, 1 + random.Below(4), random.Bits());
  if (random.OneIn(50)) changed.front() = static_cast<char>(0x20 + random.Below(32));
  return changed;
}

std::string ChangeText(std::string_view input, std::size_t changes, std::uint64_t seed) {
  if (input.empty()) return "0";
  TextMutator mutator(input.substr(1), seed);
  for (; changes > 0; --changes) mutator.Change();
  return input.front() + mutator.Text().substr(0, kLongest);
}

std::string CrossText(std::string_view input, std::string_view other, std::uint64_t seed) {
  if (input.empty() || other.empty()) return std::string(input);
  TextMutator mutator(input.substr(1), seed);
  mutator.Take(TextMutator(other.substr(1), seed));
  return input.front() + mutator.Text().substr(0, kLongest);
}

}  // namespace onnxc::fuzz
