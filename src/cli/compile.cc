// onnxc compile: text to protobuf.
#include <fmt/format.h>
#include <onnxc/model_io.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "cli/check.h"
#include "cli/commands.h"

namespace onnxc::cli {
namespace {

constexpr std::string_view kProgram = "onnxc compile";

struct CompileOptions {
  CommonOptions common;
  std::size_t max_bytes = std::numeric_limits<std::size_t>::max();
  std::string input = "-";
  std::string output;
  std::string kind;
  std::string to;
  bool no_check = false;
};

struct Target {
  std::string_view word;
  Format format;
  std::string_view suffix;
};

constexpr std::array<Target, 3> kTargets = {{
    {"onnx", Format::kBinary, ".onnx"},
    {"textproto", Format::kTextProto, ".textproto"},
    {"json", Format::kJson, ".json"},
}};

/// The format to write: the one asked for, else the one that the output's name asks for, else binary. Nothing where the
/// name asks for text.
std::optional<Target> FindTarget(const CompileOptions& options) {
  const Format wanted = FormatOfSuffix(options.output).value_or(Format::kBinary);
  for (const Target& target : kTargets) {
    if (options.to.empty() ? target.format == wanted : target.word == options.to) return target;
  }
  return std::nullopt;
}

/// `dir/x.onnxtxt` gives `dir/x.onnx`.
std::string OutputBeside(const std::string& input, const Target& target, Kind kind) {
  const bool is_part = target.format == Format::kBinary && kind != Kind::kModel;
  const std::size_t slash = input.rfind('/');
  const std::size_t dot = input.rfind('.');
  const bool has_suffix = FormatOfSuffix(input).has_value() && (slash == std::string::npos || dot > slash + 1);
  return input.substr(0, has_suffix ? dot : input.size()).append(is_part ? ".pb" : target.suffix);
}

/// Text to bytes, in pieces. The checker needs the message as a whole; without it, a model never is in memory.
Diagnostics Compile(const CompileOptions& options, const SourceText& source, Kind kind, Format target,
                    std::vector<std::string>* pieces) {
  const ParseOptions parse{.tell_functions_apart = options.kind.empty()};
  const Format format = DetectFormat(source.text(), options.input, kind);
  if (options.no_check && kind == Kind::kModel && format == Format::kText && target == Format::kBinary) {
    return ParseToBytes(source.text(), pieces, parse);
  }
  const OwnedMessage message(kind);
  Diagnostics found = options.no_check ? Decode(source.text(), format, message.get(), parse)
                                       : ReadAndCheck(source, options.input, kind, parse, {}, message.get());
  if (found.ok()) found.Append(Encode(*message, target, &pieces->emplace_back()));
  return found;
}

ExitStatus Run(const CompileOptions& options) {
  const std::optional<Target> target = FindTarget(options);
  if (!target) {
    return WrongCall(kProgram, fmt::format("'{}' is the name of a text; choose another, or say --to", options.output));
  }
  const Kind kind = FindKind(options.kind).value_or(Kind::kModel);
  std::string output = options.output;
  if (output.empty()) output = options.input == "-" ? "-" : OutputBeside(options.input, *target, kind);
  if (options.output.empty() && output != "-" && output == options.input) {
    return WrongCall(kProgram, fmt::format("the output would replace the input '{}'; say -o", options.input));
  }
  if (output == "-" && target->format == Format::kBinary && ::isatty(STDOUT_FILENO) != 0) {
    return WrongCall(kProgram, "binary is not written to a terminal; say -o FILE, or --to textproto");
  }

  SourceText source("", "");
  std::vector<std::string> pieces;
  Diagnostics found = ReadFile(options.input, &source, options.max_bytes);
  if (found.ok()) found = Compile(options, source, kind, target->format, &pieces);
  Report report(options.common);
  report.Add(found, source);
  if (found.ok()) Write(output, std::vector<std::string_view>(pieces.begin(), pieces.end()), &report);
  return report.Finish();
}

Action AddOptions(CLI::App* app) {
  const auto options = std::make_shared<CompileOptions>();
  AddCommonOptions(app, &options->common);
  AddSizeLimit(app, &options->max_bytes);
  std::vector<std::string_view> words;
  for (const Target& target : kTargets) words.push_back(target.word);
  app->add_option("IN", options->input, "The file to read; - or nothing is standard input")->type_name("");
  app->add_option("-o,--output", options->output, "The file to write; - is standard output")->type_name("FILE");
  AddKindOption(app, &options->kind);
  AddChoice(app, "--to", &options->to, words, "The format to write; if not given, the name in -o says it, else onnx");
  app->add_flag("--no-check", options->no_check, "Do not check what was read before it is written");
  return [options] { return Run(*options); };
}

}  // namespace

const Command kCompile = {
    .name = "compile",
    .summary = "Compile text to protobuf",
    .details =
        R"(Without -o, x.onnxtxt gives x.onnx beside it, and standard input gives standard output. The input is checked before
anything is written; parts of a model, with --kind, are judged by the newest versions. A text of functions alone gives a
model without graph. The input may also be any of the protobuf formats; which one it is, its content tells.

Examples:
  onnxc compile model.onnxtxt                     writes model.onnx
  onnxc compile model.onnxtxt --to json -o -      shows the model as JSON
  onnxc compile - -o model.onnx < model.onnxtxt
  onnxc compile --kind tensor t.onnxtxt           writes t.pb, a TensorProto
)",
    .add_options = &AddOptions,
};

}  // namespace onnxc::cli
