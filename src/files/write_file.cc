// Writes files atomically. A regular file is replaced: a new file in the same folder (new_file.h) receives all bytes
// and then gets the name of the old file.
#include "files/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <memory>
#include <span>
#include <utility>

#include "files/errors.h"
#include "files/new_file.h"
#include "files/target.h"
#include "files/write_all.h"
#include "platform/descriptor.h"
#include "platform/mapped_file.h"
#include "source/report.h"

namespace onnxc {
namespace {

int WriteWhole(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(fd, bytes.data(), bytes.size());
    if (count > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (count == 0) {
      return EIO;
    } else if (errno == EAGAIN) {  // another process has made the pipe non-blocking
      pollfd ready = {.fd = fd, .events = POLLOUT, .revents = 0};
      (void)::poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

/// If `bytes` are part of a mapped file, frees their pages as soon as they are written. Without this, the process would
/// hold the whole file in memory.
int WriteAll(int fd, std::string_view bytes) {
  constexpr std::size_t kPart = std::size_t{16} << 20;
  if (bytes.size() <= 4 * kPart || !IsMappedFile(bytes)) return WriteWhole(fd, bytes);
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kPart);
    if (const int error = WriteWhole(fd, part); error != 0) return error;
    bytes.remove_prefix(part.size());
    FreePages(part);
  }
  return 0;
}

/// The first of two files that are written together. The second file refers to it, so the first file gets its name
/// first. The old file that the first file replaces is kept until the second file also has its name: if naming the
/// second file fails, or memory runs out before, the replaced file gets its name back.
class FirstOfTwo {
 public:
  explicit FirstOfTwo(PendingFile* file) : file_(file) {}
  FirstOfTwo(const FirstOfTwo&) = delete;
  FirstOfTwo& operator=(const FirstOfTwo&) = delete;
  ~FirstOfTwo() { End(/*is_kept=*/false); }
  [[nodiscard]] Diagnostics CommitForNow() { return file_ == nullptr ? Diagnostics() : file_->CommitForNow(); }
  void Keep() { End(/*is_kept=*/true); }

 private:
  void End(bool is_kept) {
    if (PendingFile* const file = std::exchange(file_, nullptr)) file->End(is_kept);
  }

  PendingFile* file_;
};

namespace {

/// Chunks of bytes that are written in this order.
using Chunks = std::span<const std::string_view>;

int WriteEach(int fd, Chunks chunks) {
  for (const std::string_view chunk : chunks) {
    if (const int error = WriteAll(fd, chunk); error != 0) return error;
  }
  return 0;
}

Written Failed(int error, std::string_view what = "") {
  return {CannotWrite(fmt::format("{}{}", what, Reason(error))), error};
}

Diagnostics Prepare(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Prepare(); }
Diagnostics Commit(PendingFile* first) { return first == nullptr ? Diagnostics() : first->Commit(); }

/// Returns an error if the file `first` and the file at `path` are the same, or if one of them would replace a file
/// with weights. All outputs of a run are checked here.
Diagnostics CheckOutputs(const PendingFile* first, const std::string& path, const WeightFiles* weights) {
  const std::string beside = first == nullptr ? "" : first->path();
  if (!beside.empty() && IsSameFile(beside, path)) {
    return CannotWrite(fmt::format("'{}' is the same file", Quoted(beside)));
  }
  return weights == nullptr ? Diagnostics() : weights->FindReplaced(path, beside);
}

Written WriteDirectly(int fd, Chunks chunks, PendingFile* first) {
  if (Diagnostics found = Prepare(first); !found.ok()) return {std::move(found)};
  const int error = WriteEach(fd, chunks);
  if (error != 0 && error != EPIPE) return Failed(error);
  return {Commit(first)};
}

/// Renames the pending file `first` to its final name, and then `file`. If the second renaming fails, the first one is
/// undone.
Written Finish(NewFile& file, PendingFile* first) {
  if (Diagnostics found = Prepare(first); !found.ok()) return {std::move(found)};
  if (const int error = file.Prepare(); error != 0) return Failed(error);
  // Now all bytes are on the disk. The two files get their names directly one after the other.
  FirstOfTwo other(first);
  if (Diagnostics found = other.CommitForNow(); !found.ok()) return {std::move(found)};
  if (const int error = file.Commit(); error != 0) return Failed(error);
  other.Keep();
  return {};
}

std::unique_ptr<NewFile> NewFileFor(const std::string& path, const Target& target) {
  return std::make_unique<NewFile>(FollowLinks(path), target.exists ? &target.old : nullptr);
}

}  // namespace

Diagnostics WriteFile(const std::string& path, std::string_view bytes) { return WriteFile(path, {&bytes, 1}); }

Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> chunks, PendingFile* first,
                      const WeightFiles* weights) {
  return TryToWriteFile(path, chunks, first, weights).found;
}

Written TryToWriteFile(const std::string& path, std::span<const std::string_view> chunks, PendingFile* first,
                       const WeightFiles* weights) {
  const Target target = TargetOf(path);
  if (target.error != 0) return Failed(target.error);
  if (Diagnostics found = CheckOutputs(first, path, weights); !found.ok()) return {std::move(found)};
  if (target.fd) return WriteDirectly(*target.fd, chunks, first);
  if (!target.is_replaced) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.ok()) return Failed(errno);
    return WriteDirectly(file.get(), chunks, first);
  }
  const std::unique_ptr<NewFile> file = NewFileFor(path, target);
  if (const int error = file->Open(); error != 0) return Failed(error, "no file can be made in the folder: ");
  if (const int error = WriteEach(file->fd(), chunks); error != 0) return Failed(error);
  return Finish(*file, first);
}

FileWriter::FileWriter(std::string path) : path_(std::move(path)) {
  const Target target = TargetOf(path_);
  if (target.error != 0 || !target.is_replaced) return;
  file_ = NewFileFor(path_, target);
  if (file_->OpenWithoutName() != 0) file_.reset();
}

FileWriter::~FileWriter() = default;

void FileWriter::Write(std::string_view chunk) {
  if (chunk.empty()) return;
  last_ = chunk.back();
  if (!file_) {
    kept_.emplace_back(chunk);
  } else if (error_ == 0) {
    error_ = WriteAll(file_->fd(), chunk);
  }
}

void FileWriter::Restart() {
  kept_.clear();
  last_ = '\n';
  if (!file_) return;
  const bool is_empty = ::ftruncate(file_->fd(), 0) == 0 && ::lseek(file_->fd(), 0, SEEK_SET) == 0;
  error_ = is_empty ? 0 : errno;
}

void FileWriter::EndLine() {
  if (last_ != '\n') Write("\n");
}

Diagnostics FileWriter::Commit(PendingFile* first, const WeightFiles* weights) {
  if (std::exchange(is_over_, true)) return {};
  // The file must be destroyed in this thread, because it may hold a SignalsWait of this thread.
  if (const std::unique_ptr<NewFile> file = std::move(file_)) {
    if (Diagnostics found = CheckOutputs(first, path_, weights); !found.ok()) return found;
    return error_ == 0 ? Finish(*file, first).found : CannotWrite(Reason(error_));
  }
  const std::vector<std::string_view> chunks(kept_.begin(), kept_.end());
  return WriteFile(path_, chunks, first, weights);
}

}  // namespace onnxc
