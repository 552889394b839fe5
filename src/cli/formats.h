// The formats of output files.
#pragma once

#include <onnxc/model_io.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace onnxc::cli {

class Report;
struct Input;

struct OutputFormat {
  std::string_view word;  ///< the word on the command line
  Format format;
  std::string_view suffix;
};

inline constexpr std::array<OutputFormat, 4> kOutputFormats = {{
    {"onnx", Format::kBinary, ".onnx"},
    {"textproto", Format::kTextProto, ".textproto"},
    {"json", Format::kJson, ".json"},
    {"onnxtxt", Format::kText, ".onnxtxt"},
}};

/// All formats except text.
inline constexpr std::span kProtobufFormats = std::span(kOutputFormats).first<3>();

[[nodiscard]] std::vector<std::string_view> Words(std::span<const OutputFormat> formats);

/// Returns the row of `word` or, if the word is empty, of the format that the suffix of `path` implies. Returns null if
/// there is none.
[[nodiscard]] const OutputFormat* FindFormat(std::span<const OutputFormat> formats, std::string_view word,
                                             std::string_view path);

/// Returns the error message for an output whose suffix implies no format. The message lists the known suffixes.
[[nodiscard]] std::string UnknownFormat(std::string_view path);

/// Returns whether the output would be binary data on a terminal. Such output is refused.
[[nodiscard]] bool SpoilsTerminal(const OutputFormat& format, std::string_view path);

/// Returns whether the output is a terminal and a text of this size is too long for a terminal. Such a text is shown
/// without weights.
[[nodiscard]] bool FloodsTerminal(std::size_t bytes, std::string_view path);

/// Tells the user that the weights are left out. `how` is the part of the message that says how to get them.
void ReportNoWeights(std::string_view program, std::string_view how);

/// Encodes a model that was read from `text`, and then changed. If a text is written, it keeps what did not change.
/// `text` is "" if the model was not read from a text.
[[nodiscard]] Diagnostics EncodeChanged(std::string_view text, const onnx::ModelProto& model, Format format,
                                        std::string* bytes, const PrintOptions& options = {});

/// Encodes the model in the format of the output. A text gets a line break at its end. If the text is too long for the
/// terminal, the weights are removed from `*model`. `text` is as in EncodeChanged().
[[nodiscard]] Diagnostics EncodeOutput(std::string_view program, std::string_view path, Format format,
                                       onnx::ModelProto* model, std::string* bytes, std::string_view text = {});

/// Like ReadFile(), but a message in an old schema is an error, because its field numbers have other meanings. Texts
/// are accepted.
[[nodiscard]] Diagnostics ReadInput(const std::string& path, Kind kind, std::size_t max_bytes, SourceText* source);

/// Reads a message of this kind from a file in any format. `*format`, if not null, receives the format.
[[nodiscard]] Diagnostics ReadMessage(const std::string& path, Kind kind, const ParseOptions& options,
                                      SourceText* source, google::protobuf::Message* message, Format* format = nullptr);

/// Like ParseToBytes(), but elided data are an error, because the output would look like a complete model but lack its
/// weights. The findings of FindLeftBehind() are added, and `*report` receives the files with weights.
[[nodiscard]] Diagnostics CompileToBytes(std::string_view text, const std::string& input, const std::string& output,
                                         std::vector<std::string>* chunks, const ParseOptions& options, Report* report);

/// Converts an input to another format without checking it, and writes it to `input.output`. If a model is converted
/// from text to binary or from binary to text, the complete message is not held in memory. An output in text ends with
/// a line break. `*report` receives the files with weights.
[[nodiscard]] Diagnostics Convert(const SourceText& source, const Input& input, Kind kind, Format target,
                                  const ParseOptions& options, FileWriter* output, Report* report,
                                  const PrintOptions& print = {});

}  // namespace onnxc::cli
