#include "testing/sprinkled.h"

#include <algorithm>
#include <array>

#include "symbols/tokens.h"

namespace onnxc::testing {
namespace {

std::string_view Slice(std::string_view text, const SourceRange& range) {
  return text.substr(range.begin, range.end - range.begin);
}

bool IsPragma(std::string_view token) { return token.starts_with('#'); }

}  // namespace

std::vector<SourceRange> TokensAndNumbersIn(std::string_view text, std::size_t offset) {
  std::vector<SourceRange> tokens;
  for (const TextToken& token : TokensIn(text, {0, text.size()})) {
    const std::size_t begin = offset + token.range.begin;
    if (token.kind != TokenKind::kNumbers) {
      tokens.push_back({begin, offset + token.range.end});
      continue;
    }
    tokens.push_back({begin, begin + 1});  // without its bracket it is not a list
    const std::string_view members = Slice(text, {token.range.begin + 1, token.range.end});
    for (const SourceRange& inner : TokensAndNumbersIn(members, begin + 1)) tokens.push_back(inner);
  }
  return tokens;
}

std::vector<std::string> CommentsIn(std::string_view text) {
  std::vector<std::string> comments;
  std::size_t gap = 0;
  const auto look_before = [&](std::size_t token) {
    for (const std::string_view before = text.substr(0, token);
         (gap = before.find('#', gap)) != std::string_view::npos;) {
      const std::size_t end = std::min(before.find('\n', gap), before.size());
      const std::string_view comment = before.substr(gap, end - gap);
      comments.emplace_back(comment.substr(0, comment.find_last_not_of(" \t\r\v\f") + 1));
      gap = end;
    }
  };
  for (const SourceRange& token : TokensAndNumbersIn(text)) {
    look_before(token.begin);
    gap = token.end;
  }
  look_before(text.size());
  return comments;
}

std::string Sprinkled(const std::string& text, RandomValues* random, std::size_t rarity) {
  static constexpr std::array<std::string_view, 7> kBlanks = {"", " ", "\n", "\t ", " \r\n  ", "  \n", "\v\f"};
  static constexpr std::array<std::string_view, 3> kBreaks = {"\n", "\n\n", "\r\n \n\n"};
  static constexpr std::array<std::string_view, 4> kLineEnds = {"\n", " \n", "\r\n", "\t\r\n"};
  std::string sprinkled;
  std::size_t end = 0;
  int count = 0;
  const auto add_gap = [&](std::string_view gap) {
    const bool has_comment = gap.find('#') != std::string_view::npos;
    if (has_comment) sprinkled += gap;
    sprinkled += random->Pick(kBlanks);
    if (!gap.empty() && !has_comment) sprinkled += ' ';
    while (rarity > 0 && random->OneIn(rarity)) {
      if (random->OneIn(3)) sprinkled += random->Pick(kBreaks);
      sprinkled += "# comment " + std::to_string(++count) + " \"[{(<";
      sprinkled += random->Pick(kLineEnds);
      sprinkled += random->Pick(kBlanks);
      if (random->OneIn(4) || rarity == 1) sprinkled += random->Pick(kBreaks);
      if (random->OneIn(2)) break;
    }
  };
  for (const SourceRange& token : TokensAndNumbersIn(text)) {
    add_gap(std::string_view(text).substr(end, token.begin - end));
    sprinkled += Slice(text, token);
    if (IsPragma(Slice(text, token))) sprinkled += '\n';
    end = token.end;
  }
  add_gap(std::string_view(text).substr(end));
  return sprinkled;
}

}  // namespace onnxc::testing
