#include "cli/edit.h"

#include <fmt/format.h>

#include "cli/formats.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "source/report.h"

namespace onnxc::cli {

void AddEditOptions(CLI::App* app, EditOptions* options) {
  AddCommonOptions(app, &options->common);
  AddInput(app, "IN", &options->input, "The model to read");
  AddOutput(app, &options->output, "The file to write (default: text on standard output)");
}

std::optional<std::pair<std::string, onnx::TypeProto>> ReadNamedType(std::string_view text) {
  const std::size_t equals = text.find('=');
  onnx::TypeProto type;
  if (equals == 0 || equals == std::string_view::npos || !Parse(text.substr(equals + 1), &type).ok()) {
    return std::nullopt;
  }
  return std::pair(std::string(text.substr(0, equals)), std::move(type));
}

Format EditedFormat(const std::string& output, std::optional<std::string>* wrong) {
  if (output == "-") return Format::kText;
  const std::optional<Format> format = FormatOfSuffix(output);
  if (!format) *wrong = UnknownFormat(output);
  return format.value_or(Format::kText);
}

Diagnostics FindUnwritable(const onnx::ModelProto& model, const EditOptions& options, Format read, Format target) {
  Diagnostics found = FindLeftBehind(model, options.input, options.output);
  if (read == Format::kText && target != Format::kText) found.Append(FindElided(model));
  return found;
}

ExitStatus RunEdit(std::string_view program, const EditOptions& options, const Edit& edit,
                   const std::function<std::string()>& summary) {
  std::optional<std::string> wrong;
  const Format target = EditedFormat(options.output, &wrong);
  if (wrong) return WrongCall(program, *wrong);
  SourceText source("", "");
  SourceMap places;
  const OwnedMessage message(Kind::kModel);
  auto& model = static_cast<onnx::ModelProto&>(*message);
  Report report(options.common);
  const ParseOptions parse{.max_bytes = options.common.max_bytes,
                           .source_map_out = &places,
                           .tell_functions_apart = true,
                           .progress = report.Start(options.input)};
  Format read{};
  std::string bytes;
  Diagnostics found = ReadMessage(options.input, Kind::kModel, parse, &source, &model, &read);
  if (found.ok()) report.KeepWeightsOf(model, options.input);
  if (found.ok()) found.Append(edit(&model, read == Format::kText ? &places : nullptr));
  if (found.ok()) found.Append(FindUnwritable(model, options, read, target));
  const std::string_view text = read == Format::kText ? source.text() : std::string_view();
  if (found.ok()) found.Append(EncodeOutput(program, options.output, target, &model, &bytes, text));
  report.Add(found, source);
  if (found.ok()) Write(options.output, bytes, &report);
  if (report.ok() && summary) report.Say(summary());
  return report.Finish();
}

}  // namespace onnxc::cli
