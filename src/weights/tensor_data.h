// Reads the bytes of tensors, wherever they are.
#pragma once

#include <onnxc/external_data.h>

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "external/folder.h"
#include "source/message_path.h"
#include "source/report.h"

namespace onnxc::weights {

/// A range of a file that was checked: it exists and is large enough.
struct FileRange {
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  auto operator<=>(const FileRange&) const = default;  // NOLINT(modernize-use-nullptr): about generated code
};

/// Compares the number of bytes that are read with the number of different bytes among them.
class Shares {
 public:
  explicit Shares(std::uint64_t most) : most_(most) {}

  /// Adds a range. Returns false if all ranges together exceed `most` times the number of bytes that they cover. A
  /// small amount is always allowed.
  [[nodiscard]] bool Take(const FileRange& range);

 private:
  std::uint64_t most_;
  std::uint64_t taken_ = 0;
  std::uint64_t covered_ = 0;
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>>
      pieces_;  // for each file: the ranges as beginning and end, without overlaps
};

/// Reads the external data of one model. Only the last file is kept open, because a model may have more files than a
/// process may hold open.
class DataReader {
 public:
  DataReader(const ExternalDataOptions& options, Diagnostics* found)
      : options_(options), found_(found), shares_(options.max_copies) {}

  /// Returns the range of an external tensor's data. Returns nothing if there is a problem, which is reported. Must not
  /// be called for elided data.
  [[nodiscard]] std::optional<FileRange> Find(const onnx::TensorProto& tensor, const Place& place);

  /// Must be called before the data of a tensor are read. Returns false and reports an error if the data that tensors
  /// share are read more often than the options allow. Without this limit, the result for a small model could be very
  /// large.
  [[nodiscard]] bool Take(const FileRange& range, const Place& place);
  /// Like Take() above, with the path of the tensor.
  [[nodiscard]] bool Take(const FileRange& range, const std::string& path);

  /// Computes the checksum of a range. A range that was requested before is not read again. Returns an error number, or
  /// 0.
  [[nodiscard]] int AddUp(const FileRange& range, std::string* checksum);
  /// Returns whether the checksum of the range is already known.
  [[nodiscard]] bool Knows(const FileRange& range) const { return checksums_.contains(range); }

  /// Calls `take` with the bytes of a tensor in chunks until it returns an error. Returns that error, the error of
  /// reading, or 0.
  [[nodiscard]] int ForEachChunk(const FileRange& range, const std::function<int(std::string_view)>& take);
  [[nodiscard]] int ReadAll(const FileRange& range, std::string* bytes);

  /// Copies a range to the offset `to` of the open file `target`. Returns an error number, or 0.
  [[nodiscard]] int Copy(const FileRange& range, int target, std::uint64_t to);

  /// Opens the file at `location`. If this fails, returns null and sets `*problem`.
  [[nodiscard]] std::shared_ptr<const DataFile> Open(const std::string& location, std::string* problem);

  /// Returns an error if a file is larger than the options allow.
  [[nodiscard]] Diagnostics CheckLimit(const DataFile& file, const std::string& location) const;

  void Report(Diagnostic finding) { found_->Add(std::move(finding)); }

 private:
  /// Reports that the limit is exceeded, and returns false.
  bool TooManyShares(const FileRange& range, const std::string& path);

  const ExternalDataOptions& options_;
  Diagnostics* found_;
  std::string last_location_;
  std::shared_ptr<const DataFile> last_;
  Shares shares_;
  std::map<FileRange, std::string> checksums_;
};

/// Writes all bytes at `offset`. Returns an error number, or 0.
[[nodiscard]] int WriteAt(int fd, std::uint64_t offset, std::string_view bytes);

/// Adds the path of the tensor to a finding.
[[nodiscard]] Diagnostic AtTensor(Diagnostic finding, const Place& place);

/// Returns an error about a tensor, with the path of the tensor. It is an error even for a kind that the checker
/// reports only as a warning, because the data cannot be read.
template <typename... Args>
[[nodiscard]] Diagnostic TensorError(const DiagnosticBase<Args...>& base, const Place& place,
                                     std::type_identity_t<Args>... args) {
  return AtTensor(MakeDiagnostic(base, kNowhere, args...), place);
}

/// Returns an error that says that a file cannot be read. `error` is the system's error number.
[[nodiscard]] Diagnostic ReadError(const std::string& location, int error, const Place& place);

/// Adds a path to a finding: the path of an entry of external_data, or the path of the tensor if `entry` is -1.
[[nodiscard]] Diagnostic AtEntry(Diagnostic finding, const onnx::TensorProto& tensor, const Place& place, int entry);

}  // namespace onnxc::weights
