#include "weights/tensor_data.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <vector>

#include "external/checksum.h"
#include "external/external_entries.h"
#include "platform/copy_bytes.h"
#include "source/report.h"
#include "tables/raw_data.h"
#include "weights/tensors.h"

namespace onnxc::weights {
namespace {

constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;

}  // namespace

Diagnostic AtTensor(Diagnostic finding, const Place& place) {
  finding.severity = Severity::kError;
  finding.path = PathOf(place);
  return finding;
}

Diagnostic AtEntry(Diagnostic finding, const onnx::TensorProto& tensor, const Place& place, int entry) {
  if (entry < 0) return AtTensor(std::move(finding), place);
  return AtTensor(std::move(finding),
                  place.Child(tensor.external_data(entry), onnx::TensorProto::kExternalDataFieldNumber, entry));
}

Diagnostic ReadError(const std::string& location, int error, const Place& place) {
  return TensorError(diag::kExternalFile, place, Quoted(location), fmt::format("cannot be read: {}", Reason(error)));
}

std::shared_ptr<const DataFile> DataReader::Open(const std::string& location, std::string* problem) {
  if (last_ != nullptr && last_location_ == location) return last_;
  OpenedFile opened = OpenInFolder(options_.directory, location, options_.allow_links ? Links::kAllow : Links::kRefuse);
  *problem = std::move(opened.problem);
  last_ = std::move(opened.file);
  last_location_ = location;
  return last_;
}

Diagnostics DataReader::CheckLimit(const DataFile& file, const std::string& location) const {
  if (file.size() <= options_.max_bytes) return {};
  return InputTooLarge(options_.max_bytes, fmt::format("'{}'", Quoted(location)));
}

std::optional<FileRange> DataReader::Find(const onnx::TensorProto& tensor, const Place& place) {
  if (CountDataFields(tensor) != 0) {
    Report(TensorError(diag::kExternalWithData, place));
    return std::nullopt;
  }
  const ExternalEntries entries = ReadEntries(tensor);
  for (const EntryProblem& problem : entries.problems) Report(AtEntry(problem.finding, tensor, place, problem.entry));
  if (!entries.problems.empty()) return std::nullopt;
  const std::optional<std::uint64_t> size = DataSize(tensor);
  if (!size.has_value()) {
    const bool is_string = tensor.data_type() == onnx::TensorProto::STRING;
    Report(is_string ? TensorError(diag::kExternalStrings, place) : TensorError(diag::kExternalSize, place));
    return std::nullopt;
  }
  FileRange range{std::string(entries.location), entries.offset, *size};
  const auto at_location = [&](Diagnostic finding) {
    Report(AtEntry(std::move(finding), tensor, place, entries.location_entry));
    return std::nullopt;
  };
  std::string reason;
  const auto file = Open(range.location, &reason);
  if (file == nullptr)
    return at_location(MakeDiagnostic(diag::kExternalFile, kNowhere, Quoted(range.location), reason));
  if (Diagnostics found = CheckLimit(*file, range.location); !found.ok()) return at_location(found.items().front());
  if (auto problem = RangeProblem(entries, *size, file->size())) return at_location(*std::move(problem));
  return range;
}

bool Shares::Take(const FileRange& range) {
  constexpr std::uint64_t kLittle = std::uint64_t{16} << 20;
  std::map<std::uint64_t, std::uint64_t>& pieces = pieces_[range.location];
  std::uint64_t begin = range.offset;
  std::uint64_t end = range.offset + range.size;
  auto piece = pieces.upper_bound(begin);
  if (piece != pieces.begin() && std::prev(piece)->second >= begin) --piece;
  while (piece != pieces.end() && piece->first <= end) {  // pieces that touch the new one are merged with it
    begin = std::min(begin, piece->first);
    end = std::max(end, piece->second);
    covered_ -= piece->second - piece->first;
    piece = pieces.erase(piece);
  }
  pieces.emplace(begin, end);
  covered_ += end - begin;
  taken_ += range.size;
  return taken_ <= kLittle || taken_ / std::max<std::uint64_t>(most_, 1) <= covered_;
}

bool DataReader::Take(const FileRange& range, const Place& place) {
  return shares_.Take(range) || TooManyShares(range, PathOf(place));
}

bool DataReader::Take(const FileRange& range, const std::string& path) {
  return shares_.Take(range) || TooManyShares(range, path);
}

bool DataReader::TooManyShares(const FileRange& range, const std::string& path) {
  Diagnostic finding = MakeDiagnostic(diag::kWeightsShared, kNowhere, Quoted(range.location), options_.max_copies);
  finding.path = path;
  Report(std::move(finding));
  return false;
}

int DataReader::AddUp(const FileRange& range, std::string* checksum) {
  const auto known = checksums_.find(range);
  if (known != checksums_.end()) {
    *checksum = known->second;
    return 0;
  }
  Checksum sum;
  const int error = ForEachChunk(range, [&](std::string_view chunk) {
    sum.Add(chunk);
    return 0;
  });
  if (error == 0) *checksum = checksums_.emplace(range, sum.Finish()).first->second;
  return error;
}

int DataReader::ForEachChunk(const FileRange& range, const std::function<int(std::string_view)>& take) {
  std::string problem;
  const auto file = Open(range.location, &problem);
  if (file == nullptr) return ENOENT;
  std::vector<char> buffer(static_cast<std::size_t>(std::min(range.size, kChunk)));
  for (std::uint64_t done = 0; done < range.size;) {
    const auto count = static_cast<std::size_t>(std::min(range.size - done, kChunk));
    if (const int error = file->Read(range.offset + done, buffer.data(), count); error != 0) return error;
    if (const int error = take({buffer.data(), count}); error != 0) return error;
    done += count;
  }
  return 0;
}

int DataReader::ReadAll(const FileRange& range, std::string* bytes) {
  std::string problem;
  const auto file = Open(range.location, &problem);
  if (file == nullptr) return ENOENT;
  bytes->resize(static_cast<std::size_t>(range.size));
  return file->Read(range.offset, bytes->data(), bytes->size());
}

int DataReader::Copy(const FileRange& range, int target, std::uint64_t to) {
  std::string problem;
  const auto file = Open(range.location, &problem);
  if (file == nullptr) return ENOENT;
  auto in = static_cast<off_t>(range.offset);
  auto out = static_cast<off_t>(to);
  std::uint64_t done = 0;
  while (done < range.size) {
    const ssize_t count = CopyBytes(file->fd(), &in, target, &out, range.size - done);
    if (count == -ENOTSUP) break;
    if (count <= 0) return count == 0 ? EIO : static_cast<int>(-count);  // 0: the file was truncated
    done += static_cast<std::uint64_t>(count);
  }
  return ForEachChunk({range.location, range.offset + done, range.size - done}, [&](std::string_view chunk) {
    const int error = WriteAt(target, to + done, chunk);
    done += chunk.size();
    return error;
  });
}

int WriteAt(int fd, std::uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0 ? EIO : errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return 0;
}

}  // namespace onnxc::weights
