#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/arena.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/rename.h>
#include <onnxc/symbols.h>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "edit/rename_plan.h"
#include "edit/rules.h"
#include "source/meant.h"
#include "source/report.h"
#include "symbols/spelling.h"
#include "symbols/tokens.h"
#include "weights/tensors.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

/// The word for a name of each kind in messages.
constexpr std::array<std::string_view, kNameKinds.size()> kOneOfTheKind = {"value", "node", "function", "dimension",
                                                                           "domain"};

std::optional<NameKind> KindOf(SymbolKind kind) {
  switch (kind) {
    case SymbolKind::kValue: return NameKind::kValue;
    case SymbolKind::kFunction: return NameKind::kFunction;
    case SymbolKind::kDimension: return NameKind::kDimension;
    case SymbolKind::kDomain: return NameKind::kDomain;
    case SymbolKind::kOperator:
    case SymbolKind::kAttribute: return std::nullopt;
  }
  return std::nullopt;
}

/// Returns the range of the value of `domain` in the header of a function, or kNowhere if there is none.
SourceRange DomainInHeader(std::string_view text, SourceRange header) {
  int depth = 0;
  std::string_view key;
  bool is_value = false;
  for (const TextToken& token : TokensIn(text, header)) {
    const std::string_view word = text.substr(token.range.begin, token.range.end - token.range.begin);
    if (is_value) return token.range;
    if (token.kind != TokenKind::kMark) {
      key = word;
      continue;
    }
    is_value = word == ":" && depth == 1 && key == "domain";
    if (word == "<" || word == "[" || word == "{" || word == "@{") ++depth;
    if (word == ">" || word == "]" || word == "}") --depth;
  }
  return kNowhere;
}

class Renaming {
 public:
  Renaming(std::string_view text, const RenameOptions& options)
      : text_(text), options_(options), rules_(options, &found_), fits_(options.rules.size()) {}

  RenameResult Run() {
    if (found_.ok()) Read();
    if (found_.ok()) RequireFits();
    if (!found_.ok()) return {{}, std::move(found_)};
    edit::RenamePlan plan = edit::PlanRename(text_, parsed_.symbols, new_names_, std::move(others_));
    if (plan.refusal) {
      Refuse(plan.refusal->old_name, plan.refusal->new_name, plan.refusal->why, plan.refusal->range,
             plan.refusal->kind);
      return {{}, std::move(found_)};
    }
    return {Applied(plan.edits), std::move(found_)};
  }

 private:
  /// Finds all names and their new names.
  void Read() {
    parsed_ = ParsePartial(text_);
    found_.Append(std::move(parsed_.diagnostics));
    if (!found_.ok()) return;
    const auto& symbols = parsed_.symbols.symbols();
    for (SymbolId id = 0; id < symbols.size(); ++id) {
      const std::optional<NameKind> kind = KindOf(symbols[id].kind);
      if (!kind || symbols[id].first == kNoSymbol) continue;
      const auto first = parsed_.symbols.occurrences()[symbols[id].first].range;
      if (auto name = NewName(*kind, symbols[id].name, first)) new_names_.push_back({id, *std::move(name)});
    }
    ReadNodes();
    ReadFunctions();
    RequireFreshDomains();
  }

  /// Returns the new name for `name`, or nothing if no rule matches.
  std::optional<std::string> NewName(NameKind kind, std::string_view name, SourceRange range) {
    const bool is_wanted = options_.kinds.empty() || std::ranges::find(options_.kinds, kind) != options_.kinds.end();
    if (!is_wanted || name.empty()) return std::nullopt;
    auto answer = rules_.NewName(name);
    if (!answer) {
      if (names_.size() < kMostNames) names_.emplace_back(name);
      return std::nullopt;
    }
    fits_[answer->rule].insert(kind);
    if (options_.regex && taken_.size() < kMostNames) taken_.emplace_back(answer->rule, name);
    if (answer->name.empty()) {
      Refuse(name, answer->name, "a name must have at least one character", range, DiagnosticKind::kNameMissing);
    }
    if (answer->name == name) return std::nullopt;
    return std::move(answer->name);
  }

