#include "edit/rename_plan.h"

#include <fmt/format.h>
#include <onnxc/set.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "edit/records.h"
#include "source/names.h"
#include "source/report.h"
#include "symbols/spelling.h"
#include "symbols/tokens.h"

namespace onnxc::edit {
namespace {

/// Returns whether the name is a number, such as -1, 1.5 or +1.
bool IsNumber(std::string_view name) {
  if (name.starts_with('+') || name.starts_with('.')) name.remove_prefix(1);  // a number in other languages
  const std::vector<TextToken> tokens = TokensIn(name, {0, name.size()});
  return tokens.size() == 1 && tokens[0].kind == TokenKind::kNumber && tokens[0].range == SourceRange{0, name.size()};
}

class Planner {
 public:
  Planner(std::string_view text, const SymbolIndex& symbols, std::span<const NewName> new_names,
          std::vector<FixIt> others)
      : text_(text), symbols_(symbols) {
    for (const NewName& name : new_names) new_names_.try_emplace(name.symbol, &name.name);
    for (FixIt& edit : others) Add(edit.range, std::move(edit.replacement));
  }

  RenamePlan Run() {
    MakeEdits();
    RequireNoSize();
    RequireDifference();
    RequireNoRecord();
    if (plan_.refusal) plan_.edits.clear();
    return std::move(plan_);
  }

 private:
  /// Returns the final name of a symbol.
  [[nodiscard]] std::string_view NameOfSymbol(SymbolId id) const {
    const auto found = new_names_.find(id);
    return found == new_names_.end() ? symbols_.symbols()[id].name : std::string_view(*found->second);
  }
  [[nodiscard]] bool IsRenamed(SymbolId id) const { return new_names_.contains(id); }

  void Refuse(SymbolId renamed, std::string why, SourceRange range,
              DiagnosticKind kind = DiagnosticKind::kDuplicateName) {
    if (plan_.refusal) return;
    plan_.refusal = {.old_name = std::string(symbols_.symbols()[renamed].name),
                     .new_name = std::string(NameOfSymbol(renamed)),
                     .why = std::move(why),
                     .range = range,
                     .kind = kind};
  }

  [[nodiscard]] SourceRange PlaceOf(SymbolId id) const {
    const Symbol& symbol = symbols_.symbols()[id];
    return symbols_.occurrences()[symbol.definition == kNoSymbol ? symbol.first : symbol.definition].range;
  }

  // ---- edits

  void MakeEdits() {
    for (const auto& [id, name] : new_names_) {
      const bool is_domain = symbols_.symbols()[id].kind == SymbolKind::kDomain;
      const std::string spelled = Spelled(*name);
      for (const Occurrence* const occurrence : symbols_.OccurrencesOf(id)) {
        // Before an operator, a domain is written as words separated by dots; in a header it is a string.
        const bool is_called = is_domain && !occurrence->is_definition;
        Add(occurrence->range, is_called ? SpelledDomain(*name) : is_domain ? InQuotes(*name) : spelled);
      }
    }
    std::ranges::sort(plan_.edits, {}, [](const FixIt& edit) { return edit.range.begin; });
  }

  void Add(SourceRange range, std::string replacement) {
    edited_.insert(range.begin);
    plan_.edits.push_back({range, std::move(replacement)});
  }

  /// Refuses a size, and any other number, as the name of a dimension.
  void RequireNoSize() {
    for (const auto& [id, name] : new_names_) {
      const Symbol& symbol = symbols_.symbols()[id];
      if (symbol.kind != SymbolKind::kDimension) continue;
      const auto dimension = ReadDimension(*name);
      const bool is_size = dimension && !dimension->has_dim_param();
      if (!is_size && !IsNumber(*name)) continue;
      const std::string size = !is_size                     ? "8"
                               : dimension->has_dim_value() ? std::to_string(dimension->dim_value())
                                                            : "?";
      Refuse(id,
             fmt::format("that is not a name; 'onnxc set --dim {}={}' sets the size of the dimension",
                         Quoted(symbol.name), size),
             PlaceOf(id), DiagnosticKind::kWrongLiteral);
    }
  }

  // ---- names that would become equal

  /// Refuses a renaming after which two symbols have the same name in the same scope. A value is also visible in
  /// subgraphs, so its name must differ from the names of the values there. The name of any other symbol must differ
  /// only from those of the symbols with the same owner.
  void RequireDifference() {
    NameMap<std::vector<SymbolId>> called;
    for (const auto& [id, name] : new_names_) called[*name];
    for (SymbolId id = 0; id < symbols_.symbols().size(); ++id) {
      if (symbols_.symbols()[id].first == kNoSymbol) continue;
      const auto found = called.find(NameOfSymbol(id));
      if (found != called.end()) found->second.push_back(id);
    }
    // This loop does not go over `called`, because the order of that table is arbitrary.
    for (const auto& [id, name] : new_names_) {
      std::vector<SymbolId>& ids = called[*name];
      RequireNoCapture(ids);
      RequireNoDouble(ids);
      ids.clear();
    }
  }

