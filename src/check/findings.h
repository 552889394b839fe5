// Collects the findings of one run of the checker.
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

/// Returns the edit that replaces `word`, the text at this range, by `name`. The new name has quotes if the old one has
/// them or if it needs them. Returns nothing if the text spells the word differently, for example with escapes.
[[nodiscard]] std::optional<FixIt> Respell(SourceRange range, std::string_view word, std::string_view name);

class Findings {
 public:
  explicit Findings(const CheckOptions& options) : options_(options) {}

  /// Adds a finding and returns it. The arguments fill the rule's message. The caller may change the finding until the
  /// next call of Report(). Returns null if the limit of findings is reached.
  template <typename... Args>
  Diagnostic* Report(const DiagnosticBase<Args...>& rule, const Spot& spot, std::type_identity_t<Args>... args) {
    if (!HasRoom(rule.kind, rule.severity)) return nullptr;
    return Keep(MakeDiagnostic(rule, RangeOf(spot), args...), spot);
  }

  /// Like Report() above, but for a finding whose message is complete.
  Diagnostic* Report(Diagnostic finding, const Spot& spot);

  /// Adds a note about another place in the text.
  void Explain(Diagnostic* diagnostic, const google::protobuf::Message& message, int field, int index,
               std::string_view text) const;

  /// Adds "did you mean" and a word to the finding if one of the words that `words()` returns is close to `word`.
  /// Returns whether there is such a word.
  template <typename Words>
  bool Suggest(Diagnostic* diagnostic, std::string_view word, const Words& words) {
    if (diagnostic == nullptr) return false;
    return AddSuggestion(diagnostic, word, {NearestOf(word, words), true}, true);
  }
  /// Like Suggest(), but for operators. Another operator would change what the model computes, so the word is corrected
  /// only if it is surely a typing mistake.
  template <typename Words>
  bool SuggestOperator(Diagnostic* diagnostic, std::string_view word, const Words& words) {
    if (diagnostic == nullptr) return false;
    const std::string_view near = NearestOf(word, words);
    return AddSuggestion(diagnostic, word, {near, IsSlip(word, near)}, true);
  }
  /// Adds the name that was probably meant to the finding, and returns this name. MeantName() chooses it from names
  /// that the author of the model defined. The result is unknown if no name is close.
  template <typename Names>
  Meant SuggestName(Diagnostic* diagnostic, std::string_view name, const Names& names) {
    if (diagnostic == nullptr) return {};
    const Meant meant = MeantOf(name, names);
    AddSuggestion(diagnostic, name, meant, meant.is_sure);
    return meant;
  }
  /// Adds the name `meant` to the finding.
  static void AddMeant(Diagnostic* diagnostic, std::string_view name, const Meant& meant) {
    if (diagnostic != nullptr) AddSuggestion(diagnostic, name, meant, meant.is_sure);
  }
  /// Adds to the last finding the name of the value that was probably meant.
  void AddName(Diagnostic* diagnostic, std::string_view name, const Meant& meant, const Place& place);

  /// Returns the name that was probably meant. The result is unknown if no name is close, or if too many names were
  /// compared already.
  template <typename Names>
  [[nodiscard]] Meant MeantOf(std::string_view name, const Names& names, const StandingOf& standing = {},
                              decltype(&MeantName) meant = &MeantName) {
    if (!MayCompare()) return {};
    const std::vector<std::string_view>& candidates = names();
    constexpr std::size_t kShort = 64;  // bytes
    Charge(candidates.size() * (1 + name.size() / kShort), candidates.size());
    return meant(name, candidates, standing);
  }

  /// Returns the word that is closest to `word`. Returns "" if no word is close, or if too many words were compared
  /// already.
  template <typename Words>
  [[nodiscard]] std::string_view NearestOf(std::string_view word, const Words& words) {
    if (!MayCompare()) return {};
    const auto& candidates = words();
    Charge(candidates.size(), candidates.size());
    return Nearest(word, candidates);
  }

  /// These functions record what the last finding is about. NoteMisnamed(): a node should define another name, which
  /// `correction` inserts. NoteUndefined(): nothing defines the name. If each function was called exactly once for a
  /// model, and both findings are in the same graph, both findings have the same cause.
  void NoteMisnamed(const Place& place, FixIt correction, std::string_view name = "");
  void NoteUndefined(const Place& place, std::string_view name);

  [[nodiscard]] Diagnostics Finish() &&;

 private:
  [[nodiscard]] bool HasRoom(DiagnosticKind kind, Severity severity);
  /// Returns whether a finding counts as an error. Optional rules stay warnings even in strict mode, so that they never
  /// hide errors.
  [[nodiscard]] bool IsError(DiagnosticKind kind, Severity severity) const {
    return severity == Severity::kError || (options_.strict && !Info(kind).is_optional);
  }
  [[nodiscard]] SourceRange RangeOf(const Spot& spot) const;
  Diagnostic* Keep(Diagnostic diagnostic, const Spot& spot);
  void PairNames();
  /// Removes the fix-its for undefined names in graphs that define a name twice, because the second definition may be
  /// the value that was meant.
  void WithdrawDoubtful();
  /// Adds the name `meant` to the finding, and returns whether it did. If `asks` is set, an uncertain name is suggested
  /// with the question "did you mean ...?" instead of "there is also ...". `asks` must be false for names that authors
  /// of models chose.
  static bool AddSuggestion(Diagnostic* diagnostic, std::string_view word, const Meant& meant, bool asks);
  [[nodiscard]] bool MayCompare() const { return names_compared_ <= kSomeNames + kMostLists * longest_list_; }
  void Charge(std::size_t compared, std::size_t list) {
    names_compared_ += compared;
    longest_list_ = std::max(longest_list_, list);
  }

  // Each suggestion compares all names. After kSomeNames comparisons plus kMostLists times the length of the longest
  // list, there are no more suggestions. So the total time is linear.
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
    FixIt correction;  ///< the edit; "{}" in it is replaced by the undefined name
    std::string name;  ///< the current name, or ""
    const google::protobuf::Message* graph;
  };
  std::optional<Misnamed> misnamed_;  ///< the last misnamed output
  std::string undefined_;             ///< the last undefined name
  const google::protobuf::Message* undefined_in_ = nullptr;
  std::set<const google::protobuf::Message*> misnamed_in_;
  std::vector<std::pair<std::size_t, const google::protobuf::Message*>> suggested_;  ///< indices of findings, and their
                                                                                     ///< graphs
  int misnamed_count_ = 0;
  int undefined_count_ = 0;
};

}  // namespace onnxc::check
