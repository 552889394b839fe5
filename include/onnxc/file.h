// Reads files, and writes files atomically: completely or not at all.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/sink.h>
#include <onnxc/source.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace onnxc {

class NewFile;

/// Reads a file, or standard input if `path` is "-". Sets the name of `*text` even if reading fails. A file of more
/// than `max_bytes` bytes is an error and is not read. A regular file is mapped, not copied, so it must not be
/// truncated while the text is in use.
[[nodiscard]] Diagnostics ReadFile(const std::string& path, SourceText* text,
                                   std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

/// A file that is completely written but has no name yet. The destructor deletes it unless Commit() was called.
class PendingFile {
 public:
  PendingFile();
  /// For the library only: `file` contains the bytes; Commit() gives it the name `path`.
  PendingFile(std::string path, std::unique_ptr<NewFile> file);
  PendingFile(PendingFile&&) noexcept;
  PendingFile& operator=(PendingFile&&) noexcept;
  ~PendingFile();

  /// Flushes the bytes to the disk. Commit() calls this function if the caller has not called it. Of all steps of
  /// Commit(), this one is most likely to fail.
  [[nodiscard]] Diagnostics Prepare();
  /// Gives the file its name. Does nothing if there is no file or if the file already has its name.
  [[nodiscard]] Diagnostics Commit();

  /// Returns the path of the file, or "" if there is no file.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  friend class FirstOfTwo;  // used by WriteFile(), which gives names to two files or to none

  [[nodiscard]] Diagnostics CommitForNow();
  void End(bool is_kept);

  std::unique_ptr<NewFile> file_;
  std::string path_;
  bool is_prepared_ = false;
};

/// The files that contain the weights of the models that a run reads or writes. No output may replace one of them: the
/// model would lose its weights.
class WeightFiles {
 public:
  /// Adds the file at `location`, a path relative to the folder of the file `model`, which refers to it. If the file
  /// itself supplies weights, `model` is "", and `location` is its path.
  void Add(const std::string& model, const std::string& location);

  /// Returns an error if the file `output`, or the file `beside` that is written together with it, is one of these
  /// files, however the paths are spelled and linked. A model and the file with its weights may be replaced together.
  /// `beside` is "" if there is no such file.
  [[nodiscard]] Diagnostics FindReplaced(const std::string& output, const std::string& beside) const;

 private:
  std::set<std::pair<std::string, std::string>> files_;  // models and locations
};

/// Writes a file completely or not at all, or writes to standard output if `path` is "-". If `path` is a symbolic link,
/// the file to which it points is replaced, and the link stays. Devices, pipes and files in /dev/fd are written
/// directly. It is not an error if the reader of a pipe has closed the pipe. docs/robustness.md has details.
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::string_view bytes);
/// Like WriteFile() above, for chunks that are written one after the other. If the chunks refer to another new file,
/// such as a file of external data, pass that file as `first`. `first` gets its name when all chunks are on the disk,
/// just before the file at `path` gets its name, so an earlier failure leaves both old files unchanged. (If the chunks
/// are written directly, as to a pipe, `first` gets its name after they are written.) It is an error if one of
/// `weights`, which may be null, would be replaced.
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> chunks,
                                    PendingFile* first = nullptr, const WeightFiles* weights = nullptr);

/// A sink that works like WriteFile(). If the output replaces a regular file, and the file system supports files
/// without a name (O_TMPFILE), each chunk is written to the disk immediately. Otherwise, as for a pipe, the chunks stay
/// in memory until Commit(), because written bytes cannot be taken back.
class FileWriter final : public Sink {
 public:
  explicit FileWriter(std::string path);
  [[nodiscard]] const std::string& path() const { return path_; }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() override;

  void Write(std::string_view chunk) override;
  void Restart() override;
  /// Writes a line break unless the last byte was one.
  void EndLine();

  /// Completes the file and gives it its name, or returns the errors. Without this call, nothing is written to the
  /// path. Commit() must be the last call; calling it again has no effect. `first` and `weights` are as
  /// for WriteFile().
  [[nodiscard]] Diagnostics Commit(PendingFile* first = nullptr, const WeightFiles* weights = nullptr);

 private:
  std::string path_;
  std::unique_ptr<NewFile> file_;  // if null, the bytes are kept in memory
  std::vector<std::string> kept_;
  char last_ = '\n';
  int error_ = 0;  // errno of a failed write
  bool is_over_ = false;
};

}  // namespace onnxc
