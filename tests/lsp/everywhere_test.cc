// Completion and code actions at any place of a valid text give a valid text.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lsp/completion_list.h"
#include "lsp/operators.h"
#include "lsp/right_texts.h"
#include "symbols/tokens.h"
#include "testing/proto.h"
#include "testing/random_values.h"
#include "testing/sprinkled.h"

namespace onnxc::lsp::everywhere_test {
namespace {

bool Parses(const std::string& text) { return ParsePartial(text).diagnostics.ok(); }

/// The text after a completion item is accepted; its placeholders keep their default texts.
std::string Accepted(const RightText& document, const Json& item) {
  Json edit = item["textEdit"];
  if (item.contains("insertTextFormat")) edit["newText"] = WithoutPlaceholders(edit["newText"].get<std::string>());
  return document.After(Json::array({edit}));
}

/// Returns the number of errors of each kind in a text.
std::map<std::string, int> ErrorsIn(const std::string& text) {
  const Snapshot snapshot("file:///nowhere/right.onnxtxt", 0, text, Encoding::kUtf16, std::make_shared<Settings>());
  std::map<std::string, int> errors;
  for (const Diagnostic& finding : snapshot.findings().items()) {
    if (finding.severity == Severity::kError) ++errors[std::string(Name(finding.kind))];
  }
  return errors;
}

bool HasNewErrors(const std::string& after, std::map<std::string, int> before) {
  return std::ranges::any_of(ErrorsIn(after), [&](const auto& row) { return row.second > before[row.first]; });
}

class Completions : public ::testing::TestWithParam<bool> {};

// Each list contains items of only a few forms, so testing some items of each list is enough.
TEST_P(Completions, LeaveATextThatParses) {
  const std::vector<std::string> texts = RightTexts();
  ASSERT_GT(texts.size(), 90u);
  std::vector<std::unique_ptr<RightText>> documents;
  for (const std::string& text : texts) documents.push_back(std::make_unique<RightText>(text, GetParam()));
  std::mt19937 random(29);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the positions are the same each time
  constexpr std::size_t kSome = 6;
  std::size_t accepted = 0;
  std::vector<std::string> broken;
  for (std::size_t i = 0; i < CountOfPositions(2000); ++i) {
    RightText& document = *documents[random() % documents.size()];
    const std::size_t offset = PlaceNear(document.text(), random() % (document.text().size() + 1));
    SCOPED_TRACE(document.text().substr(0, offset) + "$" + document.text().substr(offset));
    const Json items = document.Ask("textDocument/completion", {offset, offset})["items"];
    const std::size_t step = std::max<std::size_t>(1, items.size() / kSome);
    for (std::size_t at = 0; at < items.size(); at += step) {
      ++accepted;
      EXPECT_NE(items[at]["label"], "") << items[at];
      const std::string after = Accepted(document, items[at]);
      if (Parses(after)) continue;
      broken.push_back(document.text().substr(0, offset) + "$" + document.text().substr(offset) + "\n==> " +
                       items[at]["label"].get<std::string>() + "\n" + after);
    }
  }
  EXPECT_GT(accepted, CountOfPositions(2000));
  EXPECT_LE(broken.size() * 100, accepted * 3) << broken.size() << " of " << accepted;
  for (std::size_t i = 0; i < broken.size() && std::getenv("ONNXC_SHOW") != nullptr; ++i) {
    std::cout << "-------- " << i << "\n" << broken[i] << "\n";
  }
  RecordProperty("accepted", static_cast<int>(accepted));
  RecordProperty("broken", static_cast<int>(broken.size()));
}

INSTANTIATE_TEST_SUITE_P(Snippets, Completions, ::testing::Bool());

/// Whether a name in a node is defined elsewhere: as a value, a function or a known operator. (The outputs of a graph
/// are named before they are defined.)
bool IsKnownName(const Snapshot& text, const TextToken& token) {
  const SymbolIndex& symbols = text.symbols();
  const Occurrence* const name = symbols.OccurrenceAt(token.range.begin);
  const bool is_word = token.kind == TokenKind::kName || token.kind == TokenKind::kKeyword;
  if (!is_word || name == nullptr || name->range != token.range || name->is_definition) return false;
  const Symbol& symbol = symbols.symbols()[name->symbol];
  const SymbolId node = symbols.NodeAt(token.range.begin);
  const auto id = static_cast<SymbolId>(name - symbols.occurrences().data());
  const auto names_result = [id](const TextScope& scope) {
    return std::ranges::find(scope.outputs, id) != scope.outputs.end();
  };
  if (node == kNoSymbol || std::ranges::any_of(symbols.scopes(), names_result)) return false;
  if (symbol.kind == SymbolKind::kOperator) return OperatorOf(text, symbols.nodes()[node]) != nullptr;
  return symbol.kind == SymbolKind::kFunction || (symbol.kind == SymbolKind::kValue && symbol.definition != kNoSymbol);
}

TEST(Completion, OffersWhatStoodThere) {
  std::mt19937 random(30);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the positions are the same each time
  std::size_t asked = 0;
  std::vector<std::string> missing;
  for (const std::string& text : RightTexts()) {
    RightText document(text);
    const Snapshot read("file:///models/model.onnxtxt", 0, text, Encoding::kUtf16, std::make_shared<const Settings>());
    for (const TextToken& token : TokensIn(text, {0, text.size()})) {
      if (!IsKnownName(read, token)) continue;
      const std::size_t offset = token.range.begin + random() % (token.range.end - token.range.begin + 1);
      SCOPED_TRACE(text.substr(0, offset) + "$" + text.substr(offset));
      const Json items = document.Ask("textDocument/completion", {offset, offset})["items"];
      ++asked;
      if (std::ranges::any_of(items, [&](const Json& item) { return Accepted(document, item) == text; })) continue;
      missing.push_back(text.substr(0, offset) + "$" + text.substr(offset));
    }
  }
  EXPECT_GT(asked, 200u);
  EXPECT_LE(missing.size() * 100, asked * 2) << missing.size() << " of " << asked;
  for (std::size_t i = 0; i < missing.size() && std::getenv("ONNXC_SHOW") != nullptr; ++i) {
    std::cout << "-------- " << i << "\n" << missing[i] << "\n";
  }
}

/// Returns whether an error may follow from accepting an item of this kind in the place of another word: it is about
/// how the accepted word and others fit together, or about what the removed word has named or declared.
bool MayFollow(ItemKind item, const std::string& error) {
  static const std::set<std::string> of_types = {
      "declared-type", "operand-type",      "operand-types-differ", "operand-size",     "operand-value",
      "operand-kind",  "dimension-clash",   "dimension-value",      "rank-clash",       "broadcast-clash",
      "axis-range",    "not-a-tensor-type", "attributes-clash",     "attribute-length", "tensor-too-many",
      "subgraph-type", "branches-differ",   "external-length"};
  static const std::set<std::string> of_calls = {"input-count",     "output-count",      "required-input",
                                                 "required-output", "missing-attribute", "unknown-attribute",
                                                 "attribute-kind",  "attribute-range",   "axis-range",
                                                 "element-range",   "wrong-literal",     "deprecated-operator"};
  static const std::set<std::string> of_headers = {
      "domain-not-imported",  "function-domain",   "function-opset",   "ir-version-missing",
      "missing-attribute",    "unknown-attribute", "unknown-operator", "opset-import-missing",
      "operator-declaration", "unknown-function",  "type-missing",     "unknown-output"};
  static const std::set<std::string> of_names = {"unknown-name",    "unknown-output", "function-output-unknown",
                                                 "subgraph-inputs", "type-missing",   "operator-declaration"};
  if (of_types.contains(error)) return true;
  switch (item) {
    case ItemKind::kOperator: return of_calls.contains(error);
    case ItemKind::kFunction:  // its domain may be missing, or not be imported yet
      return of_calls.contains(error) || error == "unknown-operator" || error == "domain-not-imported";
    case ItemKind::kModule:
    case ItemKind::kProperty: return of_headers.contains(error);
    case ItemKind::kTypeParameter: return of_names.contains(error);  // the removed word may be the name after the type
    default: return false;
  }
}

// A word is removed, and some of what is offered in its place is accepted. The text then has no errors that it has
// neither with the word nor without it.
TEST(Completion, OffersNothingThatIsWrongThere) {
  std::mt19937 random;  // NOLINT(cert-msc51-cpp): each text has a seed of its own
  constexpr std::size_t kSome = 12;
  std::size_t accepted = 0;
  std::set<int> kinds;
  const std::vector<std::string> texts = RightTexts();
  const std::size_t of_each = 1 + CountOfPositions(4000) / texts.size();
  for (std::size_t i = 0; i < of_each * texts.size(); ++i) {
    const std::string& text = texts[i / of_each];
    if (i % of_each == 0) {
      std::seed_seq seed(text.begin(), text.end());
      random.seed(seed);
    }
    const std::vector<TextToken> tokens = TokensIn(text, {0, text.size()});
    const TextToken token = tokens[random() % tokens.size()];
    if (token.kind == TokenKind::kMark || token.kind == TokenKind::kNumbers || token.kind == TokenKind::kPragma)
      continue;
    const std::string before = text.substr(0, token.range.begin);
    const std::string after = text.substr(token.range.end);
    SCOPED_TRACE(before + "$" + text.substr(token.range.begin));
    RightText document(before + after);
    const Json items = document.Ask("textDocument/completion", {before.size(), before.size()})["items"];
    if (items.empty()) continue;
    const std::map<std::string, int> with = ErrorsIn(text);
    const std::map<std::string, int> without = ErrorsIn(before + after);
    const bool has_no_version = with.contains("ir-version-negative") || with.contains("domain-not-imported");
    const auto count_in = [](const std::map<std::string, int>& errors, const std::string& error) {
      const auto found = errors.find(error);
      return found == errors.end() ? 0 : found->second;
    };
    for (std::size_t some = 0; some < std::min(kSome, items.size()); ++some) {
      const Json& item = items[random() % items.size()];
      const auto kind = static_cast<ItemKind>(item["kind"].get<int>());
      const std::string changed = Accepted(document, item);
      ++accepted;
      kinds.insert(static_cast<int>(kind));
      for (const auto& [error, count] : ErrorsIn(changed)) {
        if (count <= std::max(count_in(with, error), count_in(without, error)) || MayFollow(kind, error)) continue;
        if (error == "unknown-operator" && has_no_version) continue;
        ADD_FAILURE() << error << " after accepting " << item["label"] << ":\n" << changed;
      }
    }
  }
  EXPECT_GT(accepted, CountOfPositions(2000));
  EXPECT_EQ(kinds, std::set<int>({3, 6, 9, 10, 12, 14, 24, 25})) << "the kinds of ItemKind";
}

// Each code action at each word, and for some ranges of each text.
TEST(CodeActions, LeaveNoNewErrors) {
  const std::vector<std::string> texts = RightTexts();
  std::mt19937 random(31);  // NOLINT(cert-msc51-cpp): a fixed seed, so that the positions are the same each time
  std::set<std::string> titles;
  std::size_t made = 0;
  const std::size_t positions = CountOfPositions(12);
  for (const std::string& text : texts) {
    RightText document(text);
    const std::map<std::string, int> before = ErrorsIn(text);
    const std::vector<TextToken> tokens = TokensIn(text, {0, text.size()});
    std::set<std::string> seen;
    for (std::size_t i = 0; i < tokens.size() + positions; ++i) {
      const std::size_t first = i < tokens.size() ? i : random() % tokens.size();
      const std::size_t last = i < tokens.size() ? i : std::min(tokens.size() - 1, first + 1 + random() % 30);
      const SourceRange range = {tokens[first].range.begin, tokens[last].range.end};
      const bool is_cursor = first == last;
      SCOPED_TRACE(fmt::format("{}..{} of\n{}", range.begin, range.end, text));
      const Json actions = document.Ask("textDocument/codeAction", {range.begin, is_cursor ? range.begin : range.end},
                                        {{"context", {{"diagnostics", Json::array()}}}});
      for (const Json& action : actions) {
        if (!action.contains("edit")) continue;
        const std::string after = document.AfterEdit(action["edit"]);
        if (!seen.insert(after).second) continue;
        ++made;
        titles.insert(action["kind"].get<std::string>());
        EXPECT_FALSE(HasNewErrors(after, before)) << action["title"] << "\n" << text << "\n==>\n" << after;
      }
    }
  }
  EXPECT_GT(texts.size(), 100u);
  EXPECT_GT(made, 200u);
  RecordProperty("texts", static_cast<int>(texts.size()));
  RecordProperty("actions", static_cast<int>(made));
  EXPECT_GE(titles.size(), 4u);
}

/// Returns the model with its imports in the order of the domains, as bytes.
std::string WithSortedImports(const std::string& text) {
  auto model = testing::ParseText<onnx::ModelProto>(text, {.tell_functions_apart = true});
  const auto sort = [](auto* imports) { std::ranges::stable_sort(*imports, {}, &onnx::OperatorSetIdProto::domain); };
  sort(model.mutable_opset_import());
  for (onnx::FunctionProto& function : *model.mutable_functions()) sort(function.mutable_opset_import());
  return testing::Bytes(model);
}

// Code actions and hints at random ranges of texts with white space and comments between any two tokens.
TEST(CodeActions, OfMessyTextsKeepComments) {
  const std::vector<std::string> texts = RightTexts();
  testing::RandomValues random(32);
  std::map<std::string, std::size_t> made;  // the number of edits of each kind
  for (std::size_t i = 0; i < CountOfPositions(150) && !::testing::Test::HasFailure(); ++i) {
    constexpr std::size_t kRarities[] = {0, 40, 5};
    const std::string text = testing::Sprinkled(random.Pick(texts), &random, random.Pick(kRarities));
    SCOPED_TRACE(text);
    RightText document(text);
    const std::map<std::string, int> before = ErrorsIn(text);
    std::vector<std::string> comments = testing::CommentsIn(text);
    std::ranges::sort(comments);
    const auto expect_kept = [&](const std::string& kind, const Json& title, const std::string& after) {
      ++made[kind];
      EXPECT_FALSE(HasNewErrors(after, before)) << title << "\n" << text << "\n==>\n" << after;
      std::vector<std::string> kept = testing::CommentsIn(after);
      std::ranges::sort(kept);
      EXPECT_TRUE(std::ranges::includes(kept, comments)) << title << "\n" << text << "\n==>\n" << after;
    };
    for (int j = 0; j < 8; ++j) {
      const std::size_t begin = PlaceNear(text, random.Below(text.size() + 1));
      const std::size_t end = PlaceNear(text, std::min(text.size(), begin + random.Below(random.OneIn(2) ? 1 : 400)));
      const Json actions = document.Ask("textDocument/codeAction", {begin, std::max(begin, end)},
                                        {{"context", {{"diagnostics", Json::array()}}}});
      for (const Json& action : actions) {
        if (!action.contains("edit")) continue;
        const std::string after = document.AfterEdit(action["edit"]);
        expect_kept(action["kind"], action["title"], after);
        if (action["kind"] != "source.organizeImports") continue;
        EXPECT_EQ(WithSortedImports(after), WithSortedImports(text)) << text << "\n==>\n" << after;
      }
    }
    const Json hints = document.Ask("textDocument/inlayHint", {0, text.size()});
    const Json hint = hints.empty() ? Json() : hints[random.Below(hints.size())];
    if (hint.contains("textEdits")) expect_kept("hint", hint["label"], document.After(hint["textEdits"]));
  }
  EXPECT_GE(made.size(), 6u);
  for (const auto& [kind, count] : made) RecordProperty(kind, static_cast<int>(count));
}

}  // namespace
}  // namespace onnxc::lsp::everywhere_test
