// Implements `onnxc convert`: converts any format to any other.
#include "old/convert.h"

#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <onnxc/strip.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/edit.h"
#include "cli/formats.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "cli/side_file.h"
#include "source/report.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kConvertProgram = "onnxc convert";

struct ConvertOptions {
  CommonOptions common;
  unsigned threads = 0;
  std::string input = "-";
  std::string output = "-";
  std::string kind;
  std::string to;
  std::string from;
  std::vector<std::string> input_types;
  bool allow_loss = false;
  bool upgrade = false;
  bool strip_weights = false;
};

/// Returns the old schema of a model: the one that --from names, otherwise the one in which the bytes certainly are.
/// Returns nothing for the current schema.
std::optional<old::Schema> SchemaOf(const ConvertOptions& options, std::string_view bytes) {
  const auto named = std::ranges::find(old::kSchemas, std::string_view(options.from), &old::SchemaRow::word);
  if (named != old::kSchemas.end()) return named->schema;
  return options.kind.empty() || options.kind == "model" ? old::FindSchema(bytes) : std::nullopt;
}

/// Reads the values of --input, such as `x=float[N]`.
Diagnostics ReadInputTypes(const ConvertOptions& options, old::ConvertOptions* old_options) {
  for (const std::string& value : options.input_types) {
    auto input = ReadNamedType(value);
    if (!input) {
      return Only(MakeDiagnostic(diag::kOldInput, kNowhere,
                                 fmt::format("--input takes NAME=TYPE, such as x=float[N], not '{}'", Quoted(value))));
    }
    if (!old_options->input_types.emplace(input->first, std::move(input->second)).second) {
      return Only(
          MakeDiagnostic(diag::kOldInput, kNowhere, fmt::format("--input names '{}' twice", Quoted(input->first))));
    }
  }
  return {};
}

/// Reads a model and writes it in the current schema. It is called if the model has an old schema, or if the options
/// require an upgrade or the removal of weights.
Diagnostics ConvertModel(const ConvertOptions& options, const SourceText& source, std::optional<old::Schema> schema,
                         Format target, FileWriter* output, Report* report) {
  onnx::ModelProto model;
  Diagnostics found;
  std::string_view text;
  if (schema) {
    old::ConvertOptions old_options{.allow_loss = options.allow_loss};
    found = ReadInputTypes(options, &old_options);
    if (found.ok()) found = old::Convert(source.text(), *schema, old_options, &model);
  } else {
    const Format format = DetectFormat(source.text(), options.input, Kind::kModel);
    if (format == Format::kText) text = source.text();
    const ParseOptions parse{.tell_functions_apart = options.kind.empty(), .threads = options.threads};
    found = Decode(source.text(), format, &model, parse);
    if (found.ok() && options.upgrade) found.Append(old::Upgrade(&model));
  }
  std::string bytes;
  if (found.ok()) report->KeepWeightsOf(model, options.input);
  if (found.ok() && options.strip_weights) found.Append(StripWeights(&model));
  if (found.ok()) found.Append(FindLeftBehind(model, options.input, options.output));
  if (found.ok()) found.Append(EncodeChanged(text, model, target, &bytes, {.threads = options.threads}));
  output->Write(bytes);
  if (target == Format::kText && text.empty()) output->EndLine();
  return found;
}

/// Returns why the options cannot be combined, or nothing if they can.
std::optional<std::string> WrongOptions(const ConvertOptions& options) {
  const bool is_model = options.kind.empty() || options.kind == "model";
  if (!is_model && (options.upgrade || !options.from.empty())) return "--from and --upgrade are only for models";
  if (!is_model && options.strip_weights) return "--strip-weights is only for models";
  if (options.upgrade && !options.from.empty()) return "--from upgrades the model already; leave out --upgrade";
  return std::nullopt;
}

/// Returns an option that has no effect for a file in this schema, or nothing if there is none. If `schema` is not set,
/// the file is in the current schema.
std::optional<std::string> UselessOption(const ConvertOptions& options, std::optional<old::Schema> schema) {
  if (!options.input_types.empty() && schema != old::Schema::kOnnx01) {
    return "--input is only for graphs of onnx 0.1, whose inputs have no types";
  }
  if (options.allow_loss && !schema)
    return "--allow-loss is only for models in an old schema; name the schema with --from";
  return std::nullopt;
}

