// Reports the findings of the engine with their places in the text or the message.
#include <fmt/format.h>

#include <algorithm>

#include "infer/call_note.h"
#include "infer/engine.h"

namespace onnxc::infer {

void Engine::ReportLimit(const Place& place) {
  if (std::exchange(has_told_limit_, true)) return;
  const Place& caller = calling_.empty() ? place : *calling_.front();
  Diagnostic finding =
      MakeDiagnostic(rule::kInferenceLimit, kNowhere,
                     "type inference stops here: it needs more work than the limit for a model of this size");
  finding.range = RangeOf(caller);
  if (finding.range == kNowhere) finding.path = PathOf(caller);
  findings.Add(std::move(finding));
}

void Engine::ReportReplaced() {
  std::ranges::sort(replaced_);
  replaced_.erase(std::unique(replaced_.begin(), replaced_.end()), replaced_.end());
  if (replaced_.empty()) return;
  constexpr std::size_t kShown = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(kShown, replaced_.size()); ++i) {
    names += fmt::format("{}'{}'", i == 0 ? "" : ", ", Quoted(replaced_[i]));
  }
  if (replaced_.size() > kShown) names += fmt::format(" ({} more)", replaced_.size() - kShown);
  findings.Add(MakeDiagnostic(DiagnosticKind::kDeclaredType, Severity::kWarning, kNowhere,
                              "declared types that contradict the inferred types were replaced: " + names));
}

void Engine::Report(Diagnostic finding, const Spot& spot) {
  constexpr std::size_t kCostOfFinding = 500;
  if (finding.severity == Severity::kError) ++mistakes_;
  (void)memory_->Charge(kCostOfFinding);
  if (trials > 0) return;
  if (unreached > 0) {
    if (!calling_.empty()) return;  // another call may run this graph
    Diagnostic warning = MakeDiagnostic(rule::kUnreachedClash, kNowhere, finding.message);
    warning.notes = std::move(finding.notes);
    finding = std::move(warning);
  }
  ++findings_told_;
  if (finding.severity == Severity::kError) ++errors_told_;
  if (findings_told_ > options_.max_diagnostics) return Suppress(finding.severity, &findings);
  if (declared_call_ != nullptr) return ReportInDeclared(std::move(finding));
  finding.range = RangeOf(spot);
  const SourceRange caller = calling_.empty() ? kNowhere : RangeOf(*calling_.back());
  if (caller != kNowhere) finding.notes.push_back({caller, std::string(kForThisCall)});
  if (finding.range == kNowhere) finding.path = PathOf(spot);
  findings.Add(std::move(finding));
}

// Reports a finding in the body of an operator that a file declares. The body is in another file, so the finding is
// placed at the node that calls the operator.
void Engine::ReportInDeclared(Diagnostic finding) {
  finding.message += fmt::format(" (in the operator declared at {})", *declared_where_);
  finding.notes.clear();
  finding.fix_its.clear();
  finding.range = RangeOf(*declared_call_);
  if (finding.range == kNowhere) finding.path = PathOf(*declared_call_);
  findings.Add(std::move(finding));
}

SourceRange Engine::RangeOf(const Spot& spot) const {
  if (options_.source_map == nullptr) return kNowhere;
  const SourceRange* range = options_.source_map->Find(spot.place.message, spot.field, spot.index);
  for (const Place* place = &spot.place; range == nullptr && place->parent != nullptr; place = place->parent) {
    range = options_.source_map->Find(place->parent->message, place->field, place->index);
  }
  return range == nullptr ? kNowhere : *range;
}

void Engine::Explain(Diagnostic* finding, std::string_view name, const Value& value) const {
  if (options_.source_map == nullptr || value.owner == nullptr) return;
  const SourceRange* const range = options_.source_map->Find(*value.owner, value.field, value.index);
  const auto is_there = [&](const Note& note) { return note.range == *range; };
  if (range == nullptr || std::ranges::any_of(finding->notes, is_there)) return;
  std::string_view from = "declared here";
  if (value.source == FactSource::kInitializer) from = "initializer here";
  if (value.source == FactSource::kOperator) from = "computed here";
  finding->notes.push_back({*range, fmt::format("'{}' is {}: {}", Quoted(name), ToString(value.type), from)});
}

}  // namespace onnxc::infer