  void ReadNodes() {
    std::map<std::pair<SymbolId, std::string>, std::string_view> called;  // the old name, by scope and new name
    for (const TextNode& node : parsed_.symbols.nodes()) {
      if (node.label == SourceRange{}) continue;
      const std::string& name = labels_.emplace_back(NameOf(TextOf(node.label)));
      const std::optional<std::string> new_name = NewName(NameKind::kNode, name, node.label);
      const auto [other, is_new] = called.try_emplace({node.scope, new_name.value_or(name)}, name);
      if (!is_new && other->second != name) {
        Refuse(new_name ? std::string_view(name) : other->second, other->first.second,
               "another node of the graph has this name", node.label);
      }
      if (new_name) others_.push_back({node.label, Spelled(*new_name)});
    }
  }

  /// Renames the domains that functions specify in their headers.
  void ReadFunctions() {
    for (const TextScope& scope : parsed_.symbols.scopes()) {
      if (scope.kind != TextScope::Kind::kFunction || scope.header == SourceRange{}) continue;
      const SourceRange range = DomainInHeader(text_, scope.header);
      if (range == kNowhere) continue;
      const std::string domain = NameOf(TextOf(range));
      if (const auto new_name = NewName(NameKind::kDomain, domain, range)) {
        others_.push_back({range, edit::InQuotes(*new_name)});
        new_domains_.insert(*new_name);
      }
    }
  }

  /// Refuses a new domain name if the model already has functions or operators of a domain with this name.
  void RequireFreshDomains() {
    const auto& symbols = parsed_.symbols.symbols();
    for (const edit::NewName& name : new_names_) {
      if (symbols[name.symbol].kind == SymbolKind::kDomain) new_domains_.insert(name.name);
    }
    if (new_domains_.empty()) return;
    for (const Symbol& symbol : symbols) {
      const bool is_domain = symbol.kind == SymbolKind::kDomain;
      const std::string domain(is_domain ? symbol.name : symbol.domain);
      if (symbol.first == kNoSymbol || !new_domains_.contains(domain == "ai.onnx" ? "" : domain)) continue;
      Refuse(domain, domain, "the model has another domain of this name",
             parsed_.symbols.occurrences()[symbol.first].range);
    }
  }

  void RequireFits() {
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      const RenameRule& rule = options_.rules[i];
      if (fits_[i].empty()) {
        ReportNoFit(i);
      } else if (options_.kinds.empty() && fits_[i].size() > 1) {
        std::vector<std::string_view> kinds;
        for (const NameKind kind : fits_[i]) kinds.push_back(kNameKinds[static_cast<std::size_t>(kind)]);
        Refuse(rule.from, rule.to,
               fmt::format("there are {} with this name; select one kind with --only", fmt::join(kinds, " and ")),
               kNowhere);
      }
    }
  }

  /// For a pattern that applies to no name: if an earlier pattern applies to a name that this pattern also matches,
  /// returns the end of the message that says so, otherwise "".
  [[nodiscard]] std::string WhyNotLeft(std::size_t rule) const {
    const auto is_earlier = [&](const auto& taken) { return taken.first < rule && rules_.Matches(rule, taken.second); };
    const auto taken = options_.regex ? std::ranges::find_if(taken_, is_earlier) : taken_.end();
    if (taken == taken_.end()) return "";
    return fmt::format(" after the earlier pattern '{}', which matches '{}' too",
                       Quoted(options_.rules[taken->first].from), Quoted(taken->second));
  }

  void ReportNoFit(std::size_t index) {
    const RenameRule& rule = options_.rules[index];
    std::vector<std::string_view> kinds;
    for (const NameKind kind : options_.kinds) kinds.push_back(kOneOfTheKind[static_cast<std::size_t>(kind)]);
    if (kinds.empty()) kinds = {"name"};
    Diagnostic diagnostic =
        MakeDiagnostic(DiagnosticKind::kUnknownName, Severity::kError, kNowhere,
                       fmt::format("the model has no {}{} '{}'{}", fmt::join(kinds, " or "),
                                   options_.regex ? " that matches" : "", Quoted(rule.from), WhyNotLeft(index)));
    if (!options_.regex) {
      diagnostic.message += Suggestion(rule.from, MeantName(rule.from, {names_.begin(), names_.end()}));
    }
    found_.Add(std::move(diagnostic));
  }

  void Refuse(std::string_view from, std::string_view to, std::string_view why, SourceRange range,
              DiagnosticKind kind = DiagnosticKind::kDuplicateName) {
    constexpr std::size_t kMost = 20;
    if (found_.items().size() >= kMost) return;
    found_.Add(MakeDiagnostic(kind, Severity::kError, range,
                              fmt::format("'{}' cannot become '{}': {}", Quoted(from), Quoted(to), why)));
  }

  [[nodiscard]] std::string Applied(const std::vector<FixIt>& edits) const {
    std::string renamed;
    renamed.reserve(text_.size());
    std::size_t at = 0;
    for (const FixIt& edit : edits) {
      renamed.append(text_.substr(at, edit.range.begin - at)).append(edit.replacement);
      at = edit.range.end;
    }
    return renamed.append(text_.substr(at));
  }

  [[nodiscard]] std::string_view TextOf(SourceRange range) const {
    return text_.substr(range.begin, range.end - range.begin);
  }

  static constexpr std::size_t kMostNames = 100'000;  // names that are compared to find a similar one

  std::string_view text_;
  const RenameOptions& options_;
  Diagnostics found_;
  edit::Rules rules_;
  std::vector<std::set<NameKind>> fits_;  // the kinds of names that each rule matches
  PartialModel parsed_;
  std::deque<std::string> labels_;
  std::vector<std::string> names_;                          // names that no rule matches
  std::vector<std::pair<std::size_t, std::string>> taken_;  // pairs of a rule and a name to which it applies
  std::vector<edit::NewName> new_names_;
  std::vector<FixIt> others_;
  std::set<std::string, std::less<>> new_domains_;
};

