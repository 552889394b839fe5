// Tensors whose data are in a file beside the model.
#include <limits>
#include <optional>
#include <utility>

#include "check/context.h"
#include "external/external_entries.h"
#include "external/folder.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"

namespace onnxc::check {
namespace {

using onnx::TensorProto;

/// Reports about an entry; -1 is the tensor.
void Report(Diagnostic finding, const TensorProto& tensor, const Place& place, int entry, Run& run) {
  if (entry < 0) {
    run.findings.Report(std::move(finding), place);
    return;
  }
  const Place at = place.Child(tensor.external_data(entry), TensorProto::kExternalDataFieldNumber, entry);
  run.findings.Report(std::move(finding), at);
}

/// The path that a finding shows.
std::string ShownPath(const std::string& directory, std::string_view location) {
  const bool has_slash = directory.empty() || directory.ends_with('/');
  return Quoted(directory + (has_slash ? "" : "/") + std::string(location));
}

void CheckAlignment(const TensorProto& tensor, const ExternalEntries& entries, const Place& place, Run& run) {
  if (entries.offset % weights::kPage == 0 || run.told_alignment) return;
  if (weights::IsSafetensors(entries.location)) return;  // a format without gaps
  run.told_alignment = true;
  Report(MakeDiagnostic(diag::kExternalAlignment, kNowhere, entries.offset), tensor, place, entries.offset_entry, run);
}

/// Whether the file is there and holds the tensor.
void CheckFile(const TensorProto& tensor, const ExternalEntries& entries, const Place& place, Run& run) {
  const Links links = run.options.allow_links ? Links::kAllow : Links::kRefuse;
  const OpenedFile opened = OpenInFolder(run.options.directory, std::string(entries.location), links);
  // The reference's mark of data that are in memory: there need be no file.
  if (opened.file == nullptr && entries.location.front() != '#') {
    const std::string path = ShownPath(run.options.directory, entries.location);
    Report(MakeDiagnostic(diag::kExternalFile, kNowhere, path, opened.problem), tensor, place, entries.location_entry,
           run);
    return;
  }
  const std::optional<std::uint64_t> needed = DataSize(tensor);
  if (!needed.has_value()) return;
  constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::uint64_t>::max();
  auto problem = RangeProblem(entries, *needed, opened.file ? opened.file->size() : kUnknownSize);
  if (problem.has_value()) run.findings.Report(*std::move(problem), place);
}

}  // namespace

void CheckExternalData(const TensorProto& tensor, const Place& place, Run& run) {
  const ExternalEntries entries = ReadEntries(tensor);
  for (const EntryProblem& problem : entries.problems) {
    Report(problem.finding, tensor, place, problem.entry, run);
  }
  if (entries.elided.has_value()) {
    run.findings.Report(diag::kExternalElided, place, weights::TensorLabel(tensor));
    return;
  }
  if (tensor.data_type() == TensorProto::STRING) run.findings.Report(diag::kExternalStrings, place);
  CheckAlignment(tensor, entries, place, run);
  if (entries.problems.empty() && run.options.external_files) CheckFile(tensor, entries, place, run);
}

}  // namespace onnxc::check
