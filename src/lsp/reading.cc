#include "lsp/reading.h"

#include <utility>

#include "verdict/judge.h"

namespace onnxc::lsp {
namespace {

PartialOptions OptionsWith(const std::atomic<bool>* stop) {
  return {.max_diagnostics = verdict::kMostFindings, .stop = stop};
}

}  // namespace

Reading::Reading(SourceText source, const std::shared_ptr<const Reading>& before, const std::atomic<bool>* stop,
                 WithSymbols symbols, lower::Expected expected, CommonEnds same)
    : source_(std::move(source)), linked_files_(source_) {
  const Reading* const begins_at = before == nullptr || before->IsWorn() ? nullptr : before.get();
  version_ = ReadVersionOf(source_.text(), begins_at == nullptr ? nullptr : &begins_at->version_, OptionsWith(stop),
                           symbols, expected, same);
  if (version_.is_of_others) arenas_ = begins_at->arenas_;
  arenas_.push_back(std::move(version_.parsed.arena));
}

bool Reading::IsWorn() const {
  constexpr std::size_t kMostArenas = 512;
  constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;  // bytes
  std::uint64_t later = 0;
  for (const auto& arena : arenas_) later += arena->SpaceAllocated();
  later -= arenas_.front()->SpaceAllocated();
  return arenas_.size() >= kMostArenas || later > kSmall + arenas_.front()->SpaceAllocated();
}

void Reading::AddSymbols(const Reading* before) {
  onnxc::AddSymbols(&version_, before == nullptr ? nullptr : &before->version_, OptionsWith(nullptr));
}

void Reading::Link(std::shared_ptr<const Libraries> libraries) {
  if (!version_.parsed.diagnostics.ok() || !CallsOthers(model())) return;
  libraries_ = std::move(libraries);
  link_errors_.Append(libraries_->problems);
  const SourceText named(libraries_->NameOf(source_.name()), source_.text(), nullptr);
  LinkedParts linked;
  for (SourceFindings& found :
       onnxc::Link(version_.parsed.model, named, places(), libraries_->inputs, Adding::kReferences, &linked)) {
    if (found.source.name() == named.name()) {
      link_errors_.Append(std::move(found.diagnostics));
      continue;
    }
    for (const Diagnostic& finding : found.diagnostics.items()) link_errors_.Add(FoundElsewhere(finding, found.source));
  }
  linked_files_.Add(linked, libraries_->places, &version_.parsed.places);
}

}  // namespace onnxc::lsp
