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

/// Reads a file, or standard input where `path` is "-". `*text` has the file's name in any case. More than `max_bytes`
/// are an error, and are not read. A regular file is mapped, not copied, and must not be cut shorter while the text is
/// in use.
[[nodiscard]] Diagnostics ReadFile(const std::string& path, SourceText* text,
                                   std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

/// A file that is whole, but has no name yet. It is gone with its owner unless it is committed.
class PendingFile {
 public:
  PendingFile();
  /// For the library: `file` holds the bytes, and gets the name `path`.
  PendingFile(std::string path, std::unique_ptr<NewFile> file);
  PendingFile(PendingFile&&) noexcept;
  PendingFile& operator=(PendingFile&&) noexcept;
  ~PendingFile();

  /// Puts the bytes on the disk: all of Commit() that may well fail.
  [[nodiscard]] Diagnostics Prepare();
  /// Gives the file its name. Does nothing where there is no file, or where that was done.
  [[nodiscard]] Diagnostics Commit();

 private:
  std::unique_ptr<NewFile> file_;
  std::string path_;
  bool is_prepared_ = false;
};

/// Writes a file whole or not at all, or standard output where `path` is "-". A symbolic link stays one; what it points
/// to is replaced. Devices, pipes, and what stands in /dev/fd are written directly, and a pipe whose reader has gone
/// away is no failure. docs/robustness.md says more.
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::string_view bytes);
/// The same for bytes in chunks, to be written one behind the other. `first`, if any, is a file that these bytes refer
/// to: it gets its name when they are all on the disk, just before they get theirs, so that where anything fails
/// before, two old files stay as they are. (Where bytes are written directly: when they are written.)
[[nodiscard]] Diagnostics WriteFile(const std::string& path, std::span<const std::string_view> chunks,
                                    PendingFile* first = nullptr);

/// Does what WriteFile() does, with bytes of which not all are there yet. Where a regular file is to be replaced, they
/// go to the disk at once, if the file system can hold a file without a name (O_TMPFILE). All others, such as those for
/// a pipe, could not be taken back: they are kept in memory until Commit().
class FileWriter final : public Sink {
 public:
  explicit FileWriter(std::string path);
  [[nodiscard]] const std::string& path() const { return path_; }
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  ~FileWriter() override;

  void Write(std::string_view chunk) override;
  void Restart() override;
  /// Writes a line break, if the last byte was none.
  void EndLine();

  /// Ends the file, which then has its name, or tells what went wrong; without it, nothing has been written. To be
  /// called once, as the last: a second call does nothing.
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
