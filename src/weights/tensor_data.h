// The bytes of tensors, wherever they are.
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

/// A range of a file that was looked at: it exists and is large enough.
struct FileRange {
  std::string location;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  auto operator<=>(const FileRange&) const = default;
};

/// Bytes of files, and how often they are taken.
class Shares {
 public:
  explicit Shares(std::uint64_t most) : most_(most) {}

  /// Takes a range. False where all ranges together now are more than `most` times the bytes that they cover. A little
  /// may always be taken.
  [[nodiscard]] bool Take(const FileRange& range);

 private:
  std::uint64_t most_;
  std::uint64_t taken_ = 0;
  std::uint64_t covered_ = 0;
  std::map<std::string, std::map<std::uint64_t, std::uint64_t>> pieces_;  // of each file: begin to end, apart
};

/// Reads the external data of one model. The files are opened anew for each use but for the last one, as a model may
/// have more of them than a process may hold open.
class DataReader {
 public:
  DataReader(const ExternalDataOptions& options, Diagnostics* found)
      : options_(options), found_(found), shares_(options.max_copies) {}

  /// Where an external tensor's data are; nothing, and reported, where anything is wrong with it. Not for elided data.
  [[nodiscard]] std::optional<FileRange> Find(const onnx::TensorProto& tensor, const Place& place);

  /// Counts that a tensor's range is read as a whole. False, and reported, where tensors share their ranges beyond the
  /// limit of the options: a small model would have large results otherwise.
  [[nodiscard]] bool Take(const FileRange& range, const Place& place);
  /// The same, for a path of the tensor.
  [[nodiscard]] bool Take(const FileRange& range, const std::string& path);

  /// The checksum of a range, which is read once. Returns the error of reading, or 0.
  [[nodiscard]] int AddUp(const FileRange& range, std::string* checksum);
  /// Whether it need not be read again.
  [[nodiscard]] bool Knows(const FileRange& range) const { return checksums_.contains(range); }

  /// Calls `take` with the bytes of a tensor in chunks, until it returns an error. Returns that, or the error of
  /// reading.
  [[nodiscard]] int ForEachChunk(const FileRange& range, const std::function<int(std::string_view)>& take);
  [[nodiscard]] int ReadAll(const FileRange& range, std::string* bytes);

  /// Copies a range to the offset `to` of a file. Returns the error, or 0.
  [[nodiscard]] int Copy(const FileRange& range, int target, std::uint64_t to);

  /// Null where it cannot be opened.
  [[nodiscard]] std::shared_ptr<const DataFile> Open(const std::string& location, std::string* problem);

  /// An error where a file is larger than the options allow.
  [[nodiscard]] Diagnostics CheckLimit(const DataFile& file, const std::string& location) const;

  void Report(Diagnostic finding) { found_->Add(std::move(finding)); }

 private:
  /// Reports it; false.
  bool TooManyShares(const FileRange& range, const std::string& path);

  const ExternalDataOptions& options_;
  Diagnostics* found_;
  std::string last_location_;
  std::shared_ptr<const DataFile> last_;
  Shares shares_;
  std::map<FileRange, std::string> checksums_;
};

/// Writes all bytes at `offset`. Returns the error, or 0.
[[nodiscard]] int WriteAt(int fd, std::uint64_t offset, std::string_view bytes);

/// A finding with the path of its tensor.
[[nodiscard]] Diagnostic AtTensor(Diagnostic finding, const Place& place);

/// A finding about a tensor, with its path. What keeps data from being read is an error, also where the checker warns.
template <typename... Args>
[[nodiscard]] Diagnostic TensorError(const DiagnosticBase<Args...>& base, const Place& place,
                                     std::type_identity_t<Args>... args) {
  return AtTensor(MakeDiagnostic(base, kNowhere, args...), place);
}

/// That a file cannot be read; `error` is what the system says.
[[nodiscard]] Diagnostic ReadError(const std::string& location, int error, const Place& place);

/// Where an entry of external_data stands; -1 is the tensor.
[[nodiscard]] Diagnostic AtEntry(Diagnostic finding, const onnx::TensorProto& tensor, const Place& place, int entry);

/// "sha256:" and the digits, of bytes that come in chunks.
class Checksum {
 public:
  Checksum();
  ~Checksum();
  Checksum(const Checksum&) = delete;
  Checksum& operator=(const Checksum&) = delete;
  void Add(std::string_view bytes);
  [[nodiscard]] std::string Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace onnxc::weights
