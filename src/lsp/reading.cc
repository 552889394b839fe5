#include "lsp/reading.h"

#include <utility>

#include "verdict/judge.h"

namespace onnxc::lsp {
namespace {

PartialOptions OptionsWith(const std::atomic<bool>* stop) {
  return {.max_diagnostics = verdict::kMostFindings, .stop = stop};
}

/// Returns whether the next version must be read completely. A version that reuses nodes keeps the arenas of the older
/// versions, including messages that it does not need, and adds an arena. So the complete text is read again if there
/// are many arenas, or if the arenas after the first one use much memory.
bool IsWorn(const std::vector<std::shared_ptr<google::protobuf::Arena>>& arenas) {
  constexpr std::size_t kMostArenas = 512;
  constexpr std::uint64_t kSmall = std::uint64_t{4} << 20;  // bytes
  std::uint64_t later = 0;
  for (const auto& arena : arenas) later += arena->SpaceAllocated();
  later -= arenas.front()->SpaceAllocated();
  return arenas.size() >= kMostArenas || later > kSmall + arenas.front()->SpaceAllocated();
}

}  // namespace

Reading::Reading(SourceText source, const std::shared_ptr<const Reading>& before, const std::atomic<bool>* stop,
                 WithSymbols symbols, lower::Expected expected)
    : source_(std::move(source)) {
  const Reading* const begins_at = before == nullptr || IsWorn(before->arenas_) ? nullptr : before.get();
  version_ = ReadVersionOf(source_.text(), begins_at == nullptr ? nullptr : &begins_at->version_, OptionsWith(stop),
                           symbols, expected);
  if (version_.is_of_others) arenas_ = begins_at->arenas_;
  arenas_.push_back(std::move(version_.parsed.arena));
}

void Reading::Link(const Libraries& libraries) {
  if (!version_.parsed.diagnostics.ok() || !CallsOthers(model())) return;
  link_errors_.Append(libraries.problems);
  for (SourceFindings& found : onnxc::Link(version_.parsed.model, source_, places(), libraries.inputs)) {
    if (found.source.name() == source_.name()) {
      link_errors_.Append(std::move(found.diagnostics));
      continue;
    }
    for (const Diagnostic& finding : found.diagnostics.items()) link_errors_.Add(FoundElsewhere(finding, found.source));
  }
}

}  // namespace onnxc::lsp
