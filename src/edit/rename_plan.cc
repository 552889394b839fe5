#include "edit/rename_plan.h"

#include <fmt/format.h>
#include <onnxc/set.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "check/declaration.h"
#include "source/message_cast.h"
#include "source/names.h"
#include "source/report.h"
#include "symbols/spelling.h"
#include "symbols/tokens.h"
#include "tables/signatures.h"

namespace onnxc::edit {
namespace {

/// Returns whether the name is a number, such as -1, 1.5 or +1.
bool IsNumber(std::string_view name) {
  if (name.starts_with('+') || name.starts_with('.')) name.remove_prefix(1);  // a number in other languages
  const std::vector<TextToken> tokens = TokensIn(name, {0, name.size()});
  return tokens.size() == 1 && tokens[0].kind == TokenKind::kNumber && tokens[0].range == SourceRange{0, name.size()};
}

/// Finds a reason why a renaming must be refused.
class Conflicts {
 public:
  Conflicts(const Names& names, const NewNames& new_names) : names_(names), new_names_(new_names) {}

  std::optional<Refusal> Find() {
    for (const auto& [id, name] : new_names_) {
      if (names_.entities()[id].kind == EntityKind::kDimension) RequireNoSize(id, name);
      if (names_.entities()[id].kind == EntityKind::kDomain && NodeDomain(name).empty()) {
        Refuse(id, "that is the domain of the standard operators", names_.entities()[id].site);
      }
    }
    RequireDifference();
    RequireWholeStrings();
    RequireSameDeclarations();
    return std::move(refusal_);
  }

 private:
  [[nodiscard]] std::string_view NewName(NameId id) const {
    const auto found = new_names_.find(id);
    return found == new_names_.end() ? names_.entities()[id].name : std::string_view(found->second);
  }

  void Refuse(NameId id, std::string why, NameId site, DiagnosticKind kind = DiagnosticKind::kDuplicateName) {
    if (!refusal_) refusal_ = Refusal{.entity = id, .why = std::move(why), .site = site, .kind = kind};
  }

  /// Refuses a size, and any other number, as the name of a dimension.
  void RequireNoSize(NameId id, std::string_view name) {
    const Entity& entity = names_.entities()[id];
    const auto dimension = ReadDimension(name);
    const bool is_size = dimension && !dimension->has_dim_param();
    if (!is_size && !IsNumber(name)) return;
    const std::string size = !is_size ? "8" : dimension->has_dim_value() ? std::to_string(dimension->dim_value()) : "?";
    Refuse(id,
           fmt::format("that is not a name; 'onnxc set --dim {}={}' sets the size of the dimension",
                       Quoted(entity.name), size),
           entity.site, DiagnosticKind::kWrongLiteral);
  }

  // ---- names that would become equal

  /// Refuses a renaming after which two entities have the same name where only one can have it. A value is also visible
  /// in subgraphs: another value there must not have its name, because a node would then read that value instead.
  void RequireDifference() {
    NameSet wanted;
    for (const auto& [id, name] : new_names_) wanted.insert(name);
    std::map<std::tuple<EntityKind, NameId, std::string_view>, NameId> first;
    const auto place = [&](NameId id) {
      const Entity& entity = names_.entities()[id];
      const bool is_called = entity.kind == EntityKind::kOperator;  // functions and operators are called alike
      return std::tuple(is_called ? EntityKind::kFunction : entity.kind, entity.owner, NewName(id));
    };
    for (NameId id = 0; id < names_.entities().size(); ++id) {
      if (!wanted.contains(NewName(id))) continue;
      const auto [found, is_new] = first.try_emplace(place(id), id);
      if (!is_new) RequireSame(found->second, id);
    }
    for (const auto& [where, id] : first) {
      auto [kind, scope, name] = where;
      while (kind == EntityKind::kValue && (scope = names_.scopes()[scope].parent) != kNoName) {
        const auto found = first.find({kind, scope, name});
        if (found != first.end()) RequireSame(found->second, id);
      }
    }
  }

