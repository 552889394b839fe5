#include "lsp/completion_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "lsp/markup.h"
#include "lsp/operators.h"
#include "lsp/spelling.h"
#include "tables/operator_docs.h"

namespace onnxc::lsp {
namespace {

// The maximum number of items in one list. The client asks again when the user has typed more letters.
constexpr std::size_t kMostItems = 200;

bool ContainsLetters(std::string_view name, std::string_view letters) {
  const auto same = [](char a, char b) { return Lower(a) == Lower(b); };
  return letters.empty() || std::search(name.begin(), name.end(), letters.begin(), letters.end(), same) != name.end();
}

/// Returns whether the elements of the enclosing list are separated by commas.
bool IsInList(Slot slot) {
  switch (slot) {
    case Slot::kHeaderKey:
    case Slot::kImport:
    case Slot::kDeclaration:
    case Slot::kDimension:
    case Slot::kOperand:
    case Slot::kAttributeName: return true;
    default: return false;
  }
}

}  // namespace

std::string WithoutPlaceholders(std::string_view snippet) {
  std::string text;
  bool is_inside = false;  // the last character was inside of a placeholder
  for (std::size_t at = 0; at < snippet.size(); ++at) {
    const char c = snippet[at];
    if (c == '\\' && at + 1 < snippet.size()) {
      text += snippet[++at];
    } else if (c == '$') {
      is_inside = at + 1 < snippet.size() && snippet[at + 1] == '{';
      at = snippet.find_first_not_of("0123456789", at + (is_inside ? 2 : 1));
      if (at == std::string_view::npos) break;
      if (!is_inside || snippet[at] != ':') --at;
    } else if (c == '}' && is_inside) {
      is_inside = false;
    } else {
      text += c;
    }
  }
  return text;
}

std::pair<const Snapshot*, SymbolId> CompletionList::CalledFunction() const {
  const auto find = [&](const Snapshot& text) {
    return FindFunction(text.symbols(), context_.domain, context_.op, context_.overload);
  };
  if (const SymbolId own = find(view_.known()); own != kNoSymbol) return {&view_.known(), own};
  for (const auto& library : libraries_) {
    if (const SymbolId scope = find(*library); scope != kNoSymbol) return {library.get(), scope};
  }
  return {nullptr, kNoSymbol};
}

const Operator* CompletionList::CalledOperator() const {
  if (CalledFunction().first != nullptr) return nullptr;
  return OperatorIn(view_.known(), context_.scope, context_.domain, context_.op);
}

void CompletionList::Add(Item item) {
  if (!ContainsLetters(item.label, context_.letters)) return;
  if (item.text.empty()) item.text = SnippetText(item.label);
  items_.push_back(std::move(item));
}

// Returns the separator to add between the new element and the next element of the list. Returns "" if the next token
// is on another line: it may belong to something else, because the closing bracket is often missing while a list is
// being written.
std::string_view CompletionList::Separator() const {
  if (!IsInList(context_.slot) || !context_.next) return "";
  const SourceRange gap = {context_.word.end, context_.next->range.begin};
  if (view_.current().TextOf(gap).find('\n') != std::string_view::npos) return "";
  const bool is_mark = context_.next->kind == TokenKind::kMark;
  const bool begins_element = !is_mark || context_.mark == "?" || context_.mark == "@" || context_.mark == "@{";
  const bool has_name = context_.slot == Slot::kDeclaration && context_.word.begin < context_.word.end;
  return begins_element && !has_name ? ", " : "";
}

Json CompletionList::Entry(const Item& item, std::size_t order) const {
  const std::string text = item.text + std::string(item.is_element ? Separator() : "");
  const bool is_snippet = client_.snippets && text.find('$') != std::string::npos;
  Json entry = {{"label", item.label},
                {"kind", static_cast<int>(item.kind)},
                {"sortText", fmt::format("{}{:04}", item.rank, order)},
                {"textEdit",
                 {{"range", view_.current().RangeOf(context_.word)},
                  {"newText", is_snippet ? text : WithoutPlaceholders(text)}}}};
  if (is_snippet) entry["insertTextFormat"] = 2;
  const std::string detail = item.op == nullptr ? item.detail : SignatureOf(*item.op);
  const std::string_view doc = item.op == nullptr ? item.doc : FirstSentence(DocOf(*item.op));
  if (!detail.empty()) entry["detail"] = detail;
  if (!doc.empty()) entry["documentation"] = MarkupOf(doc, client_.completion_markdown);
  // Clients filter items by comparing `filterText` with the text that the item replaces.
  if (context_.is_quoted) entry["filterText"] = item.label.starts_with('"') ? item.label : '"' + item.label;
  return entry;
}

Json CompletionList::Take() {
  const std::string_view word = view_.current().TextOf(context_.word);
  const auto by_rank = [](const Item& item) { return std::tuple(item.rank, item.distance); };
  std::ranges::stable_sort(items_, {}, by_rank);
  const bool is_incomplete = items_.size() > kMostItems;
  if (is_incomplete) {  // the list must keep the item that equals the word in the text
    const auto written = std::find_if(items_.begin() + kMostItems, items_.end(),
                                      [&](const Item& item) { return WithoutPlaceholders(item.text) == word; });
    if (written != items_.end()) std::swap(items_[kMostItems - 1], *written);
    items_.resize(kMostItems);
  }
  Json entries = Json::array();
  for (const Item& item : items_) entries.push_back(Entry(item, entries.size()));
  return {{"isIncomplete", is_incomplete}, {"items", std::move(entries)}};
}

}  // namespace onnxc::lsp
