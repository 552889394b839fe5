#include <onnxc/checker.h>
#include <onnxc/merger.h>
#include <onnxc/printer.h>
#include <onnxc/rewrite.h>

#include <limits>
#include <set>
#include <utility>

#include "diff/equality.h"
#include "merge/merger.h"
#include "merge/text.h"
#include "source/report.h"
#include "wire/nesting.h"

namespace onnxc {
namespace {

using merge::Side;

Diagnostics MergeInto(const MergeSide& base, const MergeSide& ours, const MergeSide& theirs, Side favored,
                      onnx::ModelProto* merged) {
  return merge::Merger(favored, ours.source_map).Run({{base.model}, {ours.model}, {theirs.model}}, merged);
}

Diagnostics AllFindings(const onnx::ModelProto& model) {
  return Check(model, {.max_diagnostics = std::numeric_limits<std::size_t>::max(), .external_files = false});
}

/// Returns the findings about the merged model that neither version has.
Diagnostics NewFindings(const onnx::ModelProto& ours, const onnx::ModelProto& theirs, const onnx::ModelProto& merged) {
  std::set<std::pair<DiagnosticKind, std::string>> known;
  for (const onnx::ModelProto* version : {&ours, &theirs}) {
    const Diagnostics findings = AllFindings(*version);
    for (const Diagnostic& finding : findings.items()) known.emplace(finding.kind, finding.message);
  }
  Diagnostics found;
  const Diagnostics findings = AllFindings(merged);
  for (const Diagnostic& finding : findings.items()) {
    if (!known.contains({finding.kind, finding.message})) found.Add(finding);
  }
  if (!found.ok()) {
    found.Add(
        MakeDiagnostic(diag::kMergeConflict, kNowhere,
                       "the merged model has errors that neither version has; --no-check writes it nevertheless"));
  }
  return found;
}

/// The text of a version, with line feeds as line breaks.
std::string TextOf(const MergeSide& side) {
  std::string text(side.text);
  if (text.empty() && side.model.ByteSizeLong() != 0) return Print(side.model, {.final_line_break = true}).text;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_at_end = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (!is_at_end) text[kept++] = text[i];
  }
  text.resize(kept);
  return text;
}

bool HasCarriageReturns(std::string_view text) {
  const std::size_t end = text.find('\n');
  return end != std::string_view::npos && end > 0 && text[end - 1] == '\r';
}

std::string WithCarriageReturns(std::string_view text) {
  std::string lines;
  for (const char c : text) lines += c == '\n' ? std::string("\r\n") : std::string(1, c);
  return lines;
}

std::string MergedText(const MergeSide& base, const MergeSide& ours, const MergeSide& theirs,
                       const onnx::ModelProto& merged, const onnx::ModelProto* with_theirs) {
  const std::string texts[] = {TextOf(base), TextOf(ours), TextOf(theirs)};
  std::string text = merge::MergeLines(texts[0], texts[1], texts[2], Side::kOurs);
  if (!merge::IsTextOf(text, merged)) text = Rewrite(texts[1], merged).text;
  if (with_theirs != nullptr) {
    std::string other = merge::MergeLines(texts[0], texts[1], texts[2], Side::kTheirs);
    if (!merge::IsTextOf(other, *with_theirs)) other = Rewrite(text, *with_theirs).text;
    text = merge::MarkConflicts(text, other);
  }
  if (!HasCarriageReturns(ours.text)) return text;
  std::string lines = WithCarriageReturns(text);
  return with_theirs != nullptr || merge::IsTextOf(lines, merged) ? lines : text;
}

}  // namespace

MergeResult Merge(const MergeSide& base, const MergeSide& ours, const MergeSide& theirs, const MergeOptions& options) {
  MergeResult result;
  for (const MergeSide* side : {&base, &ours, &theirs}) result.diagnostics.Append(wire::CheckNesting(side->model));
  if (!result.ok()) return result;
  result.diagnostics = MergeInto(base, ours, theirs, Side::kOurs, &result.model);
  result.has_conflicts = !result.ok();
  onnx::ModelProto with_theirs;
  if (result.has_conflicts) {
    if (options.text) (void)MergeInto(base, ours, theirs, Side::kTheirs, &with_theirs);
  } else if (options.check) {
    result.diagnostics = NewFindings(ours.model, theirs.model, result.model);
  }
  if (options.text) {
    result.text = MergedText(base, ours, theirs, result.model, result.has_conflicts ? &with_theirs : nullptr);
  }
  return result;
}

}  // namespace onnxc
