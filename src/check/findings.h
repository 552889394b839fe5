// The findings of one run of the checker.
#pragma once

#include <onnxc/checker.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "source/message_path.h"
#include "source/report.h"

namespace onnxc::check {

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
    return diagnostic != nullptr && AddSuggestion(diagnostic, word, NearestOf(word, words), true);
  }
  /// The same for names that authors choose.
  template <typename Names>
  bool SuggestName(Diagnostic* diagnostic, std::string_view name, const Names& names) {
    return diagnostic != nullptr && AddSuggestion(diagnostic, name, NearestOf(name, names, &NearestName), true);
  }
  /// The same for operators: another operator would change what the model computes, so that the word is corrected only
  /// where it is surely a slip.
  template <typename Words>
  bool SuggestOperator(Diagnostic* diagnostic, std::string_view word, const Words& words) {
    if (diagnostic == nullptr) return false;
    const std::string_view near = NearestOf(word, words);
    return AddSuggestion(diagnostic, word, near, IsSlip(word, near));
  }

  /// The word that is near to `word`; "" where none is, or enough words were compared.
  template <typename Words>
  [[nodiscard]] std::string_view NearestOf(std::string_view word, const Words& words,
                                           decltype(&Nearest) nearest = &Nearest) {
    if (names_compared_ >= kEnoughNames) return {};
    const auto& candidates = words();
    names_compared_ += candidates.size();
    return nearest(word, candidates);
  }

  /// Marks the last finding. NoteMisnamed(): a node should define another name, which `correction` inserts.
  /// NoteUndefined(): nothing defines the name. If a graph has one of each, and the text no others, both findings are
  /// one mistake.
  void NoteMisnamed(const Place& place, FixIt correction);
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
  static bool AddSuggestion(Diagnostic* diagnostic, std::string_view word, std::string_view nearest, bool is_sure);

  // Each suggestion looks at all names. Behind this many, there are no more suggestions: the time stays linear.
  static constexpr std::size_t kEnoughNames = 1'000'000;

  const CheckOptions& options_;
  std::vector<Diagnostic> items_;
  Diagnostics left_out_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
  std::size_t names_compared_ = 0;

  struct Misnamed {
    std::size_t finding;
    FixIt correction;  ///< "{}" stands for the name
    const google::protobuf::Message* graph;
  };
  std::optional<Misnamed> misnamed_;  ///< the last one
  std::string undefined_;             ///< the last one
  const google::protobuf::Message* undefined_in_ = nullptr;
  int misnamed_count_ = 0;
  int undefined_count_ = 0;
};

}  // namespace onnxc::check