  /// Refuses two entities with the same final name, unless they already had the same name.
  void RequireSame(NameId a, NameId b) {
    if (names_.entities()[a].name == names_.entities()[b].name) return;
    const NameId renamed = new_names_.contains(a) ? a : b;
    const NameId other = renamed == a ? b : a;
    const std::string quoted = "'" + Quoted(names_.entities()[other].name) + "'";
    const auto why = [&]() -> std::string {
      if (new_names_.contains(other)) return quoted + " gets the same name";
      switch (names_.entities()[other].kind) {
        case EntityKind::kValue: return quoted + " is already the name of another value here";
        case EntityKind::kNode: return "another node of the graph has this name";
        case EntityKind::kDomain: return "the model has another domain of this name";
        default: return quoted + " already exists";
      }
    };
    Refuse(renamed, why(), names_.entities()[other].site);
  }

  // ---- names in other strings

  /// Refuses to rename something that a longer string names, such as `N` in the type "T[N]" of a declared operator.
  void RequireWholeStrings() {
    for (NameId i = 0; i < names_.sites().size(); ++i) {
      const NameSite& site = names_.sites()[i];
      if (site.form == NameSite::Form::kPart && new_names_.contains(site.entity)) {
        Refuse(site.entity,
               fmt::format("'{}' also appears in a longer string, where it cannot be renamed",
                           Quoted(names_.entities()[site.entity].name)),
               i);
      }
    }
  }

  /// The keys of a function's metadata declare its parameters, variables for their types, or something for a tool.
  /// Refuses a name that would turn a key into one of another kind.
  void RequireSameDeclarations() {
    for (NameId i = 0; i < names_.sites().size(); ++i) {
      const NameSite& site = names_.sites()[i];
      if (site.form != NameSite::Form::kMetadataKey || check::IsDeclaringKey(NewName(site.entity))) continue;
      Refuse(site.entity, "this key in the metadata of an operator would then declare nothing", i);
    }
    std::map<std::tuple<EntityKind, NameId, std::string_view>, NameId> renamed;
    for (const auto& [id, name] : new_names_) {
      renamed.try_emplace({names_.entities()[id].kind, names_.entities()[id].owner, name}, id);
    }
    for (NameId scope = 0; scope < names_.scopes().size(); ++scope) {
      const auto* const function = MessageCast<onnx::FunctionProto>(*names_.scopes()[scope].message);
      if (function == nullptr) continue;
      for (const auto& entry : function->metadata_props()) {
        for (const auto& [kind, owner] :
             {std::pair(EntityKind::kValue, scope), {EntityKind::kAttribute, names_.scopes()[scope].function}}) {
          const auto found = renamed.find({kind, owner, entry.key()});
          if (found == renamed.end() || new_names_.contains(names_.Find(kind, owner, entry.key()))) continue;
          Refuse(found->second,
                 fmt::format("'{}' is already a key in the metadata of the function", Quoted(entry.key())),
                 names_.entities()[found->second].site);
        }
      }
    }
  }

