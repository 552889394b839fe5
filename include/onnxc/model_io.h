// Files and the formats they are in.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/kind.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>
#include <onnxc/source.h>

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc {

class PendingFile;  // external_data.h
class NewFile;

enum class Format {
  kText,       ///< the ONNX text syntax
  kBinary,     ///< protobuf's wire format, what an .onnx file holds
  kTextProto,  ///< protobuf's text format
  kJson,       ///< protobuf's JSON mapping
};

/// The format that files with this suffix are in; nothing for an unknown one.
[[nodiscard]] std::optional<Format> FormatOfSuffix(std::string_view file_name);

/// The format of a file's bytes. The content decides; the file name's suffix is asked only where that could be either.
[[nodiscard]] Format DetectFormat(std::string_view bytes, std::string_view file_name, Kind kind);

/// Reads a message of any kind from bytes in any format. When the result is not ok(), the message is left empty.
/// `max_bytes` and `max_diagnostics` of the options hold for all formats, the others for Format::kText.
[[nodiscard]] Diagnostics Decode(std::string_view bytes, Format format, google::protobuf::Message* message,
                                 const ParseOptions& options = {});

/// Writes a message of any kind in any format; equal messages give equal bytes. What the format cannot carry is an
/// error. When the result is not ok(), `*bytes` is left empty. `options` are for Format::kText.
[[nodiscard]] Diagnostics Encode(const google::protobuf::Message& message, Format format, std::string* bytes,
                                 const PrintOptions& options = {});

/// Reads a file, or standard input where `path` is "-". `*text` has the file's name in any case. More than `max_bytes`
/// are an error, and are not read. A regular file is mapped, not copied, and must not be cut shorter while the text is
/// in use.
[[nodiscard]] Diagnostics ReadFile(const std::string& path, SourceText* text,
                                   std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

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
