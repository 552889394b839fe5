#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "source/report.h"
#include "syntax/repair_search.h"
#include "syntax/scanner.h"
#include "syntax/spelling.h"
#include "syntax/words.h"
#include "tables/header_keys.h"
#include "tables/signatures.h"

namespace onnxc::syntax {
namespace {

constexpr std::size_t kBack = 24;                    // how many tokens before the mistake may be edited
constexpr std::size_t kAhead = 40;                   // how many tokens are read after it
constexpr std::size_t kEnough = 8;                   // how many of these must be valid before another mistake
constexpr std::size_t kReadBack = 64;                // how many tokens before the mistake are kept
constexpr std::size_t kLong = std::size_t{8} << 10;  // how many bytes are read after the mistake
constexpr std::size_t kMostPairs = 24;               // how many first edits are combined with a second one
constexpr std::size_t kSome = 3;                     // how many tokens after the correction of a guess must be valid
constexpr std::size_t kNearWord = 4;                 // how many tokens before the mistake a type may be misspelt
constexpr TokenSet kTypes = Bit(Grammar::ELEMENT) | Bit(Grammar::SEQ) | Bit(Grammar::OPTIONAL) | Bit(Grammar::MAP) |
                            Bit(Grammar::SPARSE_TENSOR) | Bit(Grammar::OPAQUE);
constexpr std::size_t kLongWord = 64;  // in bytes
constexpr std::size_t kMostTried = 8;  // how many candidates are tried in the text
constexpr int kSure = 15;              // how much less than the next one the best candidate must cost

}  // namespace

// ---- the tokens around the mistake

// Reads the tokens from `first` to the mistake and some tokens after it. Keeps only the last tokens before the mistake.
// Returns false unless the automaton allows all tokens before the mistake, but not the token at the mistake.
bool RepairSearch::Search::ReadFrom(std::optional<Place> place, SyntaxToken* first) {
  if (!place || !s_.MayLook(Trials::Search::kMarks, s_.found->begin - first->begin)) return false;
  tokens_.clear();
  places_.clear();
  open_.clear();
  std::size_t count = 0;
  for (const SyntaxToken* token = first; token != s_.found; token = token->next, ++count) {
    if (token == nullptr) return false;
  }
  SyntaxToken* token = first;
  for (; count > kReadBack; --count, token = token->next) {
    if (!walk_.Step(&*place, token->type)) return false;
    walk_.ForgetAllBut(*place);
    Follow(*token, &open_);
  }
  for (; token != s_.found; token = token->next) {
    tokens_.push_back(token);
    places_.push_back(*place);
    if (!walk_.Step(&*place, token->type)) return false;
  }
  if ((walk_.Expected(*place) & Bit(s_.found->type)) != 0) return false;
  found_ = tokens_.size();
  places_.push_back(*place);
  tokens_.push_back(s_.found);
  for (token = s_.found; token->type != antlr4::Token::EOF && tokens_.size() <= found_ + kAhead;) {
    token = s_.After(token);
    if (token->range().end > s_.found->begin + kLong) break;
    tokens_.push_back(token);
  }
  return s_.MayLook(Trials::Search::kMarks, tokens_.back()->range().end - s_.found->begin);
}

namespace {

const Context* ItemOf(const Context* body) {
  return static_cast<const Context*>(body->parent->parent);  // body -> `named` -> `item`, as in the grammar
}

bool IsNear(const SyntaxToken* token, const SyntaxToken* found) {
  if (token == nullptr || found->begin > token->begin + kLong) return false;
  std::size_t steps = 0;
  while (token != nullptr && token != found && ++steps <= kReadBack) token = token->next;
  return token == found;
}

}  // namespace

// Returns whether the part may contain nodes that were never scanned.
bool RepairSearch::Search::HasUnread(const Context* part) const {
  const bool is_around = IsBodyOfItem(part) || part->getRuleIndex() == Grammar::RuleItemsFile;
  return is_around && before_.before_last != nullptr;
}

// Returns whether reading may begin at the member: nodes of earlier items may never have been scanned.
bool RepairSearch::Search::MayBeginAt(const Context* member) const {
  if (before_.body == nullptr || member->getRuleIndex() != Grammar::RuleItem) return true;
  const std::size_t last = First(ItemOf(before_.body)).begin;
  return HasUnread(before_.body) ? First(member).begin > last : First(member).begin >= last;
}

// Reads the tokens from one of the last members of a long list on. Returns false if that is not possible.
bool RepairSearch::Search::ReadFromMember(const Context* list) {
  const auto& members = list->children;
  const auto member = [&](std::size_t i) { return static_cast<const Context*>(members[i]); };
  std::size_t first = members.size();
  while (first > 0 && IsNear(&First(member(first - 1)), s_.found) && MayBeginAt(member(first - 1))) --first;
  if (first == 0) return false;
  const Context* before = member(first - 1);
  if (before->stop == nullptr) return false;
  return ReadFrom(walk_.Behind(list, before->getRuleIndex()), static_cast<SyntaxToken*>(before->stop)->next);
}

bool RepairSearch::Search::ReadFromNode(const Context* body) {
  const std::optional<Place> place = walk_.Behind(body, Grammar::RuleNode);
  for (SyntaxToken* node : {before_.before_last, before_.last}) {
    if (IsNear(node, s_.found) && ReadFrom(place, node)) return true;
  }
  return false;
}

// Reads the tokens of the largest part that contains the mistake and begins near it, or else of the smallest part, such
// as a long list, which begins far before it.
bool RepairSearch::Search::FindTokens() {
  if (IsBodyOfItem(s_.context) && ReadFromNode(s_.context)) return true;
  std::vector<const Context*> around;
  const Context* beyond = s_.context;
  while (beyond != nullptr && !HasUnread(beyond) && IsNear(&First(beyond), s_.found)) {
    around.push_back(beyond);
    beyond = static_cast<const Context*>(beyond->parent);
  }
  if (beyond != nullptr && HasUnread(beyond) && ReadFromNode(before_.body)) return true;
  if (beyond != nullptr && !IsBodyOfItem(beyond) && ReadFromMember(beyond)) return true;
  for (; !around.empty(); around.pop_back()) {
    auto* first = static_cast<SyntaxToken*>(around.back()->start);
    if (ReadFrom(walk_.Begin(around.back()), first)) return true;
  }
  for (; beyond != nullptr && !HasUnread(beyond); beyond = static_cast<const Context*>(beyond->parent)) {
    const std::optional<Place> place = walk_.Begin(beyond);
    if (place) return ReadFrom(place, static_cast<SyntaxToken*>(beyond->start));
  }
  return IsBodyOfItem(s_.context) && ReadFrom(walk_.Behind(s_.context, Grammar::RuleNode), s_.found);
}

// In `opset_import: ["": 17, producer_name: "p">`, the grammar reads a key of the header as a member of the list before
// it. This function moves the place of the mistake to before the key.
void RepairSearch::Search::StopAtKey() {
  if (s_.Around(Grammar::RuleHeader) == nullptr) return;
  for (std::size_t i = 0; i + 2 < found_; ++i) {
    const bool is_key = tokens_[i]->type == Grammar::COMMA && tokens_[i + 1]->type == Grammar::ID &&
                        tokens_[i + 2]->type == Grammar::COLON &&
                        HasKey(onnx::ModelProto::descriptor(), tokens_[i + 1]->text);
    const SyntaxToken* open = is_key ? OpenAt(i) : nullptr;
    if (open == nullptr || open->type != Grammar::LBRACKET) continue;
    found_ = i;
    return;
  }
}

// ---- the edits

static_assert(Grammar::LPAREN < Grammar::ARROW && Grammar::ARROW < Grammar::AT_BRACE &&
              Grammar::AT_BRACE == Grammar::ELEMENT - 1);
bool IsMark(std::size_t type) { return type >= Grammar::LPAREN && type <= Grammar::AT_BRACE; }

namespace {

bool IsStandardOperator(std::string_view name) {
  return FindOperator("", name, NewestVersion(FindDomain(""))) != nullptr;
}

std::size_t TypeOfWord(std::string_view word) {
  SyntaxToken token;
  Scanner(word).Next(token);
  return token.text.size() == word.size() ? token.type : std::size_t{Grammar::INVALID};
}

}  // namespace

// Walks from `place` over the tokens from index `from` on. Returns the index of the first token that is not allowed.
// Adds the place before each token to `places`.
std::size_t RepairSearch::Search::Run(Place place, std::size_t from, std::vector<Place>* places) {
  for (; from < tokens_.size(); ++from) {
    if (places != nullptr) places->push_back(place);
    if (!walk_.Step(&place, tokens_[from]->type)) return from;
  }
  return from;
}

// Walks over the edited tokens, and sets `*next` to the index of the first token after the edit. Returns false if the
// edited tokens are not allowed.
bool RepairSearch::Search::Make(TokenEdit edit, Place* place, std::size_t* next) {
  switch (edit.kind) {
    case EditKind::kDelete: *next = edit.at + 1; return true;
    case EditKind::kInsert: *next = edit.at; return walk_.Step(place, edit.type);
    case EditKind::kReplace: *next = edit.at + edit.count; return walk_.Step(place, edit.type);
    case EditKind::kSwap:
      *next = edit.at + 2;
      return walk_.Step(place, tokens_[edit.at + 1]->type) && walk_.Step(place, tokens_[edit.at]->type);
    case EditKind::kSplit:
      *next = edit.at + 1;
      if (tokens_[edit.at]->type == Grammar::ARROW) {
        return walk_.Step(place, Grammar::EQUALS) && walk_.Step(place, Grammar::GREATER);
      }
      return walk_.Step(place, Grammar::INT) && walk_.Step(place, Grammar::COMMA) &&
             (tokens_[edit.at]->text.ends_with('.') || walk_.Step(place, Grammar::INT));
    case EditKind::kWord: *next = edit.at + 1; return walk_.Step(place, WordType(NearestType(tokens_[edit.at]->text)));
    case EditKind::kPart: {
      *next = edit.at + 1;
      const std::string_view word = tokens_[edit.at]->text;
      return walk_.Step(place, TypeOfWord(word.substr(0, edit.cut))) && walk_.Step(place, edit.type) &&
             walk_.Step(place, TypeOfWord(word.substr(edit.cut)));
    }
  }
  return false;
}

void RepairSearch::Search::Try(TokenEdit edit, Place place, const Candidate& before) {
  // Both edits must be of the same kind, for example two wrong brackets.
  if (!before.edits.empty() && before.edits.front().kind != edit.kind) return;
  std::size_t next = 0;
  if (!Make(edit, &place, &next)) return;
  const std::size_t reached = Run(place, next);
  if (reached <= std::max(found_, before.reached)) return;
  Candidate candidate = before;
  candidate.edits.push_back(edit);
  candidate.reached = reached;
  candidate.cost += Cost(edit);
  candidates_.push_back(std::move(candidate));
}

// Returns how many tokens, beginning with the one at `at`, form a sign of another language: `:=`, `==`, `<-`, `-->`.
// Returns 0 if they form none.
std::size_t RepairSearch::Search::SignAt(std::size_t at) const {
  constexpr std::string_view kSigns = "=:<>-+*/!~";
  const auto is_part = [&](const SyntaxToken& token) {
    return (IsMark(token.type) || token.type == Grammar::INVALID) && token.text.size() == 1 &&
           kSigns.find(token.text.front()) != std::string_view::npos;
  };
  std::size_t end = at;
  while (end < tokens_.size() && is_part(*tokens_[end]) &&
         (end == at || tokens_[end - 1]->range().end == tokens_[end]->begin)) {
    ++end;
  }
  const auto is_bracket = [](const SyntaxToken* token) { return IsOpening(token->type) || IsClosing(token->type); };
  const bool are_brackets = std::all_of(tokens_.begin() + static_cast<std::ptrdiff_t>(at),
                                        tokens_.begin() + static_cast<std::ptrdiff_t>(end), is_bracket);
  return are_brackets || end - at < 2 ? 0 : end - at;
}

// Tries all edits of the tokens from `from` to `at`. The first of `places` is the one before the token `from`.
void RepairSearch::Search::TryEdits(std::size_t from, std::size_t at, const std::vector<Place>& places,
                                    const Candidate& before) {
  for (std::size_t i = from; i <= at && i < tokens_.size(); ++i) {
    const Place place = places[i - from];
    const SyntaxToken& token = *tokens_[i];
    const bool is_stray = token.type == Grammar::INVALID && token.text.size() == 1 && token.text != "\"";
    const bool is_mark = IsMark(token.type) || is_stray;
    const TokenSet expected = walk_.Expected(place);
    const std::size_t sign = SignAt(i);
    for (std::size_t type = Grammar::LPAREN; type <= Grammar::ARROW; ++type) {
      if ((expected & Bit(type)) == 0) continue;
      Try({EditKind::kInsert, i, type}, place, before);
      const bool is_bracket = IsOpening(type) || IsClosing(type);
      if (is_mark && type != token.type && !(is_stray && is_bracket)) Try({EditKind::kReplace, i, type}, place, before);
      if (sign > 0 && !is_bracket && type != Grammar::COMMA) Try({EditKind::kReplace, i, type, 0, sign}, place, before);
    }
    if (token.type == antlr4::Token::EOF) continue;
    if (is_stray || (is_mark && !MayLackText(i)) || (IsDoubled(i) && sign == 0))
      Try({EditKind::kDelete, i}, place, before);
    if (i + 1 < tokens_.size() && (is_mark || IsMark(tokens_[i + 1]->type)) && token.type != tokens_[i + 1]->type) {
      Try({EditKind::kSwap, i}, place, before);
    }
    if (token.type == Grammar::ID || IsTypeToken(token.type)) TryParts(i, place, before);
    if (token.type == Grammar::ID && i + kNearWord >= found_ && (expected & kTypes) != 0 &&
        !NearestType(token.text).empty()) {
      Try({EditKind::kWord, i}, place, before);
    }
    if (token.type == Grammar::ARROW) Try({EditKind::kSplit, i}, place, before);
    if (token.type == Grammar::FLOAT && token.text.find_first_not_of("0123456789.") == std::string_view::npos)
      Try({EditKind::kSplit, i}, place, before);
  }
}

// Tries to divide a word into two, because the mark between them is missing: `floatN]`, `Relux)`, `axis1>`, `scaledMul
// (`. One of the two must be a known word.
void RepairSearch::Search::TryParts(std::size_t at, Place place, const Candidate& before) {
  const std::string_view word = tokens_[at]->text;
  const std::size_t begin = tokens_[at]->begin;
  if (word.size() > kLongWord) return;
  const bool is_near = at + 1 >= found_;
  const std::string_view text = is_near ? s_.Slice(begin - std::min(begin, kLong), begin) : "";
  for (std::size_t cut = 1; cut < word.size(); ++cut) {
    const std::string_view first = word.substr(0, cut);
    const std::string_view second = word.substr(cut);
    Place behind = place;
    if (!walk_.Step(&behind, TypeOfWord(first))) continue;
    const TokenSet expected = walk_.Expected(behind);  // asked first, because it is faster than a search in the text
    const bool may_open = (expected & (Bit(Grammar::LPAREN) | Bit(Grammar::LBRACKET))) != 0;
    const bool has_value =
        (expected & Bit(Grammar::EQUALS)) != 0 &&
        (TypeOfWord(second) == Grammar::INT || (is_near && IsStandardOperator(second) && IsReadBehind(s_, first)));
    const bool has_bracket = may_open && (IsTypeToken(TypeOfWord(first)) || HasWord(text, second));
    if (!has_value && !has_bracket) continue;
    for (const std::size_t type :
         {std::size_t{Grammar::LPAREN}, std::size_t{Grammar::LBRACKET}, std::size_t{Grammar::EQUALS}}) {
      if (type == Grammar::EQUALS ? !has_value : !has_bracket) continue;
      if ((expected & Bit(type)) != 0) Try({EditKind::kPart, at, type, cut}, place, before);
    }
  }
}

// Tries a second edit after those first edits that are followed by another error.
void RepairSearch::Search::TryPairs() {
  std::ranges::stable_sort(candidates_, [](const Candidate& a, const Candidate& b) {
    return a.reached != b.reached ? a.reached > b.reached : a.cost < b.cost;
  });
  std::vector<Candidate> firsts(
      candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(std::min(kMostPairs, candidates_.size())));
  for (const Candidate& first : firsts) {
    const TokenEdit edit = first.edits.front();
    Place place = places_[edit.at];
    std::size_t next = 0;
    std::vector<Place> places;
    if (!Make(edit, &place, &next)) continue;
    if (edit.kind == EditKind::kDelete && SignAt(edit.at) > 0) continue;  // both would be a whole sign, as `->`
    const std::size_t failed = Run(place, next, &places);
    if (failed == tokens_.size()) continue;
    const std::size_t from = std::max(next, failed - std::min<std::size_t>(failed, 1));
    TryEdits(from, failed, {places.begin() + static_cast<std::ptrdiff_t>(from - next), places.end()}, first);
  }
}

// ---- in the text

namespace {

bool IsListToken(std::size_t type) { return type == Grammar::DATA || type == Grammar::NUMBERS; }

}  // namespace

// Returns the tokens of the corrected text around the mistake, up to the token `last`. Returns nothing if they are not
// allowed.
std::optional<std::string> RepairSearch::Search::TryInText(std::vector<FixIt> edits, std::size_t last) {
  const std::size_t end = last < tokens_.size() ? tokens_[last]->begin : tokens_.back()->range().end;
  // Begins shortly before the first edit, because earlier tokens may have been repaired without a change of the text.
  std::size_t begin = s_.found->begin;
  for (const FixIt& edit : edits) begin = std::min(begin, edit.range.begin);
  std::size_t first = std::min(found_, places_.size() - 1);
  for (std::size_t before = 2; first > 0 && before > 0; --first) {
    if (tokens_[first]->begin < begin) --before;
  }
  // A list is one token only after a type or a `=`, so the text must begin before it.
  while (first > 0 && IsListToken(tokens_[first]->type)) --first;
  begin = std::min(begin, tokens_[first]->begin);
  for (FixIt& edit : edits) {
    if (edit.range.end > end) return std::nullopt;
    edit.range = {edit.range.begin - begin, edit.range.end - begin};
  }
  const std::string corrected = Corrected(s_.Slice(begin, end), &edits);
  TokenStream tokens(corrected, Scanner::ListTokens::kNumbers);
  Place place = places_[first];
  std::string squeezed;
  for (std::size_t i = 0; i < first; ++i) squeezed.append(tokens_[i]->text).push_back('\n');
  for (; tokens.current()->type != antlr4::Token::EOF; tokens.consume()) {
    if (!walk_.Step(&place, tokens.current()->type)) return std::nullopt;
    squeezed.append(tokens.current()->text).push_back('\n');
  }
  const bool is_end = last >= tokens_.size() && tokens_.back()->type == antlr4::Token::EOF;
  if (is_end && !walk_.Step(&place, antlr4::Token::EOF)) return std::nullopt;
  return squeezed;
}

bool RepairSearch::Search::HasTokens() {
  if (!has_tokens_) has_tokens_ = FindTokens();
  return *has_tokens_;
}

bool RepairSearch::Search::GoesOn(std::vector<FixIt> edits) {
  if (!HasTokens()) return true;  // this cannot be checked
  std::size_t begin = s_.found->begin;
  std::size_t end = s_.found->begin;
  for (const FixIt& edit : edits) {
    begin = std::min(begin, edit.range.begin);
    end = std::max(end, edit.range.end);
  }
  if (found_ > 0 ? begin <= tokens_.front()->begin : begin < s_.found->begin) return true;
  if (end > tokens_.back()->begin) return true;
  std::size_t last = found_;
  while (last < tokens_.size() && tokens_[last]->begin < end) ++last;
  return TryInText(std::move(edits), last + kSome).has_value();
}

// Returns whether parsing could go on equally well if the mark beside one of two words, between which a ',' would be
// inserted, stood on the other side of this word: in `(, x y)`, the first two tokens may be swapped.
bool RepairSearch::Search::MayBeSwapped(const Candidate& comma) const {
  const TokenEdit& edit = comma.edits.front();
  if (edit.kind != EditKind::kInsert || edit.type != Grammar::COMMA) return false;
  return std::ranges::any_of(candidates_, [&](const Candidate& other) {
    if (other.edits.size() != 1 || other.edits.front().kind != EditKind::kSwap) return false;
    return other.edits.front().at == edit.at || other.edits.front().at + 2 == edit.at;
  });
}

// Considers only the candidates after which the most tokens are valid, and returns the one of least cost. Sets its
// `is_sure` to false if another one is nearly as good.
std::optional<RepairSearch::Search::Candidate> RepairSearch::Search::Best() {
  std::size_t farthest = 0;
  for (const Candidate& candidate : candidates_) farthest = std::max(farthest, candidate.reached);
  if (farthest < tokens_.size() && farthest < found_ + kEnough) return std::nullopt;
  std::erase_if(candidates_, [&](const Candidate& candidate) { return candidate.reached < farthest; });
  std::ranges::stable_sort(candidates_, {}, &Candidate::cost);
  std::optional<Candidate> best;
  std::string text;
  std::size_t tried = 0;
  for (Candidate& candidate : candidates_) {
    if (best && candidate.cost >= best->cost + kSure) return best;
    if (++tried > kMostTried) {
      if (best) best->is_sure = false;
      return best;
    }
    const std::optional<std::string> corrected = TryInText(EditsOf(candidate), candidate.reached);
    if (!corrected) continue;
    if (best && *corrected == text) continue;
    if (best) {
      best->is_sure = false;
      return best;
    }
    text = *corrected;
    best = std::move(candidate);
  }
  return best;
}

std::optional<Repair> RepairSearch::Search::Find(std::size_t most_edits) {
  if (!HasTokens()) return std::nullopt;
  candidates_.clear();
  StopAtKey();
  const std::size_t from = found_ - std::min(found_, kBack);
  TryEdits(from, found_, {places_.begin() + static_cast<std::ptrdiff_t>(from), places_.end()}, {});
  const bool goes_on = std::ranges::any_of(candidates_, [&](const Candidate& candidate) {
    return candidate.reached == tokens_.size() || candidate.reached >= found_ + kEnough;
  });
  if (!goes_on && most_edits > 1) TryPairs();
  const std::optional<Candidate> best = Best();
  if (!best || !std::ranges::all_of(best->edits, [&](TokenEdit edit) { return IsPlausible(edit); }))
    return std::nullopt;
  Repair repair{.diagnostic = Explain(*best), .here = std::nullopt, .is_sure = best->is_sure};
  const TokenEdit& first = best->edits.front();
  repair.diagnostic.fix_its = EditsOf(*best);
  const bool is_other = first.kind == EditKind::kReplace && IsOpening(first.type) && IsOpening(tokens_[first.at]->type);
  repair.is_lost_mark = best->edits.size() == 1 && ((first.kind == EditKind::kInsert && IsOpening(first.type)) ||
                                                    (first.kind == EditKind::kDelete && IsDoubled(first.at)) ||
                                                    first.kind == EditKind::kPart || is_other);
  repair.is_closing = best->edits.size() == 1 && first.kind == EditKind::kInsert && IsClosing(first.type);
  repair.may_be_swapped = MayBeSwapped(*best);
  repair.is_sure = repair.is_sure && !repair.may_be_swapped;
  repair.goes_far = best->reached == tokens_.size() || best->reached >= found_ + kAhead / 2;
  if (const std::optional<FixIt> closing = ClosingFor(first)) {
    repair.diagnostic.fix_its.push_back(*closing);
    return repair;
  }
  if (best->edits.size() == 1 && first.at == found_) repair.here = first;
  return repair;
}

bool IsBodyOfItem(const Context* context) {
  if (context->getRuleIndex() != Grammar::RuleBody || context->parent == nullptr) return false;
  return static_cast<const Context*>(context->parent)->getRuleIndex() == Grammar::RuleNamed;
}

RepairSearch::RepairSearch(const Situation& situation, NodesBefore before)
    : search_(std::make_unique<Search>(situation, before)) {}
RepairSearch::~RepairSearch() = default;

bool RepairSearch::GoesOn(const std::vector<FixIt>& edits) { return search_->GoesOn(edits); }

std::optional<Repair> RepairSearch::Find(std::size_t most_edits) { return search_->Find(most_edits); }

std::optional<Repair> RepairSearch::FindQuote() { return search_->FindQuote(); }

}  // namespace onnxc::syntax