  const Names& names_;
  const NewNames& new_names_;
  std::optional<Refusal> refusal_;
};

}  // namespace

std::optional<Refusal> FindConflict(const Names& names, const NewNames& new_names) {
  return Conflicts(names, new_names).Find();
}

void Rename(const Names& names, const NewNames& new_names) {
  for (const NameSite& site : names.sites()) {
    const auto found = new_names.find(site.entity);
    if (found == new_names.end()) continue;
    auto* const message = const_cast<google::protobuf::Message*>(site.message);
    const auto* const reflection = message->GetReflection();
    if (site.field->is_repeated()) {
      reflection->SetRepeatedString(message, site.field, site.index, found->second);
    } else {
      reflection->SetString(message, site.field, found->second);
    }
  }
}

SourceRange TextNames::RangeOf(const NameSite& site) const {
  const SourceRange* around = parsed_.places.FindOwn(*site.message, site.field->number(), site.index);
  const bool is_dimension = site.message->GetDescriptor() == onnx::TensorShapeProto::Dimension::descriptor();
  if (around == nullptr && is_dimension) around = parsed_.places.Find(*site.message);
  if (around == nullptr || site.form == NameSite::Form::kPart) return kNowhere;
  // The range may begin with a type or an annotation. A domain before an operator consists of several tokens.
  const std::vector<TextToken> tokens = TokensIn(text_, *around);
  const auto name_of = [&](const TextToken& token) {
    return NameOf(text_.substr(token.range.begin, token.range.end - token.range.begin));
  };
  const std::string_view name = names_.entities()[site.entity].name;
  if (!tokens.empty() && name_of(tokens.back()) == name) return tokens.back().range;
  std::string joined;
  for (const TextToken& token : tokens) joined += token.kind == TokenKind::kMark ? "." : name_of(token);
  return joined == name || joined == fmt::format(".{}", name) ? *around : kNowhere;
}

SourceRange TextNames::PlaceOf(NameId id) const {
  const NameSite& site = names_.sites()[id];
  const SourceRange range = RangeOf(site);
  const SourceRange* const around = parsed_.places.Find(*site.message, site.field->number(), site.index);
  return range == kNowhere && around != nullptr ? *around : range;
}

NameId TextNames::EntityAt(SourceRange range, std::string_view name) const {
  for (const NameSite& site : names_.sites()) {
    if (names_.entities()[site.entity].name == name && RangeOf(site) == range) return site.entity;
  }
  return kNoName;
}

std::vector<FixIt> TextNames::Edits(const NewNames& new_names, std::optional<Refusal>* refusal) const {
  std::vector<FixIt> edits;
  for (NameId i = 0; i < names_.sites().size(); ++i) {
    const NameSite& site = names_.sites()[i];
    const auto found = new_names.find(site.entity);
    if (found == new_names.end()) continue;
    const Entity& entity = names_.entities()[site.entity];
    const SourceRange range = RangeOf(site);
    if (range == kNowhere) {
      *refusal = Refusal{.entity = site.entity,
                         .why = fmt::format("'{}' also appears here, where it cannot be renamed", Quoted(entity.name)),
                         .site = i};
      return {};
    }
    edits.push_back({range, Spelling(range, entity.kind, found->second)});
  }
  std::ranges::sort(edits, {}, [](const FixIt& edit) { return edit.range.begin; });
  // One name in the text may be two in the message, such as an input with a default value.
  const auto is_same = [](const FixIt& a, const FixIt& b) { return a.range == b.range; };
  edits.erase(std::unique(edits.begin(), edits.end(), is_same), edits.end());
  return edits;
}

/// Spells a name at the place of another. A record or an annotation needs a string there.
std::string TextNames::Spelling(SourceRange range, EntityKind kind, std::string_view name) const {
  const bool is_domain = kind == EntityKind::kDomain;
  if (text_[range.end - 1] != '"') return is_domain ? SpelledDomain(name) : Spelled(name);
  const SymbolIndex& symbols = parsed_.symbols;
  const Occurrence* const known = symbols.OccurrenceAt(range.begin);
  const SymbolId node = symbols.NodeAt(range.begin);
  const bool is_label = node != kNoSymbol && symbols.nodes()[node].label == range;
  const bool is_name = is_label || (known != nullptr && known->range == range && !(is_domain && known->is_definition));
  if (!is_name) return InQuotes(name);
  return is_domain ? SpelledDomain(name) : Spelled(name);
}

std::string InQuotes(std::string_view name) {
  const std::string spelled = Spelled(name);
  return spelled.starts_with('"') ? spelled : '"' + spelled + '"';
}

}  // namespace onnxc::edit