/// An empty message on the arena of another message, or on the heap if that message is not on an arena.
template <typename Message>
class Beside {
 public:
  explicit Beside(const google::protobuf::Message& other) : message_(NewIn<Message>(other.GetArena())) {
    if (other.GetArena() == nullptr) owner_.reset(message_);
  }
  Message* operator->() const { return message_; }
  [[nodiscard]] Message* get() const { return message_; }

 private:
  std::unique_ptr<Message> owner_;
  Message* message_;
};

/// Moves the tensors out of a model, and later back into a changed copy of the model. In the meantime, small tensors
/// replace them, so that the text of the model does not contain the weights.
class Tensors {
 public:
  explicit Tensors(onnx::ModelProto* model) : kept_(*model) {
    ForEach(model, [&](onnx::TensorProto* tensor) {
      onnx::TensorProto* const kept = kept_->add_initializer();
      kept->Swap(tensor);
      if (kept->has_name()) tensor->set_name(kept->name());
      tensor->set_data_type(onnx::TensorProto::FLOAT);
      tensor->add_dims(0);
    });
  }

  void PutBack(onnx::ModelProto* model) {
    int next = 0;
    ForEach(model, [&](onnx::TensorProto* tensor) {
      onnx::TensorProto* const kept = kept_->mutable_initializer(next++);
      if (kept->has_name()) kept->set_name(tensor->name());
      kept->Swap(tensor);
    });
  }

 private:
  template <typename Visit>
  static void ForEach(onnx::ModelProto* model, const Visit& visit) {
    weights::ForEachTensor(model, [&](onnx::TensorProto* tensor, const Place& place) {
      if (!weights::IsPartOfSparse(place)) visit(tensor);
    });
  }

  Beside<onnx::GraphProto> kept_;
};

}  // namespace

RenameResult RenameText(std::string_view text, const RenameOptions& options) { return Renaming(text, options).Run(); }

Diagnostics Rename(onnx::ModelProto* model, const RenameOptions& options) {
  Diagnostics found = wire::CheckNesting(*model);
  if (!found.ok()) return found;
  Tensors tensors(model);
  const PrintResult printed = Print(*model);
  RenameResult renamed = printed.diagnostics.ok() ? RenameText(printed.text, options) : RenameResult{};
  found = printed.diagnostics;
  for (Diagnostic diagnostic : renamed.diagnostics.items()) {
    diagnostic.range = kNowhere;  // a range in a text that the user has not seen
    found.Add(std::move(diagnostic));
  }
  const Beside<onnx::ModelProto> result(*model);
  if (found.ok()) found.Append(Parse(renamed.text, result.get(), {.tell_functions_apart = true}));
  if (found.ok()) model->Swap(result.get());
  tensors.PutBack(model);
  return found;
}

}  // namespace onnxc
