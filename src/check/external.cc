// Rules for tensors whose data are in an external file.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "check/context.h"
#include "external/external_entries.h"
#include "external/folder.h"
#include "source/message_cast.h"
#include "source/openssl_sha.h"
#include "tables/raw_data.h"
#include "weights/elided.h"
#include "weights/layout.h"

namespace onnxc::check {
namespace {

using onnx::TensorProto;

/// Reports a finding about the entry of external_data with the index `entry`, or about the tensor if `entry` is -1.
void Report(Diagnostic finding, const TensorProto& tensor, const Place& place, int entry, Run& run) {
  if (entry < 0) {
    run.findings.Report(std::move(finding), place);
    return;
  }
  const Place at = place.Child(tensor.external_data(entry), TensorProto::kExternalDataFieldNumber, entry);
  run.findings.Report(std::move(finding), at);
}

/// Returns the path as findings show it.
std::string ShownPath(const std::string& directory, std::string_view location) {
  const bool has_slash = directory.empty() || directory.ends_with('/');
  return Quoted(directory + (has_slash ? "" : "/") + std::string(location));
}

void CheckAlignment(const TensorProto& tensor, const ExternalEntries& entries, const Place& place, Run& run) {
  if (!run.options.optional_rules || entries.offset % weights::kPage == 0 || run.told_alignment) return;
  if (weights::IsSafetensors(entries.location))
    return;  // the safetensors format has no gaps, so its tensors cannot be aligned
  run.told_alignment = true;
  Report(MakeDiagnostic(diag::kExternalAlignment, kNowhere, entries.offset), tensor, place, entries.offset_entry, run);
}

/// Returns the SHA-1 of the file in hexadecimal digits, or "" if the file cannot be read. Each file is read only once.
const std::string& ChecksumOf(const DataFile& file, Run& run) {
  struct stat status = {};
  if (::fstat(file.fd(), &status) != 0) status = {};
  const auto [found, is_new] = run.file_checksums.try_emplace({status.st_dev, status.st_ino});
  if (!is_new) return found->second;
  SHA_CTX context;
  ::SHA1_Init(&context);
  std::vector<char> buffer(std::size_t{1} << 20);
  for (std::uint64_t at = 0; at < file.size();) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), file.size() - at));
    if (file.Read(at, buffer.data(), size) != 0) return found->second;
    ::SHA1_Update(&context, buffer.data(), size);
    at += size;
  }
  std::array<std::uint8_t, SHA_DIGEST_LENGTH> digest{};
  ::SHA1_Final(digest.data(), &context);
  for (const std::uint8_t byte : digest) found->second += fmt::format("{:02x}", byte);
  return found->second;
}

/// Returns the index of the entry with the checksum, or -1 if there is none.
int FindChecksum(const TensorProto& tensor) {
  for (int i = 0; i < tensor.external_data_size(); ++i) {
    if (tensor.external_data(i).key() == "checksum") return i;
  }
  return -1;
}

/// Returns the checksum that the entry contains, in lower case, or "" if it is not a SHA-1.
std::string ReadChecksum(const TensorProto& tensor, int entry) {
  std::string text = tensor.external_data(entry).value();
  for (char& c : text) c = c >= 'A' && c <= 'F' ? static_cast<char>(c + ('a' - 'A')) : c;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  const bool is_checksum = text.size() == std::size_t{2} * SHA_DIGEST_LENGTH && std::ranges::all_of(text, is_digit);
  return is_checksum ? text : "";
}

/// Checks that the checksum is well-formed, and that it matches the file if this check is enabled.
void CheckChecksum(const TensorProto& tensor, const DataFile* file, const Place& place, Run& run) {
  const int entry = FindChecksum(tensor);
  if (entry < 0) return;
  const std::string wanted = ReadChecksum(tensor, entry);
  if (wanted.empty()) {
    const std::string& value = tensor.external_data(entry).value();
    Report(MakeDiagnostic(diag::kExternalChecksumForm, kNowhere, Quoted(value)), tensor, place, entry, run);
    return;
  }
  if (file == nullptr || !run.options.checksums) return;
  const bool is_too_large = file->size() > run.options.max_bytes;
  const std::string& is = is_too_large ? std::string() : ChecksumOf(*file, run);
  if (is == wanted) return;
  Diagnostic finding = MakeDiagnostic(diag::kExternalChecksum, kNowhere, is, wanted);
  if (is_too_large) {
    finding.message = fmt::format("the file is larger than the limit of {} bytes, so its checksum was not computed",
                                  run.options.max_bytes);
  } else if (is.empty()) {
    finding.message = "the file cannot be read, so its checksum is unknown";
  }
  Report(std::move(finding), tensor, place, entry, run);
}

