// Reading files, and writing them whole or not at all.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/sink.h>
#include <onnxc/source.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

class NewFile;

/// Reads a file, or standard input if `path` is "-". Sets the name of `*text` even if reading fails. A file of more
/// than `max_bytes` bytes is an error and is not read. A regular file is mapped, not copied: nobody must truncate it
/// while the text is in use.
[[nodiscard]] Diagnostics ReadFile(const std::string& path, SourceText* text,
                                   std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

/// A file that is completely written but has no name yet. The destructor deletes it unless Commit() was called.
class PendingFile {
 public:
  PendingFile();
  /// For the library: `file` holds the bytes, and gets the name `path`.
  PendingFile(std::string path, std::unique_ptr<NewFile> file);
  PendingFile(PendingFile&&) noexcept;
  PendingFile& operator=(PendingFile&&) noexcept;
  ~PendingFile();

  /// Flushes the bytes to the disk. This is the part of Commit() that is likely to fail.
  [[nodiscard]] Diagnostics Prepare();
  /// Gives the file its name. Does nothing where there is no file, or where that was done.
  [[nodiscard]] Diagnostics Commit();

  /// The path of the file; empty if there is none.
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  friend class FirstOfTwo;  // of WriteFile(), which gives two files their names, or none

  [[nodiscard]] Diagnostics CommitForNow();
  void End(bool is_kept);

  std::unique_ptr<NewFile> file_;
  std::string path_;
  bool is_prepared_ = false;
};

/// Writes a file whole or not at all, or standard output where `path` is "-". A symbolic link stays one; what it points
/// to is replaced. Devices, pipes, and what stands in /dev/fd are written directly, and a pipe whose reader has
/// closed it is not an error. docs/robustness.md says more.
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::string_view bytes);
/// The same for bytes in chunks, to be written one after the other. `first`, if any, is a file that these bytes refer
/// to: it gets its name when they are all on the disk, just before they get theirs, so that where anything fails
/// before, two old files stay as they are. (Where bytes are written directly: when they are written.)
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> chunks,
                                    PendingFile* first = nullptr);

/// WriteFile() for bytes that come in chunks. If the output replaces a regular file, and the file system supports files
/// without a name (O_TMPFILE), each chunk goes to the disk at once. Otherwise, as for a pipe, the chunks stay in memory
/// until Commit(), because written bytes cannot be taken back.
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

  /// Completes the file and gives it its name, or returns what went wrong. Without this call nothing is written. It
  /// must be the last call; a second one does nothing.
  [[nodiscard]] Diagnostics Commit(PendingFile* first = nullptr);

 private:
  std::string path_;
  std::unique_ptr<NewFile> file_;  // null: the bytes are kept
  std::vector<std::string> kept_;
  char last_ = '\n';
  int error_ = 0;  // of a write
  bool is_over_ = false;
};

}  // namespace onnxc
