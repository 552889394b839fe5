#include "cli/formats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnxc/external_data.h>
#include <onnxc/rewrite.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "codec/suffixes.h"
#include "platform/mapped_file.h"
#include "source/report.h"

namespace onnxc::cli {

std::vector<std::string_view> Words(std::span<const OutputFormat> formats) {
  std::vector<std::string_view> words;
  for (const OutputFormat& row : formats) words.push_back(row.word);
  return words;
}

const OutputFormat* FindFormat(std::span<const OutputFormat> formats, std::string_view word, std::string_view path) {
  const std::optional<Format> named = FormatOfSuffix(path);
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const OutputFormat& row) {
    return word.empty() ? row.format == named : row.word == word;
  });
  return found == formats.end() ? nullptr : &*found;
}

std::string UnknownFormat(std::string_view path) {
  std::vector<std::string_view> suffixes;
  for (const Suffix& row : kSuffixes) suffixes.push_back(row.suffix);
  return fmt::format("the suffix of '{}' names no format; the known suffixes are {}", Quoted(path),
                     fmt::join(suffixes, ", "));
}

bool SpoilsTerminal(const OutputFormat& format, std::string_view path) {
  return path == "-" && format.format == Format::kBinary && ::isatty(STDOUT_FILENO) != 0;
}

bool FloodsTerminal(std::size_t bytes, std::string_view path) {
  constexpr std::size_t kMuch = std::size_t{1} << 20;
  return path == "-" && bytes > kMuch && IsTerminal(STDOUT_FILENO);
}

void ReportNoWeights(std::string_view program, std::string_view how) {
  PrintError(fmt::format("{}: the weights of a large model are not shown on a terminal; {}\n", program, how));
}

Diagnostics EncodeChanged(std::string_view text, const onnx::ModelProto& model, Format format, std::string* bytes,
                          const PrintOptions& options) {
  if (format != Format::kText || text.empty()) return Encode(model, format, bytes, options);
  PrintResult rewritten = Rewrite(text, model);
  *bytes = std::move(rewritten.text);
  return std::move(rewritten.diagnostics);
}

Diagnostics EncodeOutput(std::string_view program, std::string_view path, Format format, onnx::ModelProto* model,
                         std::string* bytes, std::string_view text) {
  Diagnostics found = EncodeChanged(text, *model, format, bytes);
  if (!found.ok() || format != Format::kText) return found;
  if (FloodsTerminal(bytes->size(), path)) {
    const std::size_t whole = bytes->size();
    found.Append(ElideWeights(model, Elision::kNothing, /*size_threshold=*/1));
    if (found.ok()) found.Append(EncodeChanged(text, *model, format, bytes));
    if (bytes->size() < whole) ReportNoWeights(program, "-o FILE writes them");
  }
  if (text.empty() && !bytes->empty() && !bytes->ends_with('\n')) *bytes += '\n';
  return found;
}

Diagnostics ReadInput(const std::string& path, Kind kind, std::size_t max_bytes, SourceText* source) {
  Diagnostics found = ReadFile(path, source, max_bytes);
  if (found.ok()) found.Append(RefuseOldSchema(source->text(), kind));
  return found;
}

Diagnostics ReadMessage(const std::string& path, Kind kind, const ParseOptions& options, SourceText* source,
                        google::protobuf::Message* message, Format* format) {
  Diagnostics found = ReadInput(path, kind, options.max_bytes, source);
  if (!found.ok()) return found;
  const Format detected = DetectFormat(source->text(), path, kind);
  if (format != nullptr) *format = detected;
  found = Decode(source->text(), detected, message, options);
  FreeDecoded(source->text());
  return found;
}

Diagnostics CompileToBytes(std::string_view text, const std::string& input, const std::string& output,
                           std::vector<std::string>* chunks, const ParseOptions& options, Report* report) {
  bool has_external_data = false;
  Diagnostics found = ParseToBytes(text, chunks, options, &has_external_data);
  if (!found.ok() || !has_external_data) return found;
  // The bytes do not show which data are elided, so the text is parsed again to a message. This is cheap, because texts
  // without weights are small.
  onnx::ModelProto model;
  found.Append(Parse(text, &model, {.tell_functions_apart = options.tell_functions_apart}));
  found.Append(FindElided(model));
  report->KeepWeightsOf(model, input);
  found.Append(FindLeftBehind(model, input, output));
  if (!found.ok()) chunks->clear();
  return found;
}

namespace {

// Returns whether KeepWeightsOf() or FindLeftBehind() may find something about a binary model. This test is fast,
// because it does not read the message: the bytes of a model with weights in files contain the key "location", and the
// output replaces such a file only if it exists.
bool MayBeMisplaced(std::string_view bytes, const Input& input) {
  std::error_code error;
  const bool may_differ = std::filesystem::exists(input.output, error) || LeavesFolder(input.path, input.output);
  return may_differ && bytes.find("location") != std::string_view::npos;
}

}  // namespace

Diagnostics Convert(const SourceText& source, const Input& input, Kind kind, Format target, const ParseOptions& options,
                    FileWriter* output, Report* report, const PrintOptions& print) {
  const Format format = DetectFormat(source.text(), input.path, kind);
  Diagnostics found;
  if (kind == Kind::kModel && format == Format::kText && target == Format::kBinary) {
    std::vector<std::string> chunks;
    found = CompileToBytes(source.text(), input.path, input.output, &chunks, options, report);
    for (std::string& chunk : chunks) output->Write(std::exchange(chunk, {}));
  } else if (kind == Kind::kModel && format == Format::kBinary && target == Format::kText &&
             !MayBeMisplaced(source.text(), input)) {
    found = PrintFromBytes(source.text(), output, print);
  } else {
    const OwnedMessage message(kind, input.lifetime);
    std::string bytes;
    found = Decode(source.text(), format, message.get(), options);
    if (found.ok()) report->KeepWeightsOf(*message, input.path);
    if (found.ok()) found.Append(FindLeftBehind(*message, input.path, input.output));
    if (found.ok()) found.Append(Encode(*message, target, &bytes, print));
    output->Write(bytes);
  }
  if (target == Format::kText) output->EndLine();
  return found;
}

}  // namespace onnxc::cli
