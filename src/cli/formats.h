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

struct Input;

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

/// That no format is known by the suffix of an output, with those that are.
[[nodiscard]] std::string UnknownFormat(std::string_view path);

/// Binary is not written to a terminal.
[[nodiscard]] bool SpoilsTerminal(const OutputFormat& format, std::string_view path);

/// Whether a text of so many bytes is too long for the terminal that it goes to: it is then shown without weights.
[[nodiscard]] bool FloodsTerminal(std::size_t bytes, std::string_view path);

/// Tells the user that the weights are left out. `how` says how to get them.
void ReportNoWeights(std::string_view program, std::string_view how);

/// Encode() for an output. A text ends with a line break; of one that is too long for the terminal, `*model` loses its
/// weights.
[[nodiscard]] Diagnostics EncodeOutput(std::string_view program, std::string_view path, Format format,
                                       onnx::ModelProto* model, std::string* bytes);

/// ReadFile(), but what holds a message in an old schema is an error: its numbers would mean other things. Texts pass.
[[nodiscard]] Diagnostics ReadInput(const std::string& path, Kind kind, std::size_t max_bytes, SourceText* source);

/// Reads a message of that kind from a file in any format, which is then in `*format`, if that is given.
[[nodiscard]] Diagnostics ReadMessage(const std::string& path, Kind kind, const ParseOptions& options,
                                      SourceText* source, google::protobuf::Message* message, Format* format = nullptr);

/// ParseToBytes(), but data that are elided are an error: a model without its weights must not pass for one with them.
/// So is an `output` that would replace the weights of `input`.
[[nodiscard]] Diagnostics CompileToBytes(std::string_view text, const std::string& input, const std::string& output,
                                         std::vector<std::string>* chunks, const ParseOptions& options);

/// Writes an input's message in another format; not checked. A model's text becomes binary, and binary becomes text,
/// without being in memory as a whole. A text ends with a line break. `output` writes to input.output.
[[nodiscard]] Diagnostics Convert(const SourceText& source, const Input& input, Kind kind, Format target,
                                  const ParseOptions& options, FileWriter* output, const PrintOptions& print = {});

}  // namespace onnxc::cli
