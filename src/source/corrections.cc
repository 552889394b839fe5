#include "source/corrections.h"

#include <iterator>
#include <map>
#include <string_view>
#include <vector>

namespace onnxc {
namespace {

/// Replacements by the offset at which they begin; none meets another.
using Edits = std::map<std::size_t, const FixIt*>;

/// Whether a fix-it meets one that is there: they have a byte in common, or stand at one offset, where their order
/// would be a guess.
bool Meets(const Edits& edits, const FixIt& fix_it) {
  const auto next = edits.lower_bound(fix_it.range.begin);
  if (next != edits.end() && (next->first < fix_it.range.end || next->first == fix_it.range.begin)) return true;
  return next != edits.begin() && std::prev(next)->second->range.end > fix_it.range.begin;
}

/// Adds all fix-its of a finding, or none.
bool AddAll(std::string_view text, const std::vector<FixIt>& fix_its, Edits* edits) {
  for (const FixIt& fix_it : fix_its) {
    const auto [begin, end] = fix_it.range;
    if (begin <= end && end <= text.size() && !Meets(*edits, fix_it)) {
      edits->emplace(begin, &fix_it);
      continue;
    }
    for (const FixIt* added = fix_its.data(); added != &fix_it; ++added) edits->erase(added->range.begin);
    return false;
  }
  return !fix_its.empty();
}

}  // namespace

CorrectedText ApplyCorrections(std::string_view text, const Diagnostics& findings) {
  CorrectedText corrected;
  Edits edits;
  for (const Diagnostic& finding : findings.items()) {
    if (AddAll(text, finding.fix_its, &edits)) ++corrected.corrections;
  }
  std::size_t at = 0;
  for (const auto& [begin, fix_it] : edits) {
    corrected.text.append(text.substr(at, begin - at)).append(fix_it->replacement);
    at = fix_it->range.end;
  }
  corrected.text.append(text.substr(at));
  return corrected;
}

}  // namespace onnxc
