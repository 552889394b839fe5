// The formats that files are written in.
#pragma once

#include <onnxc/model_io.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::cli {

struct OutputFormat {
  std::string_view word;  ///< as on the command line
  Format format;
  std::string_view suffix;
};

inline constexpr std::array<OutputFormat, 4> kOutputFormats = {{
    {"onnx", Format::kBinary, ".onnx"},
    {"textproto", Format::kTextProto, ".textproto"},
    {"json", Format::kJson, ".json"},
    {"onnxtxt", Format::kText, ".onnxtxt"},
}};

/// The first three.
inline constexpr std::span kProtobufFormats = std::span(kOutputFormats).first<3>();

[[nodiscard]] std::vector<std::string_view> Words(std::span<const OutputFormat> formats);

/// The row of `word`, or of the format that files called `path` are in where the word is empty. Null where there is
/// none.
[[nodiscard]] const OutputFormat* FindFormat(std::span<const OutputFormat> formats, std::string_view word,
                                             std::string_view path);

/// Binary is not written to a terminal.
[[nodiscard]] bool SpoilsTerminal(const OutputFormat& format, std::string_view path);

}  // namespace onnxc::cli
