#include "check/findings.h"

#include <fmt/format.h>

#include <optional>

#include "syntax/spelling.h"

namespace onnxc::check {

void Findings::Explain(Diagnostic* diagnostic, const google::protobuf::Message& message, int field, int index,
                       std::string_view text) const {
  if (diagnostic == nullptr || options_.source_map == nullptr) return;
  const SourceRange* const range = options_.source_map->Find(message, field, index);
  if (range != nullptr) diagnostic->notes.push_back({*range, std::string(text)});
}

std::optional<FixIt> Respell(SourceRange range, std::string_view word, std::string_view name) {
  const std::size_t bytes = range.end - range.begin;
  std::string quoted;
  syntax::AppendQuoted(word, &quoted);
  const bool is_plain = bytes == word.size();
  if (!is_plain && bytes != quoted.size()) return std::nullopt;
  // The name needs no quotes if it is an identifier, or if the old word has dots: then it is a domain.
  const bool stays_plain = syntax::IsIdentifier(name) || word.find('.') != std::string_view::npos;
  if (is_plain && stays_plain) return FixIt{range, std::string(name)};
  quoted.clear();
  syntax::AppendQuoted(name, &quoted);
  return FixIt{range, std::move(quoted)};
}

bool Findings::AddSuggestion(Diagnostic* diagnostic, std::string_view word, const Meant& meant, bool asks) {
  if (!meant.IsKnown() || meant.name == word) return false;
  const bool is_question = asks && !meant.is_sure;
  diagnostic->message += is_question ? "; did you mean '" + Quoted(meant.name) + "'?" : Suggestion(word, meant);
  if (!meant.is_sure || !diagnostic->path.empty()) return true;
  if (auto fix_it = Respell(diagnostic->range, word, meant.name)) diagnostic->fix_its.push_back(*std::move(fix_it));
  return true;
}

namespace {

// Returns the graph or function that contains the place.
const google::protobuf::Message* GraphAround(const Place& place) {
  const Place* at = &place;
  while (at->parent != nullptr && at->message.GetDescriptor() != onnx::GraphProto::descriptor() &&
         at->message.GetDescriptor() != onnx::FunctionProto::descriptor()) {
    at = at->parent;
  }
  return &at->message;
}

}  // namespace

void Findings::NoteMisnamed(const Place& place, FixIt correction, std::string_view name) {
  misnamed_ = {items_.size() - 1, std::move(correction), std::string(name), GraphAround(place)};
  misnamed_in_.insert(misnamed_->graph);
  ++misnamed_count_;
}

void Findings::NoteUndefined(const Place& place, std::string_view name) {
  undefined_ = name;
  undefined_in_ = GraphAround(place);
  ++undefined_count_;
}

void Findings::AddName(Diagnostic* diagnostic, std::string_view name, const Meant& meant, const Place& place) {
  AddSuggestion(diagnostic, name, meant, meant.is_sure);
  if (!diagnostic->fix_its.empty()) suggested_.emplace_back(items_.size() - 1, GraphAround(place));
}

void Findings::WithdrawDoubtful() {
  for (const auto& [finding, graph] : suggested_) {
    if (misnamed_in_.contains(graph)) items_[finding].fix_its.clear();
  }
}

void Findings::PairNames() {
  if (misnamed_count_ != 1 || undefined_count_ != 1 || misnamed_->graph != undefined_in_ ||
      misnamed_->name == undefined_ || !syntax::IsIdentifier(undefined_))
    return;
  Diagnostic& finding = items_[misnamed_->finding];
  finding.message += fmt::format("; nothing defines '{}'", undefined_);
  misnamed_->correction.replacement = fmt::format(fmt::runtime(misnamed_->correction.replacement), undefined_);
  finding.fix_its = {std::move(misnamed_->correction)};
}

Diagnostics Findings::Finish() && {
  WithdrawDoubtful();
  PairNames();
  Diagnostics all = std::move(left_out_);
  for (Diagnostic& item : items_) all.Add(std::move(item));
  all.Finish(options_.max_diagnostics);
  return all;
}

Diagnostic* Findings::Report(Diagnostic finding, const Spot& spot) {
  if (!HasRoom(finding.kind, finding.severity)) return nullptr;
  finding.range = RangeOf(spot);
  return Keep(std::move(finding), spot);
}

bool Findings::HasRoom(DiagnosticKind kind, Severity severity) {
  const bool is_error = IsError(kind, severity);
  std::size_t& count = is_error ? errors_ : warnings_;
  if (count++ < options_.max_diagnostics) return true;
  Suppress(is_error ? Severity::kError : Severity::kWarning, &left_out_);
  return false;
}

SourceRange Findings::RangeOf(const Spot& spot) const {
  if (options_.source_map == nullptr) return kNowhere;
  const SourceRange* range = options_.source_map->Find(spot.place.message, spot.field, spot.index);
  for (const Place* place = &spot.place; range == nullptr && place->parent != nullptr; place = place->parent) {
    range = options_.source_map->Find(place->parent->message, place->field, place->index);
  }
  return range == nullptr ? kNowhere : *range;
}

Diagnostic* Findings::Keep(Diagnostic diagnostic, const Spot& spot) {
  if (IsError(diagnostic.kind, diagnostic.severity)) diagnostic.severity = Severity::kError;
  if (diagnostic.range == kNowhere) diagnostic.path = PathOf(spot);
  return &items_.emplace_back(std::move(diagnostic));
}

}  // namespace onnxc::check