ExitStatus Run(const ConvertOptions& options) {
  const OutputFormat* target = FindFormat(kOutputFormats, options.to, options.output);
  if (target == nullptr) {
    return WrongCall(kConvertProgram, options.output == "-"
                                          ? "standard output needs --to FORMAT; -o FILE writes a file"
                                          : UnknownFormat(options.output) + "; or name the format with --to");
  }
  if (SpoilsTerminal(*target, options.output)) {
    return WrongCall(kConvertProgram, "binary output is not written to a terminal; use -o FILE or another --to");
  }

  if (const auto wrong = WrongOptions(options)) return WrongCall(kConvertProgram, *wrong);
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  SourceText source("", "");
  std::optional<FileWriter> output;
  Report report(options.common);
  std::atomic<std::size_t>* progress = report.Start(options.input);
  Diagnostics found = ReadFile(options.input, &source, options.common.max_bytes);
  const std::optional<old::Schema> schema = found.ok() ? SchemaOf(options, source.text()) : std::nullopt;
  if (found.ok()) {
    if (const auto useless = UselessOption(options, schema)) return WrongCall(kConvertProgram, *useless);
    output.emplace(options.output);
  }
  if (found.ok() && (schema || options.upgrade || options.strip_weights)) {
    found = ConvertModel(options, source, schema, target->format, &*output, &report);
  } else if (found.ok()) {
    const ParseOptions parse{
        .tell_functions_apart = options.kind.empty(), .threads = options.threads, .progress = progress};
    found = Convert(source, {.path = options.input, .below = {}, .output = options.output}, kind, target->format, parse,
                    &*output, &report, {.threads = options.threads});
  }
  report.Add(found, source);
  if (found.ok()) Commit(&*output, &report);
  return report.Finish();
}

Action AddConvertOptions(CLI::App* app) {
  const auto options = std::make_shared<ConvertOptions>();
  AddCommonOptions(app, &options->common);
  AddInput(app, "IN", &options->input, "The file to read");
  AddOutput(app, &options->output, "The file to write (default and -: standard output)");
  AddKindOption(app, &options->kind);
  AddThreadsOption(app, &options->threads);
  AddChoice(app, "--to", &options->to, Words(kOutputFormats),
            "The format to write (default: from the suffix of the -o file)");
  std::vector<std::string_view> schemas;
  for (const old::SchemaRow& row : old::kSchemas) schemas.push_back(row.word);
  AddChoice(app, "--from", &options->from, schemas,
            "The old schema of the input (default: recognized by the content, if that is certain)");
  app->add_option("--input", options->input_types,
                  "Set the type of an input for which the model gives none, for example x=float[N,3]")
      ->type_name("NAME=TYPE")
      ->take_all()
      ->allow_extra_args(false);
  app->add_flag("--allow-loss", options->allow_loss,
                "Leave out, with a warning, anything that the current schema cannot represent");
  app->add_flag("--strip-weights", options->strip_weights,
                "Turn weights into inputs, so that the output has the structure and shapes of the model, but no data");
  app->add_flag("--upgrade", options->upgrade, "Convert a model of IR version 1 or 2 to IR version 3");
  return [options] { return Run(*options); };
}

}  // namespace

const Command kConvert = {
    .name = "convert",
    .summary = "Convert between text, protobuf, protobuf's text format and JSON",
    .details =
        R"(The format of the input is recognized by its content, and the format of the output by the suffix of the -o file: .onnx and
.pb are protobuf's wire format; .onnxtxt and .onnxtext are the ONNX text syntax; .textproto, .pbtxt, .prototxt and .txtpb are
protobuf's text format; .json is protobuf's JSON.
Nothing of the model is lost: anything that a format cannot represent is an error. The comments of a text are not kept, except by
--strip-weights and --upgrade if they write a text. The rules of ONNX are not checked; use 'onnxc compile' or 'onnxc check' for
that.

Models in old schemas (onnx 0.1 and 0.2, and PyTorch's fork of 2018), in protobuf's wire or text format, are converted to the
current schema; docs/old-formats.md says how each field is converted.

Examples:
  onnxc convert model.onnx -o model.json
  onnxc convert model.pbtxt -o model.onnxtxt
  onnxc convert --kind tensor input_0.pb -o input_0.onnxtxt
  onnxc convert --to textproto model.onnx | less
  onnxc convert --from torch old.onnx -o model.onnx
  onnxc convert --from onnx-0.1 --input 'x=float[N,3]' old.onnx -o model.onnx
  onnxc convert --strip-weights model.onnx -o report.onnx   like onnxc strip --weights
  onnxc convert --upgrade early.onnx -o model.onnx     adds attribute types, and imports version 1 of the operators
)",
    .add_options = &AddConvertOptions,
};

}  // namespace onnxc::cli
