// The findings of one run of the checker.
#pragma once

#include <onnxc/checker.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/meant.h"
#include "source/message_path.h"
#include "source/report.h"

namespace onnxc::check {

/// The edit that makes `name` of `word`, which the text has at that range: with quotes where it has them, or needs
/// them. Nothing where the text spells the word in another way.
[[nodiscard]] std::optional<FixIt> Respell(SourceRange range, std::string_view word, std::string_view name);

class Findings {
 public:
  explicit Findings(const CheckOptions& options) : options_(options) {}

  /// Adds a finding; the arguments fill the rule's message. The caller may change the result until the next report.
  /// Returns null if the limit of findings is reached.
  template <typename... Args>
  Diagnostic* Report(const DiagnosticBase<Args...>& rule, const Spot& spot, std::type_identity_t<Args>... args) {
    if (!HasRoom(rule.kind, rule.severity)) return nullptr;
    return Keep(MakeDiagnostic(rule, RangeOf(spot), args...), spot);
  }

  /// The same for a finding whose message is filled already.
  Diagnostic* Report(Diagnostic finding, const Spot& spot);

  /// Adds a second place, in a text.
  void Explain(Diagnostic* diagnostic, const google::protobuf::Message& message, int field, int index,
               std::string_view text) const;

  /// Adds "did you mean" where one of the words that `words()` returns is near to `word`; false where none is.
  template <typename Words>
  bool Suggest(Diagnostic* diagnostic, std::string_view word, const Words& words) {
    if (diagnostic == nullptr) return false;
    return AddSuggestion(diagnostic, word, {NearestOf(word, words), true}, true);
  }
  /// The same for operators: another operator would change what the model computes, so that the word is corrected only
  /// where it is surely a slip.
  template <typename Words>
  bool SuggestOperator(Diagnostic* diagnostic, std::string_view word, const Words& words) {
    if (diagnostic == nullptr) return false;
    const std::string_view near = NearestOf(word, words);
    return AddSuggestion(diagnostic, word, {near, IsSlip(word, near)}, true);
  }
  /// Adds which of the names that authors chose is meant, as MeantName() tells; unknown where none is near.
  template <typename Names>
  Meant SuggestName(Diagnostic* diagnostic, std::string_view name, const Names& names) {
    if (diagnostic == nullptr) return {};
    const Meant meant = MeantOf(name, names);
    AddSuggestion(diagnostic, name, meant, meant.is_sure);
    return meant;
  }
  /// Adds a name that is meant.
  static void AddMeant(Diagnostic* diagnostic, std::string_view name, const Meant& meant) {
    if (diagnostic != nullptr) AddSuggestion(diagnostic, name, meant, meant.is_sure);
  }
  /// Adds the name of a value that is meant to the last finding.
  void AddName(Diagnostic* diagnostic, std::string_view name, const Meant& meant, const Place& place);

  /// The name that is meant; unknown where none is near, or enough names were compared.
  template <typename Names>
  [[nodiscard]] Meant MeantOf(std::string_view name, const Names& names, const StandingOf& standing = {},
                              decltype(&MeantName) meant = &MeantName) {
    if (!MayCompare()) return {};
    const std::vector<std::string_view>& candidates = names();
    constexpr std::size_t kShort = 64;  // bytes
    Charge(candidates.size() * (1 + name.size() / kShort), candidates.size());
    return meant(name, candidates, standing);
  }

  /// The word that is near to `word`; "" where none is, or enough words were compared.
  template <typename Words>
  [[nodiscard]] std::string_view NearestOf(std::string_view word, const Words& words) {
    if (!MayCompare()) return {};
    const auto& candidates = words();
    Charge(candidates.size(), candidates.size());
    return Nearest(word, candidates);
  }

  /// Marks the last finding. NoteMisnamed(): a node should define another name, which `correction` inserts.
  /// NoteUndefined(): nothing defines the name. If a graph has one of each, and the text no others, both findings are
  /// one mistake.
  void NoteMisnamed(const Place& place, FixIt correction, std::string_view name = "");
  void NoteUndefined(const Place& place, std::string_view name);

  [[nodiscard]] Diagnostics Finish() &&;

 private:
  [[nodiscard]] bool HasRoom(DiagnosticKind kind, Severity severity);
  /// Rules that are off stay warnings, so that nothing is left out because of what nobody asked for.
  [[nodiscard]] bool IsError(DiagnosticKind kind, Severity severity) const {
    return severity == Severity::kError || (options_.strict && !Info(kind).is_optional);
  }
  [[nodiscard]] SourceRange RangeOf(const Spot& spot) const;
  Diagnostic* Keep(Diagnostic diagnostic, const Spot& spot);
  void PairNames();
  /// Where a graph defines a name twice, one of the two may be the one that another node misses.
  void WithdrawDoubtful();
  /// Of names that authors chose, only those that are sure are asked about.
  static bool AddSuggestion(Diagnostic* diagnostic, std::string_view word, const Meant& meant, bool asks);
  [[nodiscard]] bool MayCompare() const { return names_compared_ <= kSomeNames + kMostLists * longest_list_; }
  void Charge(std::size_t compared, std::size_t list) {
    names_compared_ += compared;
    longest_list_ = std::max(longest_list_, list);
  }

  // Each suggestion looks at all names. Behind this many, and this many times the longest list of them, there are no
  // more suggestions: the time stays linear.
  static constexpr std::size_t kSomeNames = 100'000;
  static constexpr std::size_t kMostLists = 8;

  const CheckOptions& options_;
  std::vector<Diagnostic> items_;
  Diagnostics left_out_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::size_t names_compared_ = 0;
  std::size_t longest_list_ = 0;

  struct Misnamed {
    std::size_t finding;
    FixIt correction;  ///< "{}" stands for the name
    std::string name;  ///< that it has, or ""
    const google::protobuf::Message* graph;
  };
  std::optional<Misnamed> misnamed_;  ///< the last one
  std::string undefined_;             ///< the last one
  const google::protobuf::Message* undefined_in_ = nullptr;
  std::set<const google::protobuf::Message*> misnamed_in_;
  std::vector<std::pair<std::size_t, const google::protobuf::Message*>> suggested_;  ///< findings, and their graphs
  int misnamed_count_ = 0;
  int undefined_count_ = 0;
};

}  // namespace onnxc::check
