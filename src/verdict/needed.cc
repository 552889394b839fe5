#include "verdict/needed.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "source/corrections.h"

namespace onnxc::verdict {
namespace {

constexpr std::size_t kMostAlone = 8;                       // corrections that are left out one by one
constexpr std::size_t kMostBytes = std::size_t{512} << 10;  // of text that is checked

using Group = std::vector<std::size_t>;  // indices of findings

/// Returns the groups of corrections that are left out together: single corrections, or, if there are many, those of
/// one kind. If all corrections were in one group, there is nothing to find out: without them, their findings remain.
std::vector<Group> GroupsOf(const CorrectedText& corrected, const std::vector<Diagnostic>& found) {
  std::set<std::size_t> applied;
  for (const AppliedEdit& edit : corrected.edits) applied.insert(edit.finding);
  std::map<std::size_t, Group> groups;
  for (const std::size_t finding : applied) {
    const bool are_few = applied.size() <= kMostAlone;
    groups[are_few ? finding : static_cast<std::size_t>(found[finding].kind)].push_back(finding);
  }
  std::vector<Group> all;
  // Reading a text with many errors takes long, so a large group always stays.
  for (auto& [key, group] : groups) {
    if (groups.size() > 1 && group.size() <= kMostAlone) all.push_back(std::move(group));
  }
  return all;
}

using Keys = std::multiset<std::pair<DiagnosticKind, std::string>>;
Keys KeysOf(const Diagnostics& findings) {
  Keys keys;
  for (const Diagnostic& finding : findings.items()) keys.emplace(finding.kind, finding.message);
  return keys;
}

}  // namespace

Diagnostics DropNeedless(const SourceText& source, const Judge& judge, Diagnostics left,
                         std::vector<Diagnostic>* found) {
  CorrectedText corrected = ApplyCorrections(source.text(), *found);
  const std::vector<Group> groups = GroupsOf(corrected, *found);
  std::size_t bytes = 0;
  for (const Group& group : groups) {
    bytes += source.text().size();
    if (bytes > kMostBytes) break;
    std::vector<Diagnostic> others = *found;
    for (const std::size_t finding : group) others[finding].fix_its.clear();
    CorrectedText without = ApplyCorrections(source.text(), others);
    // If a correction takes the place of one that is left out, this does not tell whether either is needed.
    if (without.corrections + group.size() != corrected.corrections) continue;
    Diagnostics left_without = judge(SourceText(source.name(), without.text));
    if (!std::ranges::includes(KeysOf(left), KeysOf(left_without))) continue;
    *found = std::move(others);
    corrected = std::move(without);
    left = std::move(left_without);
  }
  return left;
}

}  // namespace onnxc::verdict
