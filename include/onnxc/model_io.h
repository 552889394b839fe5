// Converts messages between file formats.
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
  kBinary,     ///< protobuf's wire format, as in .onnx files
  kTextProto,  ///< protobuf's text format
  kJson,       ///< protobuf's JSON mapping
};

/// Returns the format of files with this suffix, or nothing if the suffix is unknown.
[[nodiscard]] std::optional<Format> FormatOfSuffix(std::string_view file_name);

/// Returns the format of a file that contains a message of kind `kind`. The bytes determine the format; the suffix of
/// the file name is used only if the bytes are ambiguous.
[[nodiscard]] Format DetectFormat(std::string_view bytes, std::string_view file_name, Kind kind);

/// Returns an error if the bytes contain a model or graph in an old schema of ONNX or PyTorch, in which field numbers
/// have other meanings. Call this function for files of unknown origin, because Decode() reads such bytes by the
/// current schema. Only the outermost fields are read.
[[nodiscard]] Diagnostics RefuseOldSchema(std::string_view bytes, Kind kind);

/// Reads a message of any kind from bytes in any format. If the result is not ok(), the message is empty. The options
/// `max_bytes` and `max_diagnostics` apply to all formats, the others only to Format::kText.
[[nodiscard]] Diagnostics Decode(std::string_view bytes, Format format, google::protobuf::Message* message,
                                 const ParseOptions& options = {});

/// Writes a message of any kind in any format. Equal messages give equal bytes. It is an error if the format cannot
/// express a part of the message. If the result is not ok(), `*bytes` is empty. `options` apply only to Format::kText.
[[nodiscard]] Diagnostics Encode(const google::protobuf::Message& message, Format format, std::string* bytes,
                                 const PrintOptions& options = {});

}  // namespace onnxc
