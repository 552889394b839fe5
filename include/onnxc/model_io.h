// Messages and the formats of their files.
#pragma once

#include <onnxc/diagnostic.h>
#include <onnxc/file.h>
#include <onnxc/kind.h>
#include <onnxc/parser.h>
#include <onnxc/printer.h>

#include <optional>
#include <string>
#include <string_view>

namespace onnxc {

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

/// Returns an error if the bytes hold a model or graph in an old schema of ONNX or PyTorch, in which field numbers have
/// other meanings. Call it for files of unknown origin, because Decode() reads such bytes by the current schema. It
/// looks only at the outermost fields.
[[nodiscard]] Diagnostics RefuseOldSchema(std::string_view bytes, Kind kind);

/// Reads a message of any kind from bytes in any format. When the result is not ok(), the message is left empty.
/// `max_bytes` and `max_diagnostics` of the options hold for all formats, the others for Format::kText.
[[nodiscard]] Diagnostics Decode(std::string_view bytes, Format format, google::protobuf::Message* message,
                                 const ParseOptions& options = {});

/// Writes a message of any kind in any format; equal messages give equal bytes. What the format cannot carry is an
/// error. When the result is not ok(), `*bytes` is left empty. `options` are for Format::kText.
[[nodiscard]] Diagnostics Encode(const google::protobuf::Message& message, Format format, std::string* bytes,
                                 const PrintOptions& options = {});

}  // namespace onnxc