/// Corrects the length if the data of the next tensor begin directly after the bytes that this tensor needs.
void CorrectLength(const TensorProto& tensor, const ExternalEntries& entries, std::uint64_t needed, const Place& place,
                   const Run& run, Diagnostic* finding) {
  const auto* const graph = place.parent == nullptr ? nullptr : MessageCast<onnx::GraphProto>(place.parent->message);
  if (finding == nullptr || graph == nullptr || place.field != onnx::GraphProto::kInitializerFieldNumber) return;
  if (place.index + 1 >= graph->initializer_size()) return;
  const TensorProto& next = graph->initializer(place.index + 1);
  const ExternalEntries behind = ReadEntries(next);
  if (behind.location != entries.location || behind.offset != entries.offset + needed) return;
  finding->message += fmt::format("; the data of '{}' begin directly after the {} bytes", Quoted(next.name()), needed);
  for (const onnx::StringStringEntryProto& entry : tensor.external_data()) {
    const SourceMap* const map = run.options.source_map;
    const SourceRange* const range = map == nullptr || entry.key() != "length" ? nullptr : map->Find(entry);
    if (range != nullptr) finding->fix_its = {{*range, fmt::format("\"length\": \"{}\"", needed)}};
  }
}

/// Checks that the file exists and contains the tensor's data.
void CheckFile(const TensorProto& tensor, const ExternalEntries& entries, const Place& place, Run& run) {
  const Links links = run.options.allow_links ? Links::kAllow : Links::kRefuse;
  const OpenedFile opened = OpenInFolder(run.options.directory, std::string(entries.location), links);
  // For the reference, a location that begins with '#' refers to data in memory, so no file is needed.
  if (opened.file == nullptr && entries.location.front() != '#') {
    if (!run.missing_files.insert(entries.location).second) return;
    const std::string path = ShownPath(run.options.directory, entries.location);
    Report(MakeDiagnostic(diag::kExternalFile, kNowhere, path, opened.problem), tensor, place, entries.location_entry,
           run);
    return;
  }
  CheckChecksum(tensor, opened.file.get(), place, run);
  const std::optional<std::uint64_t> needed = DataSize(tensor);
  if (!needed.has_value()) return;
  constexpr std::uint64_t kUnknownSize = std::numeric_limits<std::uint64_t>::max();
  auto problem = RangeProblem(entries, *needed, opened.file ? opened.file->size() : kUnknownSize);
  if (!problem.has_value()) return;
  const bool is_length = problem->kind == DiagnosticKind::kExternalLength;
  Diagnostic* const finding = run.findings.Report(*std::move(problem), place);
  if (is_length) CorrectLength(tensor, entries, *needed, place, run, finding);
}

}  // namespace

void CheckExternalData(const TensorProto& tensor, const Place& place, Run& run) {
  const ExternalEntries entries = ReadEntries(tensor);
  for (const EntryProblem& problem : entries.problems) {
    Report(problem.finding, tensor, place, problem.entry, run);
  }
  if (entries.elided.has_value()) {
    if (!std::exchange(run.told_elided, true)) {
      run.findings.Report(diag::kExternalElided, place, weights::ElidedLabel(tensor, place));
    }
    return;
  }
  if (tensor.data_type() == TensorProto::STRING) run.findings.Report(diag::kExternalStrings, place);
  CheckAlignment(tensor, entries, place, run);
  if (entries.problems.empty() && run.options.external_files) {
    CheckFile(tensor, entries, place, run);
  } else {
    CheckChecksum(tensor, nullptr, place, run);
  }
}

}  // namespace onnxc::check
