#include "syntax/trial.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "syntax/automaton.h"
#include "syntax/tree.h"

namespace onnxc::syntax {
namespace {

Context* ParseRule(Grammar& parser, std::size_t rule) {
  switch (rule) {
    case Grammar::RuleHeader: return parser.header();
    case Grammar::RuleFormals: return parser.formals();
    case Grammar::RuleEntry: return parser.entry();
    case Grammar::RuleFormal: return parser.formal();
    case Grammar::RuleRecordField: return parser.recordField();
    case Grammar::RuleValue: return parser.value();
    case Grammar::RuleValueInfo: return parser.valueInfo();
    case Grammar::RuleAttr: return parser.attr();
    case Grammar::RuleInnerType: return parser.innerType();
    case Grammar::RuleTensor: return parser.tensor();
    default: return parser.node();
  }
}

// Returns whether a token of this type may follow a part of `rule`. EOF may follow, too, because a part can be a
// complete text.
bool MayComeAfter(std::size_t rule, std::size_t type) {
  switch (rule) {
    case Grammar::RuleHeader:
    case Grammar::RuleInnerType:
    case Grammar::RuleTensor: return true;  // any token may follow a part that is parsed on its own
    default: return (Automaton::OfGrammar().Behind(rule) & Bit(type)) != 0;
  }
}

}  // namespace

std::string Corrected(std::string_view text, std::vector<FixIt>* edits) {
  std::stable_sort(edits->begin(), edits->end(),
                   [](const FixIt& a, const FixIt& b) { return a.range.begin < b.range.begin; });
  std::string corrected;
  std::size_t at = 0;
  for (const FixIt& edit : *edits) {
    if (edit.range.begin < at) continue;  // it overlaps the previous edit
    corrected.append(text.substr(at, edit.range.begin - at)).append(edit.replacement);
    at = edit.range.end;
  }
  return corrected.append(text.substr(at));
}

std::string Trials::FreshName(std::string_view stem) {
  constexpr int kMost = 1000;  // how often the text is searched
  std::string name;
  do {
    name = fmt::format("{}_{}", stem, ++names_);
  } while (names_ < kMost && text_.find(name) != std::string_view::npos);
  return name;
}

bool Trials::IsNameOfDigits(std::string_view digits) {
  if (names_of_digits_) return names_of_digits_->contains(digits);
  names_of_digits_.emplace();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (!is_digit(text_[at])) continue;
    const std::size_t begin = at;
    while (at < text_.size() && is_digit(text_[at])) ++at;
    const std::string_view before = text_.substr(0, begin);
    const bool is_defined = (before.ends_with('\n') || before.ends_with(' ')) && text_.substr(at, 2) == " =";
    if (is_defined || before.ends_with("] ")) names_of_digits_->insert(text_.substr(begin, at - begin));
  }
  return names_of_digits_->contains(digits);
}

std::optional<std::size_t> Trials::EndOf(std::size_t rule, std::size_t begin, std::vector<FixIt> edits) {
  std::size_t last = begin;
  std::erase_if(edits, [&](const FixIt& edit) { return edit.range.begin < begin; });
  for (FixIt& edit : edits) {
    last = std::max(last, edit.range.end);
    edit.range = {edit.range.begin - begin, edit.range.end - begin};
  }
  if (last - begin > kLongest || !budgets_->ChargeTrial(last - begin)) return std::nullopt;
  for (const std::size_t behind : {kNear, kBehind}) {  // most parts end shortly after the last edit
    const Trial trial = TryPart(rule, text_.substr(begin, last - begin + behind), last - begin, edits);
    if (!budgets_->ChargeTrial(trial.read)) return std::nullopt;
    const bool is_whole = last + behind >= text_.size();
    if (!trial.is_cut || is_whole) return trial.end ? std::optional(begin + *trial.end) : std::nullopt;
  }
  return std::nullopt;
}

Trials::Trial Trials::TryPart(std::size_t rule, std::string_view part, std::size_t last, std::vector<FixIt> edits) {
  const std::string corrected = Corrected(part, &edits);
  TokenStream tokens(corrected, Scanner::ListTokens::kNumbers);
  Grammar parser(&tokens);
  bool is_valid = true;
  try {
    (void)ParseRule(parser, rule);
  } catch (const FirstError&) {
    is_valid = false;
  }
  Trial trial{.is_cut = tokens.current()->range().end == corrected.size(), .read = tokens.current()->begin};
  if (!is_valid || tokens.previous() == nullptr || !MayComeAfter(rule, tokens.current()->type)) return trial;
  const std::size_t behind = corrected.size() - tokens.previous()->range().end;
  // The size of the text after the last edit is unchanged.
  if (behind <= part.size() - last) trial.end = part.size() - behind;
  return trial;
}

}  // namespace onnxc::syntax
