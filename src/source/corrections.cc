#include "source/corrections.h"

#include <iterator>
#include <map>
#include <string_view>
#include <vector>

namespace onnxc {
namespace {

struct Edit {
  const FixIt* fix_it;
  std::size_t finding;
};

/// Replacements by the offset at which they begin. They do not overlap.
using Edits = std::map<std::size_t, Edit>;

/// Returns whether a fix-it conflicts with an earlier one: both change the same byte, or both begin at the same offset,
/// so that their order is uncertain.
bool Meets(const Edits& edits, const FixIt& fix_it) {
  const auto next = edits.lower_bound(fix_it.range.begin);
  if (next != edits.end() && (next->first < fix_it.range.end || next->first == fix_it.range.begin)) return true;
  return next != edits.begin() && std::prev(next)->second.fix_it->range.end > fix_it.range.begin;
}

/// Adds all fix-its of a finding, or none if one of them conflicts. Returns whether they were added.
bool AddAll(std::string_view text, const std::vector<FixIt>& fix_its, std::size_t finding, Edits* edits) {
  for (const FixIt& fix_it : fix_its) {
    const auto [begin, end] = fix_it.range;
    if (begin <= end && end <= text.size() && !Meets(*edits, fix_it)) {
      edits->emplace(begin, Edit{&fix_it, finding});
      continue;
    }
    for (const FixIt* added = fix_its.data(); added != &fix_it; ++added) edits->erase(added->range.begin);
    return false;
  }
  return !fix_its.empty();
}

}  // namespace

CorrectedText ApplyCorrections(std::string_view text, std::span<const Diagnostic> findings) {
  CorrectedText corrected;
  Edits edits;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (AddAll(text, findings[i].fix_its, i, &edits)) ++corrected.corrections;
  }
  std::size_t size = text.size();
  for (const auto& [begin, edit] : edits) size += edit.fix_it->replacement.size();
  corrected.text.reserve(size);
  std::size_t at = 0;
  for (const auto& [begin, edit] : edits) {
    const FixIt& fix_it = *edit.fix_it;
    corrected.text.append(text.substr(at, begin - at)).append(fix_it.replacement);
    corrected.edits.push_back({fix_it.range, fix_it.replacement.size(), edit.finding});
    at = fix_it.range.end;
  }
  corrected.text.append(text.substr(at));
  return corrected;
}

}  // namespace onnxc