  /// Refuses a renaming after which a node would read a different value. This includes a name that would be defined in
  /// a graph and again in one of its subgraphs.
  void RequireNoCapture(const std::vector<SymbolId>& ids) {
    std::vector<SymbolId> values;
    for (const SymbolId id : ids) {
      if (symbols_.symbols()[id].kind == SymbolKind::kValue) values.push_back(id);
    }
    const auto scope_of = [&](SymbolId id) { return symbols_.symbols()[id].scope; };
    std::ranges::stable_sort(values, {}, scope_of);  // scopes are sorted by their beginnings, so outer ones come first
    std::vector<SymbolId> around;
    for (const SymbolId id : values) {
      while (!around.empty() && !IsInside(scope_of(id), scope_of(around.back()))) around.pop_back();
      if (!around.empty()) RequireSame(around.back(), id, "is already the name of another value here");
      around.push_back(id);
    }
  }

  /// Returns whether `inner` is `outer` or is inside of it. `outer` must not begin after `inner`.
  [[nodiscard]] bool IsInside(SymbolId inner, SymbolId outer) const {
    const auto& scopes = symbols_.scopes();
    return inner == outer || scopes[inner].range.begin < scopes[outer].range.end;
  }

  /// Refuses equal names for functions, attributes, dimensions or domains of one owner.
  void RequireNoDouble(const std::vector<SymbolId>& ids) {
    std::map<std::tuple<SymbolKind, std::string_view, std::string_view, SymbolId, SymbolId>, SymbolId> owners;
    for (const SymbolId id : ids) {
      const Symbol& symbol = symbols_.symbols()[id];
      if (symbol.kind == SymbolKind::kValue) continue;
      const bool is_called = symbol.kind == SymbolKind::kFunction || symbol.kind == SymbolKind::kOperator;
      const auto [first, is_new] = owners.try_emplace(
          {is_called ? SymbolKind::kFunction : symbol.kind, symbol.domain, symbol.overload, symbol.scope, symbol.owner},
          id);
      if (!is_new) RequireSame(first->second, id, "already exists");
    }
  }

  /// Refuses two symbols with the same final name, unless they already had the same name.
  void RequireSame(SymbolId a, SymbolId b, std::string_view why) {
    if (symbols_.symbols()[a].name == symbols_.symbols()[b].name) return;
    const SymbolId renamed = IsRenamed(a) ? a : b;
    const SymbolId other = renamed == a ? b : a;
    Refuse(
        renamed,
        fmt::format("'{}' {}", Quoted(symbols_.symbols()[other].name), IsRenamed(other) ? "gets the same name" : why),
        PlaceOf(other));
  }

  // ---- records

  // Refuses a renaming if a record or an annotation may refer to a renamed symbol, because the old name would stay
  // there.
  void RequireNoRecord() {
    using Names = NameMap<SymbolId>;
    // The renamed symbols by kind, and by the item in which they are visible.
    std::map<std::pair<SymbolKind, SymbolId>, Names> renamed;
    for (const auto& [id, name] : new_names_) {
      const Symbol& symbol = symbols_.symbols()[id];
      renamed[{symbol.kind, symbols_.ItemOf(symbol.scope)}].try_emplace(symbol.name, id);
    }
    for (const auto& [where, names] : renamed) {
      const SourceRange range = where.second == kNoSymbol ? SourceRange{0, text_.size()} : RangeOfItem(where.second);
      RecordReader reader(text_, where.first);
      for (const TextToken& token : TokensIn(text_, range)) {
        if (!reader.Read(token) || edited_.contains(token.range.begin)) continue;
        const auto found = names.find(NameOf(text_.substr(token.range.begin, token.range.end - token.range.begin)));
        if (found == names.end() || IsKnown(token.range) || IsOfHeader(where.first, token.range)) continue;
        Refuse(found->second,
               fmt::format("'{}' also appears in a record, where it cannot be renamed", Quoted(found->first)),
               token.range);
      }
    }
  }

  [[nodiscard]] SourceRange RangeOfItem(SymbolId item) const { return symbols_.scopes()[item].range; }

  /// Returns whether the index contains the name at this range.
  [[nodiscard]] bool IsKnown(SourceRange range) const {
    const Occurrence* const known = symbols_.OccurrenceAt(range.begin);
    return known != nullptr && known->range == range;
  }

  /// Returns whether a domain is in a header. The domain in the header of a model is the domain of the model itself,
  /// not a domain of operators.
  [[nodiscard]] bool IsOfHeader(SymbolKind kind, SourceRange range) const {
    if (kind != SymbolKind::kDomain) return false;
    const SymbolId scope = symbols_.ScopeAt(range.begin);
    if (scope == kNoSymbol) return false;
    const SourceRange header = symbols_.scopes()[scope].header;
    return header.begin <= range.begin && range.end <= header.end;
  }

  std::string_view text_;
  const SymbolIndex& symbols_;
  std::map<SymbolId, const std::string*> new_names_;
  std::set<std::size_t> edited_;  // offsets where edits begin
  RenamePlan plan_;
};

}  // namespace

std::string InQuotes(std::string_view name) {
  const std::string spelled = Spelled(name);
  return spelled.starts_with('"') ? spelled : '"' + spelled + '"';
}

RenamePlan PlanRename(std::string_view text, const SymbolIndex& symbols, std::span<const NewName> new_names,
                      std::vector<FixIt> others) {
  return Planner(text, symbols, new_names, std::move(others)).Run();
}

}  // namespace onnxc::edit
