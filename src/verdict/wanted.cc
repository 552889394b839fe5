#include "verdict/wanted.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "settings/allowed.h"
#include "settings/filtered.h"

namespace onnxc::verdict {

Diagnostics Wanted(const Diagnostics& diagnostics, const SourceText& source, std::span<const Levels* const> settings) {
  return WithLevels(WithoutAllowed(diagnostics, source), settings);
}

Diagnostics Shown(Diagnostics wanted) {
  if (wanted.items().size() > kMostShown) wanted.Finish(kMostShown);
  return wanted;
}

Diagnostics KindsOnce(const Diagnostics& wanted) {
  const auto key_of = [](const Diagnostic& finding) { return std::pair(finding.kind, finding.severity); };
  std::map<std::pair<DiagnosticKind, Severity>, std::size_t> counts;
  for (const Diagnostic& finding : wanted.items()) ++counts[key_of(finding)];
  const auto is_many = [](const auto& entry) { return entry.second > kMostOfAKind; };
  if (std::ranges::none_of(counts, is_many)) return wanted;
  return Filtered(wanted, [&](Diagnostic* finding) {
    std::size_t& count = counts[key_of(*finding)];
    if (count == 0) return false;  // already reported
    if (count <= kMostOfAKind) return true;
    finding->notes.push_back({kNowhere, fmt::format("and {} more of this kind; --all-findings shows them", count - 1)});
    count = 0;
    return true;
  });
}

}  // namespace onnxc::verdict
